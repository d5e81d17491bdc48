"""Addresses of a column, told apart by where they lead."""

def are_pictures(addresses: list[str], misses: float) -> bool:
    """Whether all addresses but the share `misses` have the ending of a picture, before their query."""

def kind_of(links: list[str | None], pictures: bool, misses: float) -> str:
    """What the links of a column lead to: "url" or "image"; "contact" if some lead to mail or telephones; "" if
    they are none. `pictures` if they are of an attribute for pictures; of all others, the share `misses` need not be.

    >>> kind_of(["/a.JPG?b", None], False, 0.1), kind_of(["/a.html"], True, 0.1), kind_of(["tel:1"], False, 0.1)
    ('image', 'url', 'contact')
    """
