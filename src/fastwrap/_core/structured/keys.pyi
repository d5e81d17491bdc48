"""Keys: the members of objects that have one of some names, whatever signs and capitals the keys are written with."""

from collections.abc import Iterable
from typing import Any

class Names:
    """Some names of members, in small letters of ASCII, to be looked up. A key has the name that its letters are, in
    small ones: "created_at" has "createdat"."""

    def __init__(self, names: Iterable[str]) -> None: ...
    def members(self, thing: dict[str, Any]) -> dict[str, Any]:
        """The members of an object that have one of the names and say something (not 0, not ""), by it: of several
        with the same name the last.

        >>> Names(("createdat", "user")).members({"user": "", "created_at": 1, "id": 7, "createdAt": 2})
        {'createdat': 2}
        """

    def texts(self, thing: dict[str, Any]) -> dict[str, str]:
        """The same of those that are texts with more than white space.

        >>> Names(("title",)).texts({"title": "Tea", "Title": " "})
        {'title': 'Tea'}
        """

    def are_in(self, thing: Iterable[str]) -> bool:
        """Whether any of some keys has one of the names."""
