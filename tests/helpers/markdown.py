"""What a reader sees of rendered Markdown."""

from __future__ import annotations

import html
import re

INLINE_TAGS = re.compile(r"</?(?:em|strong|a|code|img)(?: [^>]*)?/?>")
TAGS = re.compile(r"<[^>]*>")


def words_of(rendered: str) -> list[str]:
    """The words of rendered Markdown; tags within lines are between no words."""
    return html.unescape(TAGS.sub(" ", INLINE_TAGS.sub("", rendered))).split()
