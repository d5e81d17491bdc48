"""Twin of `fastwrap._core.types.addresses`: the same functions and results, by regular expressions."""

from __future__ import annotations

import re

_PICTURE_ENDINGS = tuple(".jpg .jpeg .png .gif .webp .svg .avif .bmp .tif .tiff .ico".split())
_OTHER_ENDINGS = tuple(".html .htm .js .mp3 .mp4 .webm .ogg .wav .m4a .m4v .pdf .swf".split())

_QUERY = re.compile(r"[?#]")


def _count_endings(addresses: list[str], endings: tuple[str, ...]) -> int:
    paths = [_QUERY.split(address, maxsplit=1)[0] for address in addresses]
    return sum(path[-5:].lower().endswith(endings) for path in paths)


def are_pictures(addresses: list[str], misses: float) -> bool:
    """Whether addresses lead to pictures."""
    return bool(addresses) and _count_endings(addresses, _PICTURE_ENDINGS) >= (1 - misses) * len(addresses)


def kind_of(links: list[str | None], pictures: bool, misses: float) -> str:
    """What the addresses of a column lead to: "url", "image", contacts ("contact"), or none ("")."""
    addresses = [link for link in links if link is not None]
    if not addresses or addresses[0].startswith(("http://schema.org/", "https://schema.org/")):
        return ""
    few = addresses[: int(misses * len(addresses)) + 1]
    if pictures:
        others = _count_endings(few, _OTHER_ENDINGS) and _count_endings(addresses, _OTHER_ENDINGS)
        return "image" if not others or 2 * others < len(addresses) else "url"
    if are_pictures(addresses, misses):
        return "image"
    return "contact" if any(address.startswith(("mailto:", "tel:")) for address in few) else "url"
