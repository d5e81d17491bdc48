"""Random lists as sites have them: records of one template, with prices, dates, labels, links, images and broken lines.
What a part says is the same in all records, one of a few things, another one each time, or what another part says."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

WORDS = """
    pan pot enamel copper kettle brush new used blue small the of in with for and oak chair lamp Über Café été 日本 茶碗
    walnut wool wide tall review city Berlin Lyon
    """.split()
FIXED = (
    "Add to cart", "Buy", "New", "Price:", "Ort：", "Author", "by", "♡", "|", "–", "/", "(", "€", "EUR", "$", "kr.",
    "SALE", "Read more", "in stock", "Reviews", "-", "zł", "{}", "Was", "·",
)  # fmt: skip
TAGS = (
    "b",
    "i",
    "span",
    "em",
    "p",
    "div",
    "strong",
    "h3",
    "small",
    "sup",
    "label",
    "button",
    "x-new",
    "time",
    "section",
)


def words(chance: random.Random, least: int = 1, most: int = 5) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(least, most)))


def amount(chance: random.Random) -> str:
    number = chance.choice([1, 9, 12, 40, 199, 1299, 12999])
    return chance.choice(
        [f"{number}", f"{number}.50", f"{number},9", f"{number:,}.00", f"{number:,}".replace(",", ".")]
    )


VALUES: tuple[Callable[[random.Random], str], ...] = (
    words,
    words,
    lambda chance: words(chance, 1, 2),
    lambda chance: words(chance, 8, 30),
    amount,
    lambda chance: chance.choice(
        ["${}", "{} €", "EUR {}", "{} kr", "Rs {}", "£{}", "US$ {} each", "{}¥", "{}￥"]
    ).format(amount(chance)),
    lambda chance: f"{chance.choice(['', '-', '- ', 'save '])}{chance.randint(1, 99)}%",
    lambda chance: chance.choice(
        ["{d} May 2024", "2024-05-{d}", "{d}.12.2023", "Oct {d}", "{d}/3/24", "dez {d}"]
    ).format(d=chance.randint(1, 28)),
    lambda chance: f"{chance.randint(0, 23)}:{chance.randint(10, 59)}{chance.choice(['', ' pm', ' Uhr'])}",
    lambda chance: chance.choice(["({}) reviews", "{} bids", "{}k+ views so", "{} of {}", "{}, {} km", "{}"]).format(
        chance.randint(0, 5000), chance.randint(0, 9)
    ),
    lambda chance: f"{chance.choice(['Phone', 'Ref', 'Maß'])}{chance.choice([': ', '：', ' '])}{chance.randint(1, 99)}",
    lambda chance: chance.choice(["me@example.org", "https://example.org/a", "www.example.org", "a@b c"]),
    lambda chance: chance.choice(["★★★★☆", "4.5", "4.5 of 5", "😀", "😀 1", "…", '{"a": 1}', "[1:2]", "12:3", "1.2.3"]),
    lambda chance: "".join(chance.choice("aA1 .,:%$€-/(@é日★😀") for _ in range(chance.randint(1, 12))).strip() or "-",
)


@dataclass
class Value:
    """What a part says in each record."""

    mode: str
    make: Callable[[random.Random], str]
    few: list[str]
    said: list[str] = field(default_factory=list)

    def next(self, chance: random.Random, others: list[Value]) -> str:
        if self.mode == "copy" and others and (seen := chance.choice(others[-2:]).said):
            text = seen[-1]
            text = chance.choice(
                [text, text, text.upper(), " ".join(text.split()[:3]), f"{text} {words(chance, 1, 2)}"]
            )
        else:
            text = self.few[0] if self.mode == "fixed" else chance.choice(self.few)
            if self.mode == "varied" or (self.mode == "nearly" and chance.random() < 0.1):
                text = self.make(chance)
        self.said.append(text)
        return text


def new_value(chance: random.Random) -> Value:
    mode = chance.choice(["varied", "varied", "varied", "few", "nearly", "fixed", "copy"])
    make = chance.choice(VALUES)
    few = [chance.choice(FIXED) if chance.random() < 0.6 else make(chance) for _ in range(chance.choice([1, 2, 3, 5]))]
    return Value(mode, make, few)


class Part:
    """A part of the template: an element with others in it, a text, a link, an image, a line break or a list."""

    def __init__(self, chance: random.Random, depth: int, values: list[Value]) -> None:
        kinds = (
            ["text"] * 5
            + ["element"] * (6 if depth else 1)
            + ["br", "br", "link", "image", "list", "terms", "cells", "sale"]
        )
        self.kind = chance.choice(kinds)
        self.often = chance.choice([1.0, 1.0, 1.0, 0.95, 0.6, 0.3, 0.1])
        self.tag = chance.choice(TAGS)
        self.class_name = chance.choice(["", "", " class=a", " class=b", " class=c", " style=x"])
        self.values = values
        self.own = [new_value(chance) for _ in range(3)]
        self.names = chance.choice(
            [["src"], ["src", "alt"], ["src", "data-src"], ["srcset", "src", "title"], ["data-x"]]
        )
        self.inner = [Part(chance, depth - 1, values) for _ in range(chance.randint(1, 4) if depth > 0 else 0)]

    def text(self, chance: random.Random, number: int = 0) -> str:
        value = self.own[number]
        text = value.next(chance, [other for other in self.values if other is not value])
        if value not in self.values:
            self.values.append(value)
        return escape(text)

    def address(self, chance: random.Random, number: int) -> str:
        return chance.choice(
            [f"/p/{number}", f"/p/{number}", "/p/same", f"#{number}", "javascript:go()", "data:x,1", "/a b"]
        )

    def html(self, chance: random.Random, number: int) -> str:
        """The part of a record."""
        if chance.random() > self.often:
            return ""
        inner = "".join(part.html(chance, number) for part in self.inner)
        start = f"<{self.tag}{self.class_name}>"
        match self.kind:
            case "br":
                return "<br>"
            case "text":
                return f" {self.text(chance)} "
            case "link":
                address = f"/p/{number}" if self.often > 0.9 else self.address(chance, number)
                return f'<a href="{address}"{self.class_name}>{self.text(chance)}{inner}</a>'
            case "image":
                given = " ".join(f'{name}="{self.image(chance, name, number)}"' for name in self.names)
                return f"<picture><source srcset=/s{number}.jpg><img {given}></picture>" if inner else f"<img {given}>"
            case "list":
                units = "".join(f"<li>{self.text(chance)}</li>" for _ in range(chance.choice([0, 1, 2, 3, 3, 5])))
                return f"<ul{self.class_name}>{units}</ul>"
            case "terms":
                return f"<dl><dt>{self.text(chance, 1)}</dt><dd>{self.text(chance)}{inner}</dd></dl>"
            case "cells":
                cells = "".join(f"<td>{self.text(chance, k)}{inner if k else ''}</td>" for k in range(3))
                return f"<table><tr>{cells}</tr></table>"
            case "sale":
                old = chance.randint(20, 90)
                new = old if chance.random() < 0.02 else old // 2 + 5
                reduced = f"<b>{chance.choice(['${}', '$ {}.00', '${},00'])}</b>".format(new) if number % 3 else ""
                return f"<div{self.class_name}>{reduced}<s>${old}.00</s>{inner}</div>"
        return f"{start}{inner or self.text(chance)}</{self.tag}>"

    def image(self, chance: random.Random, name: str, number: int) -> str:
        if name in ("alt", "title"):
            return self.text(chance)
        if name == "srcset":
            return f"/i/{number}.jpg 1x, /i/{number}-2.jpg 2x"
        real = f"/i/{number}.jpg"
        return chance.choice([real, real, self.address(chance, number), "data:image/gif;base64,R0"])


def random_list(chance: random.Random) -> str:
    """The HTML of a list: all of its records are children of one element."""
    values: list[Value] = []
    parts = [Part(chance, chance.choice([0, 1, 2, 3]), values) for _ in range(chance.randint(1, 7))]
    records = chance.choice([1, 2, 3, 4, 5, 6, 8, 12, 17, 25, 70])
    html = [f"<li>{''.join(part.html(chance, number) for part in parts)}</li>" for number in range(records)]
    return f"<ul>{''.join(html)}</ul>"
