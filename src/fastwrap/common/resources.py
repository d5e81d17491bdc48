"""Templates, style sheets and scripts that are files of the package.
A placeholder is written {{name}}; whoever fills it in escapes what must be escaped."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


@cache
def resource(package: str, name: str) -> str:
    """The text of a file in a package.

    >>> resource("fastwrap.show", "view.html").splitlines()[0]
    '<!doctype html>'
    """
    return files(package).joinpath(name).read_text(encoding="utf-8")


def filled(template: str, **parts: object) -> str:
    """A template with its placeholders filled in; what is put in is not looked at again.

    >>> filled("<b>{{name}}</b>", name="{{name}}")
    '<b>{{name}}</b>'
    """
    return _PLACEHOLDER.sub(lambda match: str(parts[match[1]]), template)
