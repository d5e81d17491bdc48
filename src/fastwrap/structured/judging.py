"""Judging: whether an array of objects is something that a page lists for its readers, or settings of its program.
By how many objects there are, what they say (titles, links, pictures, amounts, dates), and the keys to them."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any, NamedTuple

from fastwrap._core.structured.flattening import Member, flatten, scalar
from fastwrap._core.structured.looks import are_names, look
from fastwrap._core.structured.walking import LEAST_OBJECTS
from fastwrap.structured.arrays import ObjectArray
from fastwrap.structured.posts import post_keys
from fastwrap.structured.sentences import plain
from fastwrap.structured.things import JSON_LD, MICRODATA, RDFA

SAMPLE = 10
"""Objects that are looked at."""
FEW = 6
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
BESIDE = frozenset(
    """
    ab ad ads adslot adslots advert advertising alternate analytics announcement announcements asset assets author
    authors award awards badge badges banner banners beacon bot breadcrumb breadcrumbs bundle bundles campaign
    campaigns cart carts categories category certifications chunk chunks classification classifications cms comment
    comments config configs configuration consent consents cookie cookies countries country currencies currency
    datalayer dictionary domains drawer error errors experiment experiments facet facets faq faqs feature
    features filter filters flag flags font fonts footer form forms geo gtm hashtags header headers hero hours
    hreflang i18n icon icons image images intl keyword keywords l10n label labels lang language languages layout
    layouts legal links loader locale locales localization logger logo logos manifest market markets media megamenu
    menu menus message messages meta metadata metrics modal module modules nav navbar navigation navigations
    newsletter notification notifications option options pagination param params partner partners payment payments
    permissions phrases pixel plugin plugins policies polyfill polyfills prefetch preload privacy promo promotion
    promotions query quotes recirc recommendation recommendations recommended redirect redirects region regions
    related requests review reviews route router routes schema script scripts segment segments seo service setting
    settings share sharing shipping sidebar similar sitemap sizes slot slots social socials sort sorts sources states
    strings style styles subcategories suggestion suggestions tab tabs tag tags targeting tax taxonomy test
    testimonial testimonials testing tests theme themes timezone timezones toggle toggles tracker trackers tracking
    translation translations trending ui upsell upsells user users utm variant variants vendor vendors version
    versions video videos widget widgets zips
    """.split()
)
"""Words of keys that lead to what is beside the point."""
SCHEMA_SOURCES = (JSON_LD, MICRODATA, RDFA)
BESIDE_TYPES = frozenset(
    """
    AggregateOffer AggregateRating Answer Comment ContactPoint EntryPoint HowToSection HowToStep ImageObject ListItem
    Offer OpeningHoursSpecification PostalAddress PropertyValue Question Review SearchAction SiteNavigationElement
    UnitPriceSpecification WebPageElement image potentialAction sameAs
    """.split()
)
"""Types of schema.org, and properties, of what belongs to other things."""
DETAILS = frozenset("product article post recipe story detail details pdp sku".split())
"""Words of keys that lead to one thing: what is listed there belongs to it."""
LISTED = frozenset(
    """
    article articles book books catalog courses data documents edges elements entries events hits homes item itemlist
    items itemlistelement jobs list listing listings mainentity movies nodes objects offers posts products
    properties recipes records restaurants results rows search stores stories topics
    """.split()
)
"""Words of keys that lead to lists."""
NAMES = frozenset("name title headline heading label displayname productname jobtitle caption subject".split())
LINKS = frozenset("url href link permalink slug path uri canonicalurl detailurl producturl pageurl".split())
PICTURES = ("image", "img", "photo", "thumb", "picture", "poster", "logo", "avatar")
AMOUNTS = ("price", "amount", "cost", "salary", "rating", "rank", "score", "count", "reviews", "area", "size", "beds")
POSTS = 4.0
"""What speaks for the posts of a thread: a page that has them as data is there for them."""
LONGEST_TITLE = 80
"""Characters of a text that may be all that something is called; of a longer one the first words are its title."""


class Judgement(NamedTuple):
    """What an array is like."""

    odds: float
    """The logarithm of the odds that a page exists for it, by itself: more for long lists of things that say much."""
    text: int
    """Characters of prose and names in all its objects."""
    title: tuple[str, ...]
    """The keys to what its objects are called, to their texts if they are posts; none if that is not known."""
    are_posts: bool = False
    """Whether its objects are what people wrote one after the other."""


def words_of(path: str) -> list[str]:
    """The words of keys, in small letters.

    >>> words_of("props.pageProps.topBanners")
    ['props', 'page', 'props', 'top', 'banners']
    """
    return [word.lower() for word in WORD.findall(path)]


def texts_of(member: Member) -> list[str]:
    """The strings of a member."""
    return [value for value in member.values if isinstance(value, str)]


class Key(NamedTuple):
    """What a key says of its values."""

    letters: str
    """Its words in one, in small letters."""
    is_name: bool
    is_link: bool
    is_picture: bool
    is_amount: bool


@lru_cache(4096)
def key_of(key: str) -> Key:
    """What a key says of its values.

    >>> key_of("listPrice")
    Key(letters='listprice', is_name=False, is_link=False, is_picture=False, is_amount=True)
    """
    letters = "".join(words_of(key))
    is_picture, is_amount = (any(word in letters for word in words) for words in (PICTURES, AMOUNTS))
    return Key(letters, letters in NAMES, letters in LINKS, is_picture, is_amount)


def is_beside(array: ObjectArray) -> bool:
    """Whether the last keys to an array say that it is beside the point.

    >>> is_beside(ObjectArray("state", "props.footer.links", [])), is_beside(ObjectArray("state", "props.items", []))
    (True, False)
    """
    if array.source in SCHEMA_SOURCES:
        return array.path.rpartition(".")[2] in BESIDE_TYPES
    return not BESIDE.isdisjoint(words_of(array.path)[-2:])


def judge(array: ObjectArray) -> Judgement:
    """What an array is like.

    >>> tea = [{"name": f"Tea of kind {k}", "url": f"/tea/{k}", "price": 2 + k} for k in range(6)]
    >>> flags = [{"key": f"flag_{k}", "value": True} for k in range(6)]
    >>> [judge(ObjectArray("state", path, rows)).odds > 0 for path, rows in (("items", tea), ("flags", flags))]
    [True, False]
    """
    sample = array.objects[:SAMPLE]
    count = len(sample)
    members = flatten(sample, lists=False)
    title: Member | None = None
    has_link = has_picture = has_date = False
    amounts = prose = strings = 0
    for member in members:
        texts, filled, different, numbers, addresses, dates = look(member.values)
        if filled * 2 < count:
            continue
        key, varies = key_of(member.key), different * 2 > filled
        if texts and len(texts) * 2 >= filled:
            if addresses * 5 >= len(texts) * 4:
                if key.is_picture:
                    has_picture = True
                else:
                    has_link = has_link or varies
                continue
            has_link = has_link or (key.is_link and varies)
            if dates * 5 >= len(texts) * 4:
                has_date = True
                continue
            strings += 1
            if not key.is_link and are_names(texts, count):
                prose += sum(len(text) for text in texts if " " in text or key.is_name)
                if title is None or (key.is_name and not key_of(title.key).is_name):
                    title = member
        if (numbers and varies and numbers * 2 >= filled and key.letters != "id") or (texts and key.is_amount):
            amounts += 2 if key.is_amount else 1
    odds = -4.0 + min(3.0, math.log2(len(array.objects) / 3))
    posts = post_keys(members, count)
    if posts is not None:
        title = next(member for member in members if member.path == posts.text)
        prose = sum(map(len, texts_of(title)))
        odds += POSTS
    elif title is not None:
        odds += 2.0 if key_of(title.key).is_name else 1.0
    odds += 1.0 * has_link + 0.8 * has_picture + 0.6 * has_date + 0.5 * min(amounts, 4)
    each = prose / max(1, count)
    odds += min(2.0, math.log2(1 + each / 30))
    words = words_of(array.path)
    last = words[-2:]
    odds += 1.0 if LISTED.intersection(last) else 0.0
    is_named = array.source in SCHEMA_SOURCES
    odds -= (
        0.0
        if posts is not None
        else 3.0
        if is_beside(array)
        else 1.5
        if not is_named and BESIDE.intersection(words)
        else 0.0
    )
    odds -= 2.0 if DETAILS.intersection(words[:-1]) else 0.0
    if len(array.objects) > 400:
        odds -= 2.0  # a dictionary, or what a search runs over
    if title is None and not strings:
        odds -= 3.0
    if array.is_map:
        odds -= 1.5  # what a program looks things up in
    if len(array.objects) < FEW:
        odds -= 1.0
    if posts is None and len(array.objects) < LEAST_OBJECTS:
        odds -= 10.0  # two things are no list
    text = prose * len(array.objects) // max(1, count)
    return Judgement(odds, text, () if title is None else title.path, posts is not None)


def titles_of(array: ObjectArray, path: tuple[str, ...]) -> list[str]:
    """What each object of an array is called, with single spaces; nothing where it is called nothing.

    >>> array = ObjectArray("state", "", [{"a": {"name": "Green  tea"}}, {"a": [{"name": "Milk"}]}, {}])
    >>> titles_of(array, ("a", "name"))
    ['Green tea', 'Milk', '']
    """
    found = []
    for value in array.objects if path else []:
        at: Any = value
        for key in path:
            if isinstance(at, list) and at:
                at = at[0]
            at = at.get(key) if isinstance(at, dict) else None
        if isinstance(at, list) and at:
            at = at[0]
        text = scalar(at)
        found.append(first_words(text) if isinstance(text, str) else "")
    return found


def first_words(text: str) -> str:
    """What a text begins with as a page shows it: all of a short one.

    >>> first_words("<p>Boil the water, <b>take</b> it from the fire, and wait for a minute before you pour the tea.")
    'Boil the water, take it from the fire, and wait for a minute before you pour'
    """
    said = plain(text) if "<" in text else " ".join(text.split())
    return said if len(said) <= LONGEST_TITLE else said[:LONGEST_TITLE].rpartition(" ")[0] or said[:LONGEST_TITLE]
