"""Random catalogues on several sites, with the truth: products, books, jobs and places, which each site writes its way.
Titles lose, move and gain words, prices differ, fields are missing, and things have variants that are other things."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

BRANDS = (
    "Acmera Boltix Cravon Delmar Ekoland Fintas Gorvik Halden Ivaro Jontex Kestrel Lumora Mavik Nordal Orvent Pellan "
    "Quorva Rastik Solvey Tarvin Ulmer Varden Wexley Xandor Yorvik Zelmar"
).split()
NOUNS = (
    "Kettle;Toaster;Blender;Coffee Machine;Hand Mixer;Slow Cooker;Frying Pan;Stock Pot;Vacuum Cleaner;Steam Iron;"
    "Desk Lamp;Air Purifier;Water Filter;Food Processor;Electric Grill;Rice Cooker;Wine Cooler;Ice Maker;Juicer;"
    "Waffle Maker;Bread Knife;Cutting Board;Storage Jar;Thermos Flask;Lunch Box;Spice Rack;Salad Bowl;Baking Tray"
).split(";")
ADJECTIVES = (
    "Compact Classic Digital Stainless Premium Rapid Silent Ceramic Cordless Professional Portable Smart".split()
)
COLOURS = "black white silver red blue green copper cream".split()
EXTRA = ("NEW", "Original", "Special Offer", "with warranty", "Top Quality", "Bestseller", "Free Shipping")
SIZES = {
    "ml": (500, 750, 1000, 1200, 1500, 1700, 2000, 3000),
    "g": (250, 400, 500, 750, 1000),
    "mm": (160, 200, 240, 280),
}

FIRST = "Ada Ben Clara Daniel Elif Felix Greta Hugo Ines Jonas Katja Liam Mona Nils Olga Paul Rosa Simon Tara".split()
LAST = "Abel Brandt Cole Dunn Ekström Fischer Grant Hale Ivers Jensen Keller Lindt Moreau Novak Ortiz Petrov".split()
TOPIC = (
    "Rivers Gardens Engines Empires Islands Winters Machines Letters Shadows Markets Mountains Bridges Harbours".split()
)
OF = "Lost Silent Hidden Broken Distant Golden Burning Forgotten Northern Secret Endless Modern Ancient".split()
PLACE = "Lisbon Prague Oslo Vienna Naples Riga Ghent Porto Bergen Krakow Leipzig Basel Turin Malmo".split()
PUBLISHERS = "Harbour Press;Northgate Books;Linden House;Redwood Editions;Clearwater Publishing;Old Mill Press".split(
    ";"
)

JOBS = (
    "Software Engineer;Data Analyst;Nurse;Electrician;Project Manager;Accountant;Sales Manager;Clerk;Teacher;Cook"
).split(";")
LEVELS = "Junior;Senior;Lead;Trainee;".split(";")
TEAMS = "Payments;Logistics;Search;Platform;Paediatrics;Export;Maintenance;Field Service;Night Shift;Research".split(
    ";"
)


@dataclass(frozen=True)
class Thing:
    """One thing, as nobody writes it."""

    number: int
    fields: dict[str, str]
    amount: float = 0.0


@dataclass
class Site:
    """What a site has: the fields of its records by their names on the site, and which things they are."""

    name: str
    truth: list[int] = field(default_factory=list)
    """By record, the number of the thing."""
    rows: list[dict[str, str]] = field(default_factory=list)
    meaning: dict[str, str] = field(default_factory=dict)
    """By name on the site, which field of things it is."""

    @property
    def url(self) -> str:
        """The address of the listing."""
        return f"https://{self.name}.example/list"

    def link(self, record: int) -> str:
        """The address of a detail page, as the listing writes it."""
        return f"/item/{(self.truth[record] + 13) * (7 + ord(self.name[0]))}-x"

    def shown(self, record: int, meaning: str) -> str:
        """What a record has for a field of things."""
        return next((text for name, text in self.rows[record].items() if self.meaning[name] == meaning), "")

    def listing(self, linked: bool = True, fields: tuple[str, ...] = (), cut: int = 0) -> str:
        """The page with the list: of these fields only, if any are given, and with titles cut off at a length."""
        rows = []
        for number, row in enumerate(self.rows):
            cells = []
            for name, text in row.items():
                if fields and self.meaning[name] not in fields:
                    continue
                is_title = self.meaning[name] == "title"
                shown = escape(text[:cut].strip() + " …" if is_title and 0 < cut < len(text) else text)
                if is_title and linked:
                    shown = f'<a href="{self.link(number)}">{shown}</a>'
                cells.append(f'<div class="{name}">{shown}</div>')
            rows.append(f"<li class=item>{''.join(cells)}</li>")
        return f"<html lang=en><body><h2>All items</h2><ul class=items>{''.join(rows)}</ul></body></html>"

    def detail(self, record: int, rng: random.Random, related: int = 3) -> str:
        """The page of one record, with labels, and a box of other things."""
        row = self.rows[record]
        title, price = self.shown(record, "title"), self.shown(record, "price")
        facts = {LABELS[self.meaning[name]]: text for name, text in row.items() if self.meaning[name] in LABELS}
        facts |= {"Warranty": f"{rng.randint(1, 5)} years", "Stock number": f"S{record * 31 + 7:05d}"}
        labelled = "".join(f"<tr><th>{label}</th><td>{escape(text)}</td></tr>" for label, text in facts.items())
        others = "".join(
            f"<li><a href='{self.link(other)}'>{escape(self.shown(other, 'title'))}</a></li>"
            for other in rng.sample(range(len(self.rows)), min(related, len(self.rows)))
            if other != record
        )
        return (
            f"<html lang=en><head><title>{escape(title)} | {self.name}</title></head><body><h1>{escape(title)}</h1>"
            f"{'<p class=price>' + escape(price) + '</p>' if price else ''}<table class=facts>{labelled}</table>"
            f"<h2>You may also like</h2><ul>{others}</ul></body></html>"
        )


LABELS = {
    "brand": "Brand", "rating": "Rating", "ean": "EAN", "author": "Author", "publisher": "Publisher", "year": "Year",
    "isbn": "ISBN", "company": "Company", "location": "Location", "salary": "Salary", "date": "Posted",
    "cuisine": "Cuisine", "street": "Street", "phone": "Telephone",
}  # fmt: skip
"""By field, what detail pages call it; titles and prices have no label."""


def products(rng: random.Random, count: int) -> list[Thing]:
    """Products, a third of them in another size or colour as well."""
    found: list[Thing] = []
    while len(found) < count:
        unit = rng.choice(list(SIZES))
        code = "".join(rng.choices("ABCDEFGHKLMNPRSTVWX", k=2)) + "-" + str(rng.randint(10, 999))
        base = {
            "brand": rng.choice(BRANDS), "noun": rng.choice(NOUNS), "adjective": rng.choice(ADJECTIVES),
            "code": code if rng.random() < 0.6 else "", "colour": rng.choice(COLOURS), "unit": unit,
            "size": str(rng.choice(SIZES[unit])), "ean": str(rng.randint(4_000_000_000_000, 4_999_999_999_999)),
            "rating": f"{rng.uniform(2.5, 5):.1f}",
        }  # fmt: skip
        price = round(rng.lognormvariate(3.6, 0.8), 2) + 1
        found.append(Thing(len(found), base, price))
        variants = {(base["size"], base["colour"])}
        while rng.random() < 0.35:
            other = {**base, "ean": str(rng.randint(4_000_000_000_000, 4_999_999_999_999))}
            if rng.random() < 0.7:
                other["size"] = str(rng.choice([size for size in SIZES[unit] if str(size) != base["size"]]))
            else:
                other["colour"] = rng.choice([colour for colour in COLOURS if colour != base["colour"]])
            if (other["size"], other["colour"]) not in variants:
                variants.add((other["size"], other["colour"]))
                found.append(Thing(len(found), other, price * rng.uniform(0.8, 1.4)))
    return found[:count]


def books(rng: random.Random, count: int) -> list[Thing]:
    """Books, some of them in a second edition."""
    found: list[Thing] = []
    while len(found) < count:
        title = f"The {rng.choice(OF)} {rng.choice(TOPIC)} of {rng.choice(PLACE)}"
        base = {
            "title": title, "author": f"{rng.choice(FIRST)} {rng.choice(LAST)}", "publisher": rng.choice(PUBLISHERS),
            "year": str(rng.randint(1970, 2025)), "isbn": str(rng.randint(9_780_000_000_000, 9_789_999_999_999)),
            "pages": str(rng.randint(90, 800)), "edition": "",
        }  # fmt: skip
        found.append(Thing(len(found), base, round(rng.uniform(6, 45), 2)))
        if rng.random() < 0.2:
            second = {**base, "edition": "2nd edition", "year": str(int(base["year"]) + rng.randint(2, 9)),
                "isbn": str(rng.randint(9_780_000_000_000, 9_789_999_999_999))}  # fmt: skip
            found.append(Thing(len(found), second, round(rng.uniform(6, 45), 2)))
    return found[:count]


def jobs(rng: random.Random, count: int) -> list[Thing]:
    """Jobs: many have the same title, in another town or of another company."""
    companies = [f"{rng.choice(BRANDS)} {rng.choice(('GmbH', 'Ltd', 'Group', 'Systems', 'Care'))}" for _ in range(30)]
    return [
        Thing(
            number,
            {
                "level": rng.choice(LEVELS),
                "job": rng.choice(JOBS),
                "team": rng.choice(TEAMS),
                "company": rng.choice(companies),
                "city": rng.choice(PLACE),
                "date": f"2026-{rng.randint(1, 10):02d}-{rng.randint(1, 28):02d}",
            },
            float(rng.randint(28, 120) * 1000),
        )
        for number in range(count)
    ]


def places(rng: random.Random, count: int) -> list[Thing]:
    """Restaurants: some of them are of a chain, with one name in several streets."""
    found: list[Thing] = []
    while len(found) < count:
        name = rng.choice((f"{rng.choice(LAST)}'s {rng.choice(KITCHENS)}", f"{rng.choice(OF)} {rng.choice(ANIMALS)}"))
        cuisine = rng.choice(CUISINES)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            fields = {
                "name": name, "cuisine": cuisine, "house": str(rng.randint(1, 180)), "street": rng.choice(TOPIC),
                "city": rng.choice(PLACE[:3]), "phone": f"0{rng.randint(20, 89)} {rng.randint(100_000, 999_999)}",
            }  # fmt: skip
            found.append(Thing(len(found), fields))
    return found[:count]


def written_place(rng: random.Random, thing: Thing, style: int) -> dict[str, str]:
    """A restaurant as a site of this style writes it."""
    fields = thing.fields
    name = fields["name"]
    if style == 1:
        name = name.replace("'s", "s") + (" Restaurant" if rng.random() < 0.4 else "")
    elif style == 2 and rng.random() < 0.4:
        name = f"{name} {fields['city']}"
    street, house = fields["street"][:-1], fields["house"]
    written = {
        "title": name,
        "street": (f"{house} {street} Street", f"{street} St. {house}", f"{house} {street} St")[style],
        "location": fields["city"],
    }
    if rng.random() < 0.8:
        written["cuisine"] = fields["cuisine"] if style != 2 else fields["cuisine"].lower()
    if rng.random() < 0.6:
        phone = fields["phone"]
        written["phone"] = (phone, phone.replace(" ", "/"), f"+49 {phone[1:]}")[style]
    return written


KITCHENS = "Kitchen Diner Grill Table Bistro Cantina".split()
ANIMALS = "Fox Heron Whale Lion Goose Stag Salmon Hare".split()
CUISINES = "Italian French Thai Indian Mexican Greek Korean".split()

DOMAINS: dict[str, Callable[[random.Random, int], list[Thing]]] = {
    "products": products,
    "books": books,
    "jobs": jobs,
    "places": places,
}

PRICES: tuple[Callable[[float], str], ...] = (
    lambda amount: f"{amount:.2f} EUR",
    lambda amount: f"{amount:_.2f} €".replace(".", ",").replace("_", "."),
    lambda amount: f"€{amount:,.2f}",
)


def measure(size: str, unit: str, style: int) -> str:
    """A size as a site writes it."""
    number = float(size)
    if unit == "ml" and number >= 1000 and style != 1:
        return f"{number / 1000:g} l" if style == 0 else f"{number / 1000:g}L".replace(".", ",")
    if unit == "g" and number >= 1000 and style == 2:
        return f"{number / 1000:g}kg"
    if unit == "mm":
        return f"{number / 10:g} cm" if style else f"{size} mm"
    return f"{size}{unit}" if style == 1 else f"{size} {unit}"


def typo(rng: random.Random, word: str) -> str:
    """A word with two letters exchanged."""
    if len(word) < 6:
        return word
    place = rng.randint(1, len(word) - 3)
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def written_product(rng: random.Random, thing: Thing, style: int) -> dict[str, str]:
    """A product as a site of this style writes it."""
    fields = thing.fields
    size = measure(fields["size"], fields["unit"], style)
    code = fields["code"] if style == 0 else fields["code"].replace("-", "" if style == 1 else " ")
    noun = fields["noun"]
    if style == 2 and rng.random() < 0.3:
        first, _, rest = noun.partition(" ")
        noun = f"{first[:4]}. {rest}" if rest else noun
    words = [fields["adjective"], noun, code, size]
    if style != 2 or rng.random() < 0.7:
        words.append(fields["colour"])
    if style == 0:
        words.insert(0, fields["brand"])
    elif style == 1:
        words.append(fields["brand"])
    if rng.random() < 0.15:
        words.remove(fields["adjective"])
    if rng.random() < 0.2:
        words.append(rng.choice(EXTRA))
    if rng.random() < 0.08:
        words[0] = typo(rng, words[0])
    title = " ".join(filter(None, words))
    written = {"title": title.upper() if style == 1 and rng.random() < 0.5 else title}
    if style == 2:
        written["brand"] = fields["brand"]
    written["price"] = PRICES[style](thing.amount * (rng.uniform(0.9, 1.12) if style else 1.0))
    written["rating"] = (
        f"{min(5.0, max(1.0, float(fields['rating']) + (rng.uniform(-0.6, 0.6) if style else 0))):.1f} out of 5"
    )
    if style != 1 and rng.random() < 0.6:
        written["ean"] = fields["ean"]
    return written


def written_book(rng: random.Random, thing: Thing, style: int) -> dict[str, str]:
    """A book as a site of this style writes it."""
    fields = thing.fields
    first, last = fields["author"].split()
    title = fields["title"]
    if style == 1 and rng.random() < 0.5:
        title = title.removeprefix("The ") + ", The"
    if fields["edition"]:
        title += (" (2nd edition)", ", 2. ed.", " - 2nd ed")[style]
    if rng.random() < 0.1:
        title += (": A Novel", " (Paperback)", " [Hardcover]")[style]
    written = {
        "title": title,
        "author": (f"{first} {last}", f"{last}, {first}", f"{first[0]}. {last}")[style],
        "price": PRICES[style](thing.amount * (rng.uniform(0.8, 1.2) if style else 1.0)),
    }
    if style != 2:
        written["publisher"] = fields["publisher"]
    if rng.random() < 0.85:
        written["year"] = fields["year"]
    if style != 1 and rng.random() < 0.5:
        written["isbn"] = fields["isbn"]
    return written


def written_job(rng: random.Random, thing: Thing, style: int) -> dict[str, str]:
    """A job as a site of this style writes it."""
    fields = thing.fields
    title = " ".join(filter(None, (fields["level"], fields["job"])))
    if style == 0:
        title += f" {fields['team']} (m/f/d)"
    elif style == 1:
        title += f" - {fields['team']}"
    else:
        title = f"{title} | {fields['team']}" + (" | urgent" if rng.random() < 0.2 else "")
    company = fields["company"]
    written = {
        "title": title,
        "company": company if style == 0 else company.upper() if style == 1 else company.rsplit(" ", 1)[0],
        "location": fields["city"] if style != 2 else f"{fields['city']}, EU",
    }
    if rng.random() < 0.6:
        written["salary"] = (f"{thing.amount:,.0f} EUR", f"€{thing.amount:,.0f}", f"{thing.amount:.0f} EUR")[style]
    written["date"] = fields["date"]
    return written


WRITERS = {"products": written_product, "books": written_book, "jobs": written_job, "places": written_place}

CALLED = (
    {"title": "title", "price": "price", "brand": "brand", "rating": "rating", "ean": "ean", "author": "author",
     "publisher": "publisher", "year": "year", "isbn": "isbn", "company": "company", "location": "location",
     "salary": "salary", "date": "date", "cuisine": "cuisine", "street": "address", "phone": "phone"},
    {"title": "name", "price": "cost", "brand": "marke", "rating": "stars", "ean": "gtin", "author": "writer",
     "publisher": "verlag", "year": "jahr", "isbn": "isbn13", "company": "employer", "location": "city",
     "salary": "gehalt", "date": "posted_on", "cuisine": "kitchen", "street": "street", "phone": "telefon"},
    {"title": "c1", "price": "c2", "brand": "c3", "rating": "c4", "ean": "c5", "author": "c6", "publisher": "c7",
     "year": "c8", "isbn": "c9", "company": "d1", "location": "d2", "salary": "d3", "date": "d4", "cuisine": "d5",
     "street": "d6", "phone": "d7"},
)  # fmt: skip
"""By style of a site, the classes of its fields: English, another language, and none that say anything."""


def sites(domain: str, seed: int, count: int = 60, share: float = 0.65, styles: tuple[int, ...] = (0, 1)) -> list[Site]:
    """Sites that have each a share of the same things, in an order of their own."""
    rng = random.Random(f"{domain} {seed}")
    things = DOMAINS[domain](rng, count)
    found = []
    for number, style in enumerate(styles):
        site = Site(f"{'abcdef'[number]}{domain}")
        chosen = [thing for thing in things if rng.random() < share]
        rng.shuffle(chosen)
        for thing in chosen:
            written = WRITERS[domain](rng, thing, style)
            site.truth.append(thing.number)
            site.rows.append({CALLED[style][name]: text for name, text in written.items()})
        site.meaning = {name: meaning for meaning, name in CALLED[style].items()}
        found.append(site)
    return found
