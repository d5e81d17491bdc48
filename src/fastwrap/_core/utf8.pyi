"""Validates UTF-8 without decoding it: most pages are UTF-8 already, and the parser takes them as they are."""

def valid_utf8(html: bytes) -> tuple[int, int]:
    """How many bytes are valid UTF-8 before the first bad one, and how many of these continue a character."""
