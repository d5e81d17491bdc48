"""fastwrap turns web pages into tables, at the speed of parsing them.
This module is the public face: everything else may move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastwrap._version import __version__
from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
    from fastwrap import arrow as arrow
    from fastwrap import batch as batch
    from fastwrap import client as client
    from fastwrap import fetching as fetching
    from fastwrap import grammar as grammar
    from fastwrap import kernels as kernels
    from fastwrap import limits as limits
    from fastwrap import output as output
    from fastwrap import show as show
    from fastwrap import similarity as similarity
    from fastwrap import structured as structured
    from fastwrap import types as types
    from fastwrap.client import AsyncClient, Client
    from fastwrap.crawling import follow
    from fastwrap.extraction import Column, Extraction, Record, Region, extract
    from fastwrap.fetching import fetch
    from fastwrap.linking import Joined, Matched, join, match
    from fastwrap.noise.cleaning import clean
    from fastwrap.noise.content import Content, content
    from fastwrap.noise.model import Model
    from fastwrap.page import Page
    from fastwrap.regions import methods
    from fastwrap.wrapper import Wrapper, WrapperSet, learn, learn_all

__all__ = [
    "AsyncClient",
    "Client",
    "Column",
    "Content",
    "Extraction",
    "FastwrapError",
    "Joined",
    "Matched",
    "Model",
    "Page",
    "Record",
    "Region",
    "Wrapper",
    "WrapperSet",
    "__version__",
    "clean",
    "content",
    "extract",
    "fetch",
    "follow",
    "join",
    "learn",
    "learn_all",
    "match",
    "methods",
]

# Imported on first use: `import fastwrap` costs a command line next to nothing.
_LAZY = {
    "AsyncClient": "fastwrap.client",
    "Client": "fastwrap.client",
    "Column": "fastwrap.extraction",
    "Content": "fastwrap.noise.content",
    "Extraction": "fastwrap.extraction",
    "Joined": "fastwrap.linking",
    "Matched": "fastwrap.linking",
    "Model": "fastwrap.noise.model",
    "Page": "fastwrap.page",
    "Record": "fastwrap.extraction",
    "Region": "fastwrap.extraction",
    "Wrapper": "fastwrap.wrapper",
    "WrapperSet": "fastwrap.wrapper",
    "clean": "fastwrap.noise.cleaning",
    "content": "fastwrap.noise.content",
    "extract": "fastwrap.extraction",
    "fetch": "fastwrap.fetching",
    "follow": "fastwrap.crawling",
    "join": "fastwrap.linking",
    "learn": "fastwrap.wrapper",
    "learn_all": "fastwrap.wrapper",
    "match": "fastwrap.linking",
    "methods": "fastwrap.regions",
}

# The public modules: `fastwrap.output` is there after `import fastwrap`. No module bears the name of a function.
_MODULES = (
    "arrow",
    "batch",
    "client",
    "fetching",
    "grammar",
    "kernels",
    "limits",
    "output",
    "show",
    "similarity",
    "structured",
    "types",
)


def __getattr__(name: str) -> Any:
    module = f"fastwrap.{name}" if name in _MODULES else _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module 'fastwrap' has no attribute {name!r}")
    import importlib

    found = importlib.import_module(module)
    value = found if name in _MODULES else getattr(found, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
