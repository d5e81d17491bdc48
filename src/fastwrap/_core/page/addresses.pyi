"""Addresses made absolute by what the base of a page has."""

def resolve(addresses: list[str | None], scheme: str, origin: str, directory: str) -> list[int]:
    """Make the addresses of a list absolute in their places. `scheme`, `origin` and `directory` are what the
    base has before "//", "/" and a name; all are empty if it is not known. Empty ones, "#" and scripts become None.

    Returns the places of those that need more than that, which are left as they are.

    >>> addresses = ["a", "/b", "../c", "#"]
    >>> resolve(addresses, "https:", "https://example.org", "https://example.org/d/"), addresses
    ([2], ['https://example.org/d/a', 'https://example.org/b', '../c', None])
    """
