"""The ids of wrappers: they stand in addresses and are the names of files, so that few letters are allowed.
The server, its clients and the tools for agents all ask here."""

from __future__ import annotations

import re

ID = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}"
"""An id, as a regular expression of all languages."""

_ID = re.compile(ID)


def is_id(text: str) -> bool:
    """Whether a text can be the id of a wrapper.

    >>> [is_id(text) for text in ("pans-2", ".hidden", "-v", "a/b", "a" * 101, "")]
    [True, False, False, False, False, False]
    """
    return _ID.fullmatch(text) is not None
