"""Where on a page a slot stands: in the part that is about the thing, or in navigation, advertisements, related things.
Authors say so in tags, roles and words of classes and ids, and in the headings above lists."""

from __future__ import annotations

from fastwrap._core.columns import markup
from fastwrap.columns.roles import words_of
from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE

BESIDE_TAGS = frozenset("nav footer aside menu dialog form select option button noscript iframe".split())

BESIDE_ROLES = frozenset(
    "banner navigation contentinfo complementary menu menubar search toolbar dialog alertdialog".split()
)

BESIDE_WORDS = frozenset(
    """
    ad ads adv advert advertisement advertisements advertising also alsobought basket banner banners bestseller
    bestsellers breadcrumb breadcrumbs carousel cart comment comments consent cookie cookies copyright crosssell crumb
    crumbs foot footer legal login menu menubar minicart modal nav navbar navigation newsletter pager pagination popular
    popup promo promos promotion promotions recent recently recommendation recommendations recommended recs related
    share sharing sidebar signin similar skip slider social sponsor sponsored sponsors submenu subnav suggested
    suggestions tooltip topbar trending upsell viewed widget widgets
    """.split()
)
"""Words of classes and ids, and of headings, that are said of what is not the thing itself."""

MILD_WORDS = frozenset("review reviews feedback rating tabs qa questions answers".split())
"""Words of what belongs to the thing, but comes after what it is."""

BESIDE, MILD, MAIN = 2, 1, 0

SAYING = [ATTRIBUTE_NUMBER[name] for name in ("role", "id", "class")]

LONGEST_HEADING = 60


def own_place(page: Page, node: int) -> int:
    """What an element says of itself: BESIDE, MILD or MAIN (nothing).

    >>> page = Page("<div id=relatedItems><p class=reviews>a</div>")
    >>> own_place(page, 3), own_place(page, 4), own_place(page, 2)
    (2, 1, 0)
    """
    name = page.tag_name(node)
    if name in ("html", "body", "head", "#text"):
        return MAIN
    if name in BESIDE_TAGS:
        return BESIDE
    role, name, classes = markup.values(page.native, node, SAYING)
    if role and not BESIDE_ROLES.isdisjoint(role.split()):
        return BESIDE
    if not (name or classes):
        return MAIN
    said = words_of(f"{name[:100]} {classes[:200]}")
    if not BESIDE_WORDS.isdisjoint(said):
        return BESIDE
    return MAIN if MILD_WORDS.isdisjoint(said) else MILD


def is_beside_heading(heading: str) -> bool:
    """Whether a heading is one of things that are beside the point.

    >>> is_beside_heading("Customers also bought"), is_beside_heading("Details")
    (True, False)
    """
    return len(heading) <= LONGEST_HEADING and not BESIDE_WORDS.isdisjoint(words_of(heading))


class Places:
    """The places of slots, each found when it is asked for and only once."""

    def __init__(self, page: Page, parents: list[int], examples: list[int], headings: list[str]) -> None:
        self.page, self.parents, self.examples, self.headings = page, parents, examples, headings
        self.known: dict[int, int] = {NO_NODE: MAIN}

    def of(self, slot: int) -> int:
        """BESIDE, MILD or MAIN."""
        path = []
        while slot not in self.known:
            path.append(slot)
            slot = self.parents[slot]
        place = self.known[slot]
        for step in reversed(path):
            if place != BESIDE:
                place = max(place, own_place(self.page, self.examples[step]))
                if self.headings[step] and is_beside_heading(self.headings[step]):
                    place = BESIDE
            self.known[step] = place
        return place
