"""Sites of pages about one thing, made up: random templates, random optional parts, and what was put into each page.
Every site has its own way to write labels and values, and everything around them that real pages have."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from html import escape

WORDS = (
    "amber birch canyon delta ember falcon garnet harbor indigo juniper kestrel lantern meadow nectar orchid pebble "
    "quartz raven saffron timber umber velvet willow yonder zephyr marble copper silver walnut cedar"
).split()
NAMES = "Ada Ben Cleo Dan Eva Finn Gus Hal Ida Jon Kim Lea Max Nia Otto Pia Quinn Rob Sue Tom".split()
SURNAMES = "Archer Baker Cooper Draper Fisher Gardner Hunter Mason Porter Sawyer Turner Weaver".split()
MONTHS = "January March May July September November".split()

VERTICALS = {
    "book": ("Author", "Publisher", "ISBN", "Published", "Pages", "Format", "Language", "Series"),
    "product": ("Brand", "Model", "Weight", "Color", "Warranty", "Material", "Country of origin", "Batteries"),
    "person": ("Born", "Residence", "Height", "Team", "Position", "College", "Nickname", "Agent"),
    "job": ("Company", "Location", "Salary", "Contract", "Posted", "Reference", "Department", "Travel"),
    "house": ("Bedrooms", "Bathrooms", "Area", "Built", "Heating", "Parking", "Tax", "Energy class"),
    "event": ("Date", "Venue", "City", "Organiser", "Doors", "Tickets", "Age limit", "Support"),
}
LAYOUTS = (
    "dl", "table", "items", "lines", "divs", "paragraphs", "header cells", "bold lines", "rows in font", "spans",
    "headings", "linked", "named cells", "nested tables",
)  # fmt: skip
EXTRA_LABELS = ("Handling note", "Catalogue", "Imprint code")


def number(rng: random.Random, digits: int) -> str:
    return str(rng.randrange(10 ** (digits - 1), 10**digits))


def value_for(rng: random.Random, label: str) -> str:
    """A value that a page might have behind a label."""
    if label in ("Format", "Contract", "Heating", "Energy class", "Language", "Color", "Position"):
        return rng.choice(["Standard", "Large", "Compact"])  # often the same on several pages
    kind = rng.randrange(5)
    if kind == 0:
        return f"{rng.choice(NAMES)} {rng.choice(SURNAMES)}"
    if kind == 1:
        return number(rng, 6)
    if kind == 2:
        return f"{rng.choice(MONTHS)} {rng.randrange(1, 28)}, {rng.randrange(1960, 2025)}"
    if kind == 3:
        return f"{rng.randrange(1, 400)} {rng.choice(['kg', 'cm', 'm2'])}"
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 4))).capitalize()


@dataclass
class Made:
    """A page, and what was put into it."""

    html: str
    fields: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)
    """Labels that no page of the site had when it was learned."""


class Site:
    """A template with its habits; `page` makes pages of it."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = random.Random(f"site {seed}")
        self.seed = seed
        self.vertical = rng.choice(sorted(VERTICALS))
        labels = list(VERTICALS[self.vertical])
        rng.shuffle(labels)
        self.labels = labels[: rng.randrange(4, 9)]
        self.optional = {label for label in self.labels[2:] if rng.random() < 0.4}
        self.layout = rng.choice(LAYOUTS)
        self.colon = rng.choice([":", ":", ""]) if self.layout not in ("lines", "paragraphs") else ":"
        self.classes = rng.random() < 0.6
        self.heading = rng.choice(["h1", "h1", "h2", "div class=title", "td"])
        self.moving = rng.random() < 0.3
        """Whether the rows come in any order."""
        self.has = {
            part: rng.random() < 0.6
            for part in ("price", "image", "description", "features", "reviews", "related", "ad", "crumbs", "byline")
        }
        self.name = f"{rng.choice(WORDS)}{rng.choice(WORDS)}.example"
        self.menu = rng.sample(WORDS, 5)

    def mark(self, name: str) -> str:
        """A class attribute, on sites that have them."""
        return f' class="{name}"' if self.classes else ""

    def rows(self, pairs: list[tuple[str, str]]) -> str:
        """Labels and values in the layout of the site."""
        c = self.colon
        pairs = [(escape(label), escape(value)) for label, value in pairs]
        if self.layout == "dl":
            inner = "".join(f"<dt>{label}{c}</dt><dd>{value}</dd>" for label, value in pairs)
            return f"<dl{self.mark('facts')}>{inner}</dl>"
        if self.layout == "table":
            inner = "".join(f"<tr><td>{label}{c}</td><td>{value}</td></tr>" for label, value in pairs)
            return f"<table{self.mark('specs')}>{inner}</table>"
        if self.layout == "header cells":
            inner = "".join(f"<tr><th>{label}{c}</th><td>{value}</td></tr>" for label, value in pairs)
            return f"<table>{inner}</table>"
        if self.layout == "items":
            inner = "".join(f"<li><strong>{label}</strong>{c} {value}</li>" for label, value in pairs)
            return f"<ul{self.mark('details')}>{inner}</ul>"
        if self.layout == "lines":
            return f"<div{self.mark('info')}>{''.join(f'{label}: {value}<br>' for label, value in pairs)}</div>"
        if self.layout == "bold lines":
            return f"<p>{''.join(f'<b>{label}{c}</b> {value}<br>' for label, value in pairs)}</p>"
        if self.layout == "paragraphs":
            return "".join(f"<p{self.mark('fact')}>{label}: {value}</p>" for label, value in pairs)
        if self.layout == "rows in font":
            inner = "".join(
                f'<tr><td bgcolor="#eee"><font size=2>{label}</font></td><td><font size=2>{value}</font></td></tr>'
                for label, value in pairs
            )
            return f"<table border=0>{inner}</table>"
        if self.layout == "spans":
            inner = "".join(f"<li><span>{label}{c}</span><span>{value}</span></li>" for label, value in pairs)
            return f"<ul>{inner}</ul>"
        if self.layout == "headings":
            return "".join(f"<h5>{label}</h5><p>{value}</p>" for label, value in pairs)
        if self.layout == "linked":
            inner = "".join(f'<li>{label}: <a href="/s/{value[:3]}">{value}</a></li>' for label, value in pairs)
            return f"<ul{self.mark('facts')}>{inner}</ul>"
        if self.layout == "named cells":
            inner = "".join(
                f'<tr class="fact"><td class="name">{label}{c}</td><td class="data"><span>{value}</span></td></tr>'
                for label, value in pairs
            )
            return f"<table>{inner}</table>"
        if self.layout == "nested tables":
            inner = "".join(
                f"<tr><td><table><tr><td><b>{label}</b></td><td>&nbsp;</td><td>{value}</td></tr></table></td></tr>"
                for label, value in pairs
            )
            return f"<table width=600><tr><td width=20></td><td><table>{inner}</table></td></tr></table>"
        inner = "".join(
            f'<div class="row"><div class="label">{label}{c}</div><div class="value">{value}</div></div>'
            for label, value in pairs
        )
        return f'<div class="attributes">{inner}</div>'

    def page(self, number_of_page: int, unknown: bool = False) -> Made:
        """A page of the site; with `unknown`, one of its labels is new."""
        rng = random.Random(f"page {self.seed} {number_of_page}")
        made = Made("")
        title = " ".join(rng.choice(WORDS) for _ in range(rng.randrange(2, 5))).title() + f" {number_of_page}"
        made.fields["title"] = title
        labels = [label for label in self.labels if label not in self.optional or rng.random() < 0.6]
        if self.moving:
            rng.shuffle(labels)
        pairs = [(label, value_for(rng, label)) for label in labels]
        made.fields |= dict(pairs)
        if unknown:
            made.unknown = {rng.choice(EXTRA_LABELS): number(rng, 5)}
            pairs[rng.randrange(len(pairs)) : 0] = []
            pairs.insert(rng.randrange(len(pairs) + 1), next(iter(made.unknown.items())))
        parts = [self.top(made, rng), self.head(made, title, rng)]
        body = [self.rows(pairs)]
        if self.has["description"]:
            body.append(f"<div{self.mark('description')}>{self.prose(rng)}</div>")
        if self.has["features"]:
            made.lists["features"] = [f"{rng.choice(WORDS)} {number(rng, 3)}" for _ in range(rng.randrange(2, 7))]
            items = "".join(f"<li>{item}</li>" for item in made.lists["features"])
            body.append(f"<h3>Features</h3><ul{self.mark('features')}>{items}</ul>")
        if self.has["reviews"]:
            body.append(self.reviews(made, rng))
        parts += [f"<div{self.mark('main')}>{''.join(body)}</div>", self.bottom(rng)]
        made.html = (
            f"<!doctype html><html lang=en><head><title>{title} - {self.name}</title></head>"
            f"<body>{''.join(parts)}</body></html>"
        )
        return made

    def top(self, made: Made, rng: random.Random) -> str:
        """What stands above the thing."""
        menu = "".join(f'<li><a href="/{word}">{word.title()}</a></li>' for word in self.menu)
        ad = (
            f'<div class="ad"><a href="/ad/{number(rng, 5)}">{rng.choice(WORDS)} sale</a></div>'
            if self.has["ad"]
            else ""
        )
        crumbs = ""
        if self.has["crumbs"]:
            crumbs = f'<div class="breadcrumbs"><a href="/">Home</a> &gt; <a href="/c">{rng.choice(WORDS)}</a></div>'
        return f'<div id="nav"><ul>{menu}</ul></div>{ad if rng.random() < 0.7 else ""}{crumbs}'

    def head(self, made: Made, title: str, rng: random.Random) -> str:
        """The title, the picture, who it is by, the price."""
        if self.heading == "td":
            text = f"<table width=600><tr><td><font size=4><b>{title}</b></font></td></tr></table>"
        else:
            text = f"<{self.heading}>{title}</{self.heading.split()[0]}>"
        if self.has["byline"]:
            people = [f"{rng.choice(NAMES)} {rng.choice(SURNAMES)}" for _ in range(rng.choice([1, 1, 2, 3]))]
            made.lists["people"] = people
            links = " and ".join(f'<a href="/who/{number(rng, 4)}">{person}</a>' for person in people)
            text += f"<h4{self.mark('byline')}>by {links}</h4>"
        if self.has["image"]:
            made.fields["image"] = f"/img/{number(rng, 6)}.jpg"
            text += f'<p><img src="{made.fields["image"]}" width=200 height=200></p>'
        if self.has["price"]:
            made.fields["price"] = f"${rng.randrange(5, 900)}.{rng.randrange(10, 99)}"
            text += f"<p{self.mark('price')}>Price: {made.fields['price']}</p>"
        return text

    def prose(self, rng: random.Random) -> str:
        """Paragraphs, some with formatting in them."""
        found = []
        for _ in range(rng.randrange(1, 4)):
            words = [rng.choice(WORDS) for _ in range(rng.randrange(15, 40))]
            for _ in range(rng.randrange(3)):
                k = rng.randrange(len(words))
                words[k] = rng.choice(["<b>{}</b>", "<i>{}</i>", "{}<br>"]).format(words[k])
            found.append(f"<p>{' '.join(words).capitalize()}.</p>")
        return "".join(found)

    def reviews(self, made: Made, rng: random.Random) -> str:
        """A list of reviews, each with a name, a grade and a text."""
        count = rng.randrange(0, 4)
        made.lists["reviewers"] = [f"{rng.choice(NAMES)}{number(rng, 3)}" for _ in range(count)]
        each = "".join(
            f'<div class="review"><b>{who}</b><span class="stars">{rng.randrange(1, 6)} of 5</span>'
            f"<p>{' '.join(rng.choice(WORDS) for _ in range(12))}</p></div>"
            for who in made.lists["reviewers"]
        )
        return f"<h3>Reviews</h3><div{self.mark('reviews')}>{each}</div>"

    def bottom(self, rng: random.Random) -> str:
        """Related things and the footer."""
        related = ""
        if self.has["related"]:
            items = "".join(
                f'<div class="item"><a href="/p/{number(rng, 5)}"><img src="/t/{number(rng, 5)}.jpg">'
                f"{rng.choice(WORDS)} {rng.choice(WORDS)}</a><span>${rng.randrange(5, 99)}</span></div>"
                for _ in range(rng.randrange(3, 7))
            )
            related = f'<div class="related"><h3>You may also like</h3>{items}</div>'
        links = "".join(f'<a href="/{word}">{word}</a> | ' for word in ("about", "contact", "privacy", "jobs"))
        return f'{related}<div id="footer">{links}<p>Copyright 2024 {self.name}. All rights reserved.</p></div>'
