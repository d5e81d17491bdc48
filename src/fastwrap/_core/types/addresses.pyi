"""Addresses of a column: made absolute by what the page's address has, and told apart by where they lead."""

def resolve(addresses: list[str | None], scheme: str, origin: str, directory: str) -> list[int]:
    """Make the addresses of a list absolute in their places. `scheme`, `origin` and `directory` are what the page's
    address has before "//", "/" and a name; all are empty if it is not known. Empty ones, "#" and scripts become None.

    Returns the places of those that need more than that, which are left as they are.

    >>> addresses = ["a", "/b", "../c", "#"]
    >>> resolve(addresses, "https:", "https://example.org", "https://example.org/d/"), addresses
    ([2], ['https://example.org/d/a', 'https://example.org/b', '../c', None])
    """

def are_pictures(addresses: list[str], misses: float) -> bool:
    """Whether all addresses but the share `misses` have the ending of a picture, before their query."""

def kind_of(links: list[str | None], pictures: bool, misses: float) -> str:
    """What the links of a column lead to: "url" or "image"; "contact" if some lead to mail or telephones; "" if
    they are none. `pictures` if they are of an attribute for pictures; of all others, the share `misses` need not be.

    >>> kind_of(["/a.JPG?b", None], False, 0.1), kind_of(["/a.html"], True, 0.1), kind_of(["tel:1"], False, 0.1)
    ('image', 'url', 'contact')
    """
