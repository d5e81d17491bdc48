"""Which days data may have as ISO 8601 writes them."""

def days_in(data: bytes) -> int:
    """The days of months, as bits (bit 3 for the third), of all dates such as 2024-05-03 in the texts, attribute values
    or scripts of a page; the byte between texts that touch counts as nothing. All of them where an escape may stand for
    a part of a date (`2024\\u002d05\\u002d03`)."""
