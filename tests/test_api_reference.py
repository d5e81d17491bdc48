"""The API reference names everything that is public, and the documents link to files that are there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import fastwrap
from fastwrap import similarity
from fastwrap.cli import VERBS
from fastwrap.types import TYPES

ROOT = Path(__file__).parent.parent
REFERENCE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
CODE = " ".join(re.findall(r"`([^`\n]+)`", REFERENCE))


def section(name: str) -> str:
    """The code in a section of the reference."""
    found = re.search(rf"^## `{name}`$(.*?)(?=^## |\Z)", REFERENCE, re.MULTILINE | re.DOTALL)
    assert found, name
    return " ".join(re.findall(r"`([^`\n]+)`", found[1]))


def test_every_public_name_is_there() -> None:
    for name in fastwrap.__all__:
        assert re.search(rf"\b{name}\b", CODE), name


@pytest.mark.parametrize("name", ["Extraction", "Region", "Record", "Column", "Wrapper", "WrapperSet", "Page"])
def test_every_public_attribute_is_in_the_section_of_its_class(name: str) -> None:
    public = getattr(fastwrap, name)
    attributes = {*vars(public), *getattr(public, "__annotations__", ()), *getattr(public, "__slots__", ())}
    told = section(name)
    missing = [own for own in attributes if not own.startswith("_") and not re.search(rf"\b{own}\b", told)]
    assert missing == []


def test_measures_types_and_commands_are_there() -> None:
    told = section("fastwrap.similarity")
    for kind in ("tree", "tag", "name"):
        assert f"{kind}_distance" in told
        assert callable(getattr(similarity, f"{kind}_distance"))
    assert ", ".join(TYPES) in REFERENCE
    for verb in VERBS:
        assert f"fastwrap {verb}" in CODE


@pytest.mark.parametrize(
    "path", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("wheels/*.md")]), ids=str
)
def test_links_lead_to_files(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / link).exists(), link


@pytest.mark.parametrize(
    ("old", "new"), [("fastwrap.kernels", "fastwrap.similarity"), ("fastwrap.arrays", "fastwrap.page.arrays")]
)
def test_modules_that_moved_say_where_to(old: str, new: str) -> None:
    importlib.import_module(new)
    with pytest.raises(ImportError, match=f"{old} is {new} now"):
        importlib.import_module(old)
