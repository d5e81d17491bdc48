"""The thing that the data of a page is about, among all that it tells of, and what it says of it.
Names are those of schema.org, made readable; what is a thing itself is told by its name, its amount or its address."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any

from fastwrap.detail.facts import Fact
from fastwrap.detail.titles import dice, words_of
from fastwrap.detail.words import INGREDIENTS, INSTRUCTIONS
from fastwrap.structured import Thing
from fastwrap.types import Money

POINTS = {
    6.0: "Recipe JobPosting",
    5.0: """
        Product ProductGroup IndividualProduct ProductModel Vehicle Car Motorcycle Book Audiobook Movie TVSeries TVEpisode
        Event MusicEvent SportsEvent TheaterEvent Festival BusinessEvent EducationEvent ExhibitionEvent Course
        CourseInstance SoftwareApplication MobileApplication WebApplication VideoGame Game MusicAlbum MusicRecording
        House Apartment SingleFamilyResidence Residence Accommodation RealEstateListing Hotel LodgingBusiness Restaurant
        Question HowTo Dataset PodcastEpisode Drug MedicalCondition TouristAttraction
    """,
    4.0: """
        LocalBusiness Store FoodEstablishment Place Physician Dentist School CollegeOrUniversity Library Museum
        Person SportsTeam MusicGroup Play Painting Photograph Service FinancialProduct TouristTrip Trip
    """,
    3.0: """
        Article NewsArticle BlogPosting TechArticle ScholarlyArticle Report OpinionNewsArticle AnalysisNewsArticle
        ReportageNewsArticle ReviewNewsArticle LiveBlogPosting AdvertiserContentArticle MedicalWebPage CreativeWork
        DiscussionForumPosting SocialMediaPosting Review CriticReview
    """,
    1.5: "VideoObject ProfilePage AboutPage ContactPage ItemPage Quotation Legislation",
}
"""By how much it counts that a thing is of a type: what has a page of its own."""
TYPE_POINTS = {name: points for points, names in POINTS.items() for name in names.split()}
HOLDERS = ("mainEntity", "mainEntityOfPage", "about", "itemReviewed", "hasVariant", "mainContentOfPage")
"""Properties of pages whose value may be the thing."""
MOST_LIKE = 3
"""Things of one type: where there are so many, the page lists them, and none of them is meant unless it is named."""
MOST_ITEMS = 400
"""Values of one property that are kept."""
MOST_FACTS = 120

NAMES = {
    "name": "title", "headline": "title", "recipeIngredient": INGREDIENTS, "ingredients": INGREDIENTS,
    "recipeInstructions": INSTRUCTIONS, "step": INSTRUCTIONS, "recipeYield": "yield", "datePublished": "date",
    "datePosted": "date", "uploadDate": "date", "articleBody": "text", "reviewBody": "text", "text": "text",
    "creator": "author", "hiringOrganization": "company", "jobLocation": "location", "address": "location",
    "baseSalary": "salary", "recipeCategory": "category", "recipeCuisine": "cuisine", "articleSection": "category",
    "keywords": "tags", "startDate": "date", "telephone": "phone", "itemCondition": "condition",
    "numberOfPages": "pages", "suitableForDiet": "diet", "tool": "tools", "supply": "supplies",
}  # fmt: skip
"""What properties are called; others by their own name, its words apart."""
ROLES = {
    "title": "title", "image": "image", "price": "price", "rating": "rating", "reviews": "reviews", "date": "date",
    "author": "author", "description": "description", "text": "description", "brand": "brand", "company": "company",
    "location": "location", "category": "category", "availability": "availability", "condition": "condition",
    "publisher": "publisher", "salary": "salary", "tags": "tags", "sku": "id", "isbn": "id", "mpn": "id", "phone": "phone",
    "email": "email", "color": "color", "language": "language",
}  # fmt: skip
RANKS = {
    "title": 0.0, "image": 5.0, "price": 10.0, "old price": 10.5, "salary": 10.5, "rating": 13.0, "reviews": 14.0, "author": 15.0, "company": 15.5,
    "date": 16.0, "brand": 17.0, "location": 18.0, "availability": 19.0, "category": 20.0, "condition": 22.0,
    "publisher": 24.0, INGREDIENTS: 40.0, INSTRUCTIONS: 41.0, "description": 46.0, "text": 55.0, "tags": 60.0,
}  # fmt: skip
SKIPPED = frozenset(
    """
    @id url mainEntityOfPage sameAs potentialAction isPartOf breadcrumb thumbnailUrl logo video review reviews
    thumbnail primaryImageOfPage comment mainEntity speakable interactionStatistic hasPart inLanguage identifier
    isAccessibleForFree copyrightHolder accountablePerson publishingPrinciples wordCount image.width subjectOf
    additionalType alternateName itemListElement relatedLink significantLink acceptedAnswer suggestedAnswer geo
    hasMap contentUrl embedUrl encoding isRelatedTo isSimilarTo hasVariant potentialaction sourceOrganization audience
    directApply commentCount copyrightYear expires contentLocation aggregateRating offers nutrition image
    productGroupID variesBy productID inProductGroupWithID upvoteCount answerCount
    """.split()
)
"""Properties that say nothing of the thing to a reader, or that are read in another way."""
DURATIONS = frozenset("totalTime cookTime prepTime performTime duration timeRequired".split())
NO_THINGS: Mapping[str, Thing] = MappingProxyType({})
CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|_")
TAG = re.compile(r"</?[a-zA-Z][^<>]{0,400}>")
BLOCK = re.compile(r"</?(?:p|li|ol|ul|br|div|h\d|tr)\b[^<>]{0,400}>|[\r\n]+", re.IGNORECASE)
DURATION = re.compile(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")


def plain(text: str) -> str:
    """A text of data as a reader would see it: without markup, its character references resolved.

    >>> plain("<p>Salt &amp; <b>oil</b></p>")
    'Salt & oil'
    """
    if "<" in text:
        text = TAG.sub(" ", text)
    if "&" in text:
        text = html.unescape(text)
    return " ".join(text.split())


def pieces(text: str) -> list[str]:
    """The paragraphs or items of a text of data.

    >>> pieces("<ol><li>Mix.</li><li>Bake.</li></ol>")
    ['Mix.', 'Bake.']
    """
    return [piece for part in BLOCK.split(text) if (piece := plain(part))]


def seconds_of(duration: str) -> int:
    """The seconds of an ISO 8601 duration; 0 for what is none.

    >>> seconds_of("PT1H20M"), seconds_of("P0DT45M"), seconds_of("45 minutes")
    (4800, 2700, 0)
    """
    match = DURATION.fullmatch(duration.strip().upper()) if len(duration) < 40 else None
    if match is None:
        return 0
    years, months, weeks, days, hours, minutes, seconds = (float(group or 0) for group in match.groups())
    total_days = 365 * years + 30 * months + 7 * weeks + days
    return int(86400 * total_days + 3600 * hours + 60 * minutes + seconds)


def in_words(duration: str) -> str:
    """An ISO 8601 duration as a reader writes it; any other text as it is.

    >>> in_words("PT1H20M"), in_words("PT1M"), in_words("1 hr")
    ('1 hour 20 minutes', '1 minute', '1 hr')
    """
    seconds = seconds_of(duration)
    if not seconds:
        return duration
    parts = []
    for name, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        if size == 86400 and seconds < 2 * size:
            continue  # 24 hours are said in hours
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {name}{'s' if count > 1 else ''}")
    return " ".join(parts)


def readable(name: str) -> str:
    """The name of a property in words.

    >>> readable("datePublished"), readable("totalTime")
    ('date', 'total time')
    """
    return NAMES.get(name) or CAMEL.sub(" ", name).strip().lower()


def points_of(thing: Thing) -> float:
    """How much the types of a thing say that it has a page of its own."""
    return max((TYPE_POINTS.get(name, 0.0) for name in thing.types), default=0.0)


def candidates(things: Iterable[Thing]) -> Iterator[Thing]:
    """The things of a page that it may be about: those at the top, and those that pages there are about."""
    for thing in things:
        yield thing
        for name in HOLDERS:
            yield from (value for value in thing.properties.get(name, ()) if isinstance(value, Thing))


def main_thing(things: Iterable[Thing], title: str) -> tuple[Thing | None, float]:
    """The thing that a page is about, and how surely: by its type, and by its name, which agrees with the title.

    >>> shop, tea = Thing(("Organization",), {"name": ["Shop"]}), Thing(("Product",), {"name": ["Green tea"]})
    >>> main_thing([shop, tea], "Green tea")[0].text("name")
    'Green tea'
    """
    found = list(candidates(things))
    counted: dict[str, int] = {}
    for thing in found:
        for name in thing.types[:1]:
            counted[name] = counted.get(name, 0) + 1
    best, chosen = 0.0, None
    words = words_of(title)
    for place, thing in enumerate(found[:2000]):
        points = points_of(thing)
        if not points:
            continue
        name = plain(thing.text("name") or thing.text("headline") or thing.text("title"))
        agrees = dice(words_of(name), words) if name else 0.0
        if counted[thing.types[0]] >= MOST_LIKE and agrees < 0.6:
            continue
        score = points + 3 * agrees + min(len(thing.properties), 20) / 20 - min(place, 20) / 100
        if points >= 3 and not name and len(thing.properties) < 3:
            score -= 4
        if score > best:
            best, chosen = score, thing
    return chosen, best


def text_of(value: Any, depth: int = 0) -> str:
    """What a value says: a thing is told by its name, its amount or its address."""
    if not isinstance(value, Thing):
        return plain(str(value)) if not isinstance(value, bool) else ("yes" if value else "no")
    if depth > 4:
        return ""
    if "PostalAddress" in value.types or "streetAddress" in value.properties or "addressLocality" in value.properties:
        keys = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")
        return ", ".join(part for key in keys if (part := text_of(value.first(key) or "", depth + 1)))
    if amount := value.text("value") or value.text("minValue"):
        until = value.text("maxValue")
        unit = value.text("unitText") or value.text("unitCode") or value.text("currency")
        return " ".join(part for part in (f"{amount} - {until}" if until and until != amount else amount, unit) if part)
    for key in ("name", "headline", "text", "url"):
        if said := value.text(key):
            return plain(said)
    for key in ("value", "address", "item"):
        inner = value.first(key)
        if isinstance(inner, Thing):
            return text_of(inner, depth + 1)
    return ""


def steps_of(values: Iterable[Any], depth: int = 0) -> list[str]:
    """The steps of instructions, in order, those of sections one after the other."""
    found: list[str] = []
    for value in values:
        if isinstance(value, Thing):
            inner = value.properties.get("itemListElement") or value.properties.get("step") or value.properties.get("steps")
            if inner and depth < 5:
                found += steps_of(inner, depth + 1)
            elif text := value.text("text") or value.text("description") or value.text("name"):
                found += pieces(text)
        elif value:
            found += pieces(str(value))
        if len(found) > MOST_ITEMS:
            break
    return found[:MOST_ITEMS]


def number_of(text: str) -> Decimal | None:
    """The number that a text of data is."""
    try:
        number = Decimal(text.strip().replace(",", "") if text.count(",") != 1 or "." in text else text.replace(",", "."))
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 16 else None


def price_facts(thing: Thing) -> Iterator[Fact]:
    """The price and the availability of a thing, by its offers."""
    for offer in thing.properties.get("offers", ())[:50]:
        if not isinstance(offer, Thing):
            continue
        details = [value for value in offer.properties.get("priceSpecification", ()) if isinstance(value, Thing)]
        inner = [value for value in offer.properties.get("offers", ()) if isinstance(value, Thing)]
        for part in (offer, *details[:2], *inner[:1]):
            text = plain(part.text("price") or part.text("lowPrice"))
            if text:
                currency = plain(part.text("priceCurrency") or offer.text("priceCurrency"))
                number = number_of(text)
                said = f"{text} {currency}".strip()
                fact = Fact("price", said, RANKS["price"], "price", {"data": "offers.price"})
                if number is not None:
                    fact.type, fact.value = "money", Money(number, currency[:3].upper() or None)
                yield fact
                break
        else:
            continue
        if said := offer.text("availability") or (inner[0].text("availability") if inner else ""):
            words = CAMEL.sub(" ", said.rstrip("/").rpartition("/")[2]).strip().lower()
            yield Fact("availability", words, RANKS["availability"], "availability", {"data": "offers.availability"})
        return


def resolved(values: Iterable[Any], by_id: Mapping[str, Thing]) -> list[Any]:
    """Values, with what is only named by its identifier in its place."""
    return [
        by_id.get(value.text("@id"), value) if isinstance(value, Thing) and list(value.properties) == ["@id"] else value
        for value in values
    ]


def facts_of(thing: Thing, by_id: Mapping[str, Thing] = NO_THINGS) -> list[Fact]:
    """What the data says of a thing; `by_id` has what it refers to.

    >>> recipe = Thing(("Recipe",), {"name": ["Tea"], "recipeIngredient": ["1 bag", "water"], "totalTime": ["PT5M"]})
    >>> [(fact.name, fact.text) for fact in facts_of(recipe)]
    [('title', 'Tea'), ('ingredients', ['1 bag', 'water']), ('total time', '5 minutes')]
    """
    found: dict[str, Fact] = {}

    def add(fact: Fact) -> None:
        if fact.text and fact.name not in found and len(found) < MOST_FACTS:
            found[fact.name] = fact

    thing = Thing(thing.types, {key: resolved(values, by_id) for key, values in thing.properties.items()})
    for key, values in thing.properties.items():
        if key in SKIPPED or key.startswith("@") or not values:
            continue
        name = readable(key)
        why = {"data": key}
        if name == INSTRUCTIONS:
            add(Fact(name, steps_of(values), RANKS[name], "", why))
            continue
        if key in DURATIONS:
            text = plain(thing.text(key))
            if not text.strip("PT0DHMS"):
                continue  # a duration of nothing
            add(Fact(name, in_words(text), 26.0, "duration", why))
            continue
        if name == "text" or key == "description":
            parts = pieces(str(values[0])) if not isinstance(values[0], Thing) else [text_of(values[0])]
            add(Fact(name, parts if len(parts) > 1 else "".join(parts), RANKS[name], "description", why))
            continue
        texts = [text for value in values[:MOST_ITEMS] if (text := text_of(value))]
        texts = list(dict.fromkeys(texts)) if name != INGREDIENTS else texts
        if not texts:
            continue
        if name == "yield":
            texts = [max(texts, key=len)]
        is_list = len(texts) > 1 or name == INGREDIENTS
        role = ROLES.get(name, "")
        add(Fact(name, texts if is_list else texts[0], RANKS.get(name, 32.0), role, why))
    for fact in (*price_facts(thing), *rating_facts(thing), *nutrition_facts(thing), *image_facts(thing)):
        add(fact)
    return list(found.values())


def rating_facts(thing: Thing) -> Iterator[Fact]:
    """The rating of a thing, and how many reviews it has."""
    rating = thing.first("aggregateRating")
    if not isinstance(rating, Thing):
        return
    value = plain(rating.text("ratingValue"))
    number = number_of(value) if value else None
    if number is not None and number > 0:
        yield Fact("rating", value, RANKS["rating"], "rating", {"data": "aggregateRating.ratingValue"})
    for key in ("reviewCount", "ratingCount"):
        if count := plain(rating.text(key)):
            yield Fact("reviews", count, RANKS["reviews"], "reviews", {"data": f"aggregateRating.{key}"})


def nutrition_facts(thing: Thing) -> Iterator[Fact]:
    """What a recipe says of its nutrition."""
    nutrition = thing.first("nutrition")
    if isinstance(nutrition, Thing):
        for key, values in list(nutrition.properties.items())[:30]:
            if not key.startswith("@") and values and (text := text_of(values[0])):
                yield Fact(readable(key), text, 48.0, "", {"data": f"nutrition.{key}"})


def image_facts(thing: Thing) -> Iterator[Fact]:
    """The first picture of a thing."""
    for value in thing.properties.get("image", ())[:5]:
        address = value.text("url") or value.text("contentUrl") if isinstance(value, Thing) else str(value)
        if address:
            yield Fact("image", address.strip(), RANKS["image"], "image", {"data": "image"}, kind="src")
            return


META: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("title", "og:title", plain),
    ("image", "og:image", str.strip),
    ("description", "og:description", plain),
    ("description", "description", plain),
    ("price", "product:price:amount", plain),
    ("price", "og:price:amount", plain),
    ("author", "author", plain),
    ("date", "article:published_time", plain),
)
"""What `meta` elements say of the thing: the fact, the name, and how the text is read."""


def meta_facts(meta: dict[str, list[str]]) -> list[Fact]:
    """What the `meta` elements of a page say of the thing that it is about.

    >>> [(fact.name, fact.text) for fact in meta_facts({"og:title": ["Tea"], "author": ["Ann"]})]
    [('title', 'Tea'), ('author', 'Ann')]
    """
    found: dict[str, Fact] = {}
    for name, key, read in META:
        if name in found or not meta.get(key) or not (text := read(meta[key][0])):
            continue
        if name == "author" and (text.startswith("http") or len(text) > 80):
            continue
        kind = "src" if name == "image" else "text"
        fact = found[name] = Fact(name, text, RANKS[name], ROLES[name], {"data": key}, kind=kind)
        if name == "price" and (number := number_of(text)) is not None:
            currency = plain((meta.get(key.replace("amount", "currency")) or [""])[0])
            fact.text = f"{text} {currency}".strip()
            fact.type, fact.value = "money", Money(number, currency[:3].upper() or None)
    return list(found.values())


def meta_says(meta: dict[str, list[str]]) -> float:
    """Whether the Open Graph type of a page is that of one thing (1), or that of a site (-1); 0 for neither.

    >>> meta_says({"og:type": ["article"]}), meta_says({"og:type": ["product.group"]}), meta_says({})
    (1.0, -1.0, 0.0)
    """
    kind = (meta.get("og:type") or [""])[0].lower()
    if "group" in kind or kind in ("website", "blog", "object"):
        return -1.0
    return 1.0 if kind and "profile" not in kind else 0.0
