"""Records that belong together: those of a listing with their detail pages, and the same things on several sites.
`join` and `match` are public; the other modules of this room are their steps."""

from fastwrap.linking.joining import Joined, join
from fastwrap.linking.matching import Matched, match

__all__ = ["Joined", "Matched", "join", "match"]
