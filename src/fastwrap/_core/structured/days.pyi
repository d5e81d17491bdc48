"""Whether data may have a day as ISO 8601 writes it."""

def may_have_days(data: bytes) -> bool:
    """Whether a day such as 2024-05-03 is anywhere in the texts, attribute values or scripts of a page, as they stand
    or with an escape in it (`2024\\u002d05\\u002d03`); the byte between texts that touch counts as nothing."""
