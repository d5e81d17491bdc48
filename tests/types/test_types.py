"""Types of columns: a table of columns read by hand, what must hold for every column, and what other parsers say.
The tables of languages and countries are compared with CLDR, as Babel has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from types import ModuleType
from typing import Any
from urllib.parse import urljoin

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fastwrap.types import (
    TYPES,
    Money,
    TypedColumn,
    addresses,
    dates,
    is_text,
    locales,
    marks,
    numbers,
    type_column,
    type_columns,
)
from fastwrap.types.addresses import Base
from fastwrap.types.reading import LONGEST, MISS_OF_WORDS, MISSES, Reading, Strings
from tests.reference.types import strings as plain


def money(amount: str, currency: str | None) -> Money:
    return Money(Decimal(amount), currency)


def same(*strings: str) -> dict[str, Any]:
    return {string: string for string in strings}


def every(value: Any, *strings: str) -> dict[str, Any]:
    return dict.fromkeys(strings, value)


PAGE = "https://example.org/shop/list?page=2"

# Type, strings with their values, and what is known of the page.
COLUMNS: list[tuple[str, Mapping[str, Any]] | tuple[str, Mapping[str, Any], dict[str, str]]] = [
    # Integers
    ("integer", {"1": 1, "2": 2, "30": 30}),
    ("integer", {"0": 0, "-3": -3, "+12": 12, "−7": -7}),
    ("integer", {"1,234": 1234, "56": 56, "7,890,123": 7890123}),
    ("integer", {"1.234.567": 1234567, "56": 56}),
    ("integer", {"1.299": 1299, "904": 904, "370": 370}),
    ("integer", {"1 234": 1234, "12 345 678": 12345678}),
    ("integer", {"1\u00a0234": 1234, "987": 987}),
    ("integer", {"1\u202f234": 1234, "987": 987}),
    ("integer", {"1'234": 1234, "12'345": 12345}),
    ("integer", {"1’234": 1234, "12’345": 12345}),
    ("integer", {"1,23,456": 123456, "12,34,567": 1234567}),
    ("integer", {"12,345": 12345, "2,041": 2041}),
    ("integer", {"1.234": 1234, "2.345": 2345}, {"language": "de"}),
    ("integer", {"1.234": 1234, "2.345": 2345}, {"url": "https://example.com.br/"}),
    ("integer", {"1999": 1999, "2004": 2004, "2013": 2013}),
    ("integer", {"1.": 1, "2.": 2, "3.": 3}),
    ("integer", {"1)": 1, "2)": 2}),
    ("integer", {"(12)": 12, "(3)": 3}),
    ("integer", {"[5]": 5, "[60]": 60}),
    ("integer", {"#1": 1, "#2": 2}),
    ("integer", {"# 1": 1, "# 22": 22}),
    ("integer", {"711：": 711, "675：": 675}),
    ("integer", {"01": 1, "02": 2, "03": 3, "04": 4}),
    ("integer", {"12 reviews": 12, "1 review": 1, "1,034 reviews": 1034}),
    ("integer", {"1 avaliação": 1, "25 avaliações": 25}),
    ("integer", {"(5 Bewertungen)": 5, "(1 Bewertung)": 1}),
    ("integer", {"Depth: 2": 2, "Depth: 13": 13}),
    ("integer", {"Read 274 reviews": 274, "Read 9 reviews": 9}),
    ("integer", {"120000 km": 120000, "98000 km": 98000, "n/a": None}),
    ("integer", {"37 KB": 37, "2 KB": 2}),
    ("integer", {"- 37 KB": 37, "- 2 KB": 2}),
    ("integer", {"16GB": 16, "256GB": 256}),
    ("integer", {"10x": 10, "12x": 12}),
    ("integer", {"5 m": 5, "12 m": 12}),
    ("integer", {"3 mi": 3, "14 mi": 14}),
    ("integer", {"1コメント": 1, "12コメント": 12}),
    ("integer", {"980": 980, "1.2K": 1200, "3M": 3_000_000}),
    ("integer", {"4 in stock": 4, "11 in stock": 11}),
    ("integer", {"Year": None, **{str(year): year for year in range(1990, 2000)}}),
    ("integer", {"12": 12, "-": None, "7": 7, "": None}),
    ("integer", {"12345": 12345, "678": 678}, {"item": "data-views"}),
    # Numbers
    ("number", {"1.5": 1.5, "22.25": 22.25}),
    ("number", {"1,5": 1.5, "22,25": 22.25}),
    ("number", {"1.234,56": 1234.56, "7,5": 7.5}),
    ("number", {"1,234.56": 1234.56, "7.5": 7.5}),
    ("number", {"1 234,56": 1234.56, "7,5": 7.5}),
    ("number", {"1'234.56": 1234.56, "7.5": 7.5}),
    ("number", {"1.234": 1234.0, "7,5": 7.5}),
    ("number", {"1.234": 1.234, "7.5": 7.5}),
    ("number", {"0.904": 0.904, "1.299": 1.299}),
    ("number", {"1.125": 1.125, "3": 3.0}, {"language": "en"}),
    ("number", {"1.234": 1.234, "2.345": 2.345}, {"item": "data-weight", "language": "de"}),
    ("number", {".99": 0.99, ".5": 0.5}),
    ("number", {",99": 0.99, ",05": 0.05}),
    ("number", {"24.7KB": 24.7, "3.1KB": 3.1}),
    ("number", {"701.15m²": 701.15, "88.5m²": 88.5, "--": None}),
    ("number", {"-4.5 °C": -4.5, "12.0 °C": 12.0}),
    ("number", {"[0.508]": 0.508, "[0.25]": 0.25}),
    ("number", {"(4.3)": 4.3, "(4.9)": 4.9}),
    ("number", {"3.5K": 3500.0, "980.25": 980.25}),
    # Percentages
    ("percent", {"12%": 12.0, "7%": 7.0}),
    ("percent", {"12,5 %": 12.5, "7 %": 7.0}),
    ("percent", {"12.345%": 12.345, "7.125%": 7.125}),
    ("percent", {"-61%": -61.0, "-5%": -5.0}),
    ("percent", {"Save 31%": 31.0, "Save 46%": 46.0}),
    ("percent", {"40% off!": 40.0, "15% off!": 15.0}),
    ("percent", {"(60% OFF)": 60.0, "(5% OFF)": 5.0}),
    ("percent", {"%20": 20.0, "%5": 5.0}),
    # Money
    ("money", {"€12": money("12", "EUR"), "€ 7,50": money("7.50", "EUR")}),
    ("money", {"12,50 €": money("12.50", "EUR"), "1.299,00 €": money("1299.00", "EUR")}),
    ("money", {"1.299 €": money("1299", "EUR"), "899 €": money("899", "EUR")}),
    ("money", {"1 299,00 €": money("1299.00", "EUR"), "89,00 €": money("89.00", "EUR")}),
    ("money", {"$19.72": money("19.72", "$"), "$1,234.50": money("1234.50", "$")}),
    ("money", {"$19.72": money("19.72", "USD")}, {"language": "en-US"}),
    ("money", {"$19.72": money("19.72", "AUD")}, {"url": "https://shop.example.com.au/"}),
    ("money", {"$19.72": money("19.72", "$")}, {"language": "de-DE"}),
    ("money", {"$5 USD": money("5", "USD"), "$7": money("7", "USD")}),
    ("money", {"US$ 5": money("5", "USD"), "A$7": money("7", "AUD")}),
    ("money", {"R$ 9.900,00": money("9900.00", "BRL"), "R$ 850,00": money("850.00", "BRL")}),
    ("money", {"$ 12.990": money("12990", "$"), "$ 890": money("890", "$")}),
    ("money", {"$ 221.445": money("221445", "CLP")}, {"url": "https://example.cl/"}),
    ("money", {"BRL 29.40": money("29.40", "BRL"), "BRL 58.90": money("58.90", "BRL")}),
    ("money", {"12.50 CHF": money("12.50", "CHF"), "1'299.00 CHF": money("1299.00", "CHF")}),
    ("money", {"Fr. 12.50": money("12.50", "CHF"), "Fr. 8.–": money("8", "CHF")}),
    ("money", {"12,- €": money("12", "EUR"), "7,- €": money("7", "EUR")}),
    ("money", {"€ 12,-": money("12", "EUR"), "€ 7,–": money("7", "EUR")}),
    ("money", {"199:-": money("199", None), "1 299:-": money("1299", None)}),
    ("money", {"199 kr": money("199", "kr"), "1 299 kr": money("1299", "kr")}),
    ("money", {"199 kr": money("199", "SEK"), "1 299 kr.": money("1299", "SEK")}, {"language": "sv"}),
    ("money", {"kr 199": money("199", "NOK")}, {"url": "https://example.no/"}),
    ("money", {"￥1,624": money("1624", "¥"), "￥736": money("736", "¥")}),
    ("money", {"￥1,624": money("1624", "JPY"), "￥736": money("736", "JPY")}, {"language": "ja"}),
    ("money", {"1,624円": money("1624", "JPY"), "736円": money("736", "JPY")}),
    ("money", {"£5.99": money("5.99", "GBP"), "£12": money("12", "GBP")}),
    ("money", {"129,99 zł": money("129.99", "PLN"), "1 299,00 zł": money("1299.00", "PLN")}),
    ("money", {"1 299 Kč": money("1299", "CZK"), "89 Kč": money("89", "CZK")}),
    ("money", {"Rs. 500/-": money("500", "INR"), "Rs. 1,20,000/-": money("120000", "INR")}, {"language": "en-IN"}),
    ("money", {"₹1,20,000": money("120000", "INR"), "₹999": money("999", "INR")}),
    ("money", {"1 299 руб.": money("1299", "RUB"), "89 руб.": money("89", "RUB")}),
    ("money", {"12 Euro": money("12", "EUR"), "7,50 Euro": money("7.50", "EUR")}),
    ("money", {"-$5.00": money("-5.00", "$"), "$-7.50": money("-7.50", "$"), "$1.25": money("1.25", "$")}),
    ("money", {"from $5.00": money("5.00", "$"), "from $7.00": money("7.00", "$"), "$9.00": money("9.00", "$")}),
    ("money", {"Price: $495.00": money("495.00", "$")}),
    ("money", {"$32.00 each": money("32.00", "$"), "$9.00 each": money("9.00", "$")}),
    ("money", {"R$ 801,00 à vista": money("801.00", "BRL"), "R$ 67,41 à vista": money("67.41", "BRL")}),
    ("money", {"5 € / kg": money("5", "EUR"), "7 € / kg": money("7", "EUR")}),
    ("money", {"(12,00 € inkl. MwSt.)": money("12.00", "EUR"), "(7,00 € inkl. MwSt.)": money("7.00", "EUR")}),
    ("money", {**{f"${k}.99": money(f"{k}.99", "$") for k in range(1, 9)}, "Call us": None}),
    ("money", {**{f"${k}.99": money(f"{k}.99", "$") for k in range(1, 9)}, "$3.49 - $4.29": None}),
    ("money", {"19.99": money("19.99", None), "5": money("5", None)}, {"item": "data-price"}),
    ("money", {"R90": money("90", "ZAR"), "R1 769": money("1769", "ZAR")}, {"url": "https://example.co.za/"}),
    # Dates
    ("date", {"2003-10-15": date(2003, 10, 15), "2003-09-01": date(2003, 9, 1)}),
    ("date", {"2003/10/15": date(2003, 10, 15), "2003/9/1": date(2003, 9, 1)}),
    ("date", {"19/12/2013": date(2013, 12, 19), "05/12/2013": date(2013, 12, 5)}),
    ("date", {"7/2/2014": date(2014, 7, 2), "6/27/2014": date(2014, 6, 27)}),
    ("date", {"05.12.2013": date(2013, 12, 5), "1.2.2014": date(2014, 2, 1)}),
    ("date", {"05.12.13": date(2013, 12, 5), "01.02.99": date(1999, 2, 1)}),
    ("date", {"14. 8. 2003": date(2003, 8, 14)}),
    ("date", {"01-28-04": date(2004, 1, 28), "09-08-03": date(2003, 9, 8)}),
    ("date", {"99/10/15": date(1999, 10, 15), "98/01/02": date(1998, 1, 2)}),
    ("date", {"05/06/2013": date(2013, 6, 5)}, {"language": "en-GB"}),
    ("date", {"05/06/2013": date(2013, 5, 6)}, {"language": "en-US"}),
    ("date", {"05/06/2013": date(2013, 6, 5)}, {"language": "fr"}),
    ("date", {"05/06/2013": date(2013, 5, 6)}, {"url": "https://www.example.gov/"}),
    ("date", {"05/05/2013": date(2013, 5, 5)}),
    ("date", {"January 17, 2004": date(2004, 1, 17), "December 6, 2003": date(2003, 12, 6)}),
    ("date", {"Jan. 17, 2004": date(2004, 1, 17), "Sept. 6, 2003": date(2003, 9, 6)}),
    ("date", {"Mar 3rd, 2014": date(2014, 3, 3), "Mar 21st, 2014": date(2014, 3, 21)}),
    ("date", {"14 Aug 03": date(2003, 8, 14), "01 Dec 99": date(1999, 12, 1)}),
    ("date", {"15-Oct-2003": date(2003, 10, 15)}),
    ("date", {"2003-Oct-15": date(2003, 10, 15)}),
    ("date", {"27 January, 1980": date(1980, 1, 27)}),
    ("date", {"Thursday, 2 October 2003": date(2003, 10, 2)}),
    ("date", {"3. März 2014": date(2014, 3, 3), "12. Dezember 2013": date(2013, 12, 12)}),
    ("date", {"1er janvier 2014": date(2014, 1, 1), "12 août 2013": date(2013, 8, 12)}),
    ("date", {"15 de março de 2013": date(2013, 3, 15), "1º de maio de 2013": date(2013, 5, 1)}),
    ("date", {"15 de marzo de 2013": date(2013, 3, 15), "2 de enero del 2013": date(2013, 1, 2)}),
    ("date", {"18 marzo, 2016 |": date(2016, 3, 18), "9 marzo, 2016 |": date(2016, 3, 9)}),
    ("date", {"3 maggio 2013": date(2013, 5, 3), "4 giugno 2013": date(2013, 6, 4)}),
    ("date", {"22 december 2015": date(2015, 12, 22), "2 mei 2014": date(2014, 5, 2)}),
    ("date", {"3 maja 2013": date(2013, 5, 3), "4 września 2013": date(2013, 9, 4)}),
    ("date", {"3 maj 2013": date(2013, 5, 3), "4 mars 2013": date(2013, 3, 4)}),
    ("date", {"3 мая 2013": date(2013, 5, 3), "4 октября 2013": date(2013, 10, 4)}),
    ("date", {"2003. október 15.": date(2003, 10, 15)}),
    ("date", {"2013年10月15日": date(2013, 10, 15), "2013年1月5日": date(2013, 1, 5)}),
    ("date", {"2013년 10월 15일": date(2013, 10, 15)}),
    ("date", {"(Dec 13, 2001)": date(2001, 12, 13), "(Sep 26, 2003)": date(2003, 9, 26)}),
    ("date", {"- 12-27-2001": date(2001, 12, 27), "- Posted: 11-15-2001": date(2001, 11, 15)}),
    ("date", {"Posted Jan 5, 2014": date(2014, 1, 5), "Posted Jan 17, 2014": date(2014, 1, 17)}),
    ("date", {"3 May 2014 by A. Writer": date(2014, 5, 3), "9 May 2014 by A. Writer": date(2014, 5, 9)}),
    ("date", {"20131225": date(2013, 12, 25), "20131226": date(2013, 12, 26), "20140101": date(2014, 1, 1)}),
    ("date", {"2013-12-25": date(2013, 12, 25)}, {"item": "datetime"}),
    # Dates with times
    ("datetime", {"2013-10-15T12:30:00Z": datetime(2013, 10, 15, 12, 30, tzinfo=UTC)}),
    ("datetime", {"2013-10-15 12:30": datetime(2013, 10, 15, 12, 30)}),
    (
        "datetime",
        {"2013-10-15T12:30:00.5+02:00": datetime(2013, 10, 15, 12, 30, 0, 500_000, timezone(timedelta(hours=2)))},
    ),
    ("datetime", {"Fri, 24 Jan 2003 17:53:18 GMT": datetime(2003, 1, 24, 17, 53, 18, tzinfo=UTC)}),
    ("datetime", {"Tue Apr 9, 2013 1:33pm EDT": datetime(2013, 4, 9, 13, 33, tzinfo=timezone(timedelta(hours=-4)))}),
    ("datetime", {"Thu Oct 2 19:37:01 2003": datetime(2003, 10, 2, 19, 37, 1)}),
    ("datetime", {"26/02/2013 às 12:02": datetime(2013, 2, 26, 12, 2)}),
    ("datetime", {"22/01/2013 11h48": datetime(2013, 1, 22, 11, 48)}),
    ("datetime", {"19.12.2013, 14:05 Uhr": datetime(2013, 12, 19, 14, 5)}),
    ("datetime", {"10.03.2016 - 16:22": datetime(2016, 3, 10, 16, 22)}),
    ("datetime", {"Jan 5, 2014 at 12:15 am": datetime(2014, 1, 5, 0, 15)}),
    ("datetime", {"» Ven 13 Déc 2013 15:36": datetime(2013, 12, 13, 15, 36)}),
    ("datetime", {"2016年02月26日 17時5分": datetime(2016, 2, 26, 17, 5)}),
    # Times
    ("time", {"09:15": time(9, 15), "17:30": time(17, 30)}),
    ("time", {"12h00": time(12), "09h04": time(9, 4)}),
    ("time", {"9:30 am": time(9, 30), "12:05 pm": time(12, 5)}),
    ("time", {"9 a.m.": time(9), "5 p.m.": time(17)}),
    ("time", {"14.30 Uhr": time(14, 30), "9 Uhr": time(9)}),
    ("time", {"7:30": time(7, 30), "8:15": time(8, 15), "10:45": time(10, 45)}),
    # Addresses
    ("url", same("http://example.org/", "https://example.com/a?b=c#d")),
    ("url", {"www.example.org": "http://www.example.org", "www.example.org/a": "http://www.example.org/a"}),
    ("url", {"en.example.org/wiki/A": "http://en.example.org/wiki/A"}),
    ("url", same("/a", "b.html", "?c=d", "//example.com/e"), {"item": "href"}),
    (
        "url",
        {
            "/a": "https://example.org/a",
            "b.html": "https://example.org/shop/b.html",
            "../c": "https://example.org/c",
            "?d=e": "https://example.org/shop/list?d=e",
            "//example.com/f": "https://example.com/f",
            "http://example.net/g": "http://example.net/g",
            "#h": "https://example.org/shop/list?page=2#h",
            " i\n.html ": "https://example.org/shop/i.html",
            "a b": "https://example.org/shop/a%20b",
            r"a\b?c\d": r"https://example.org/shop/a/b?c\d",
            "javascript:void(0)": None,
            "#": None,
            "": None,
        },
        {"item": "href", "url": PAGE},
    ),
    ("text", same("javascript:;", "#"), {"item": "href", "url": PAGE}),
    ("image", {"a.jpg": "https://example.org/shop/a.jpg"}, {"item": "src", "url": PAGE}),
    ("image", {"/thumb?id=3": "https://example.org/thumb?id=3"}, {"item": "src", "url": PAGE}),
    ("image", {"a.jpg 1x, b.jpg 2x": "https://example.org/shop/a.jpg"}, {"item": "srcset", "url": PAGE}),
    ("image", {"/a.PNG?w=5": "https://example.org/a.PNG?w=5"}, {"item": "href", "url": PAGE}),
    ("image", same("http://example.org/a.jpg", "http://example.org/b.png")),
    ("url", {"/player.html": "https://example.org/player.html"}, {"item": "src", "url": PAGE}),
    ("email", same("a.writer@example.org", "info@mail.example.co.uk")),
    ("email", {"mailto:a@example.org?subject=b": "a@example.org"}, {"item": "href"}),
    ("phone", {"tel:+49%2030%20123456": "+49 30 123456"}, {"item": "href"}),
    ("phone", same("(205)854-1688", "(207) 363-6104")),
    ("phone", same("+49 30 123456", "+1 205 854 1688")),
    ("phone", same("205-854-1688", "207-363-6104")),
    ("phone", same("030/123456-78", "0171 1234567")),
    ("phone", same("01 23 45 67 89", "02 34 56 78 90")),
    ("phone", {"Tel.: (48) 3721-2731": "(48) 3721-2731"}),
    # Ratings
    ("rating", {"4.5 out of 5": 4.5, "3 out of 5": 3.0}),
    ("rating", {"4.5 out of 5 stars": 4.5, "5 out of 5 stars": 5.0}),
    ("rating", {"4,5/5": 4.5, "3/5": 3.0}),
    ("rating", {"8/10": 8.0, "7/10": 7.0, "10/10": 10.0}),
    ("rating", {"Rated 4 of 5": 4.0, "Rated 3.5 of 5": 3.5}),
    ("rating", {"4,5 von 5 Sternen": 4.5, "3 von 5 Sternen": 3.0}),
    ("rating", {"4,5 sur 5": 4.5, "3 sur 5": 3.0}),
    ("rating", {"4.66/5.0 Store Rating": 4.66, "2.71/5.0 Store Rating": 2.71}),
    ("rating", {"★★★☆☆": 3.0, "★★★★★": 5.0, "☆☆☆☆☆": 0.0}),
    ("rating", {"★★★": 3.0, "★★★★½": 4.5}),
    ("rating", {"4.3 stars": 4.3, "1 star": 1.0}),
    ("rating", {"4.3 ★": 4.3, "4.9 ★": 4.9}),
    ("rating", {"Rating: 4.3": 4.3, "Rating: 5": 5.0}),
    # Answers
    ("boolean", {"yes": True, "no": False}),
    ("boolean", {"Ja": True, "Nein": False}),
    ("boolean", {"Oui": True, "Non": False}),
    ("boolean", {"Sí": True, "No": False}),
    ("boolean", {"Sim": True, "Não": False}),
    ("boolean", {"Да": True, "Нет": False}),
    ("boolean", {"Y": True, "N": False}),
    ("boolean", {"true": True, "false": False}),
    ("boolean", {"✓": True, "✗": False}),
    ("boolean", every(True, "✓", "✔")),
    ("boolean", every(True, "In stock", "in stock.")),
    ("boolean", {"In Stock": True, "Sold out!": False}),
    ("boolean", {"auf Lager": True, "ausverkauft": False}),
    ("boolean", {"http://schema.org/InStock": True, "http://schema.org/OutOfStock": False}, {"item": "href"}),
    # Only text
    ("text", same("Blue chair", "Red table")),
    ("text", {" two \n words ": "two words", "": None, " ": None}),
    ("text", same("007", "042")),
    ("text", same("02134", "10001", "94107")),
    ("text", same("9783161484100", "9780306406157")),
    ("text", same("978-3-16-148410-0", "0-306-40615-2")),
    ("text", same("0306406152", "080442957X")),
    ("text", same("4513886028564", "707768103003", "04013389455930")),
    ("text", same("12345678", "87654321")),
    ("text", same("DSC-TX30", "HX300/B", "8102")),
    ("text", same("3468E", "8102A")),
    ("text", same("iPhone 4", "iPhone 5")),
    ("text", same("Windows 95", "Windows 98")),
    ("text", same("id#24835", "id#14304")),
    ("text", same("Part #: 9507525", "Part #: 9400588")),
    ("text", same("ISBN: 316148410", "ISBN: 306406157")),
    ("text", same("1.2.3", "1.3", "2.0")),
    ("text", same("v1.2", "v1.3")),
    ("text", same("4.10.12", "4.9.1")),
    ("text", same("192.168.0.1", "10.0.0.1")),
    ("text", same("10-20", "20-30")),
    ("text", same("1994-2002", "1990-1999")),
    ("text", same("5 kg", "3 m")),
    ("text", same("24.7 KB", "1.2 MB")),
    ("text", same("3 plants", "2 bulbs")),
    ("text", same("$5 million", "$7 million")),
    ("text", same("$5M", "$7M")),
    ("text", same("4K", "8K")),
    ("text", same("100+", "500+")),
    ("text", same("< 5", "< 10")),
    ("text", same("about 5", "about 7")),
    ("text", same("1ST", "2ND", "3RD", "-")),
    ("text", same("5th", "6th")),
    ("text", same("(1.00)", "5.00")),
    ("text", same("- 5 °C", "3 °C")),
    ("text", same("10.12.3456", "11.12.4567")),
    ("text", same("1.234", "2.345")),
    ("text", same("1.234", "1385")),
    ("text", same("$1.234", "$5.678"), {"language": "en"}),
    ("text", same("1,234.56", "1.234,56")),
    ("text", same("12.50", "12,50")),
    ("text", same("1.250 KWD", "2.500 KWD")),
    ("text", same("R90", "R50")),
    ("text", same("£1.20 (20%)", "£4.78 (29%)")),
    ("text", same("10x $29.90", "12x $9.90")),
    ("text", same("win $500 now")),
    ("text", same("2 Fast")),
    ("text", same("in the next 24 hours")),
    ("text", same("Club: $5", "$9", "Members save $3 today", "Now: 5 pieces at $4")),
    ("text", same("3 days ago", "5 days ago")),
    ("text", same("vor 3 Tagen", "vor 5 Tagen")),
    ("text", same("há 3 dias", "há 5 dias")),
    ("text", same("5分前", "12分前")),
    ("text", same("yesterday", "today")),
    ("text", same("12 March", "15 March")),
    ("text", same("March 2013", "April 2013")),
    ("text", same("Thursday, Apr 11", "Friday, Apr 12")),
    ("text", same("05/06/2013", "07/08/2013")),
    ("text", same("13/06/2013", "06/13/2013")),
    ("text", same("31/02/2013", "30/02/2013")),
    ("text", same("3:45", "4:02", "12:58")),
    ("text", same("75:10", "12:33")),
    ("text", same("12 h", "24 h")),
    ("text", same("1/8", "1/10")),
    ("text", same("1/5", "2/5", "3/5")),
    ("text", same("Page 1 of 5", "Page 2 of 5")),
    ("text", same("4/5", "7/10")),
    ("text", same("★")),
    ("text", same("×", "✕")),
    ("text", same("x")),
    ("text", same("www.example.org/a...", "www.example.org/b…")),
    ("text", same("index.html", "a960408.html")),
    ("text", same("and/or", "AC/DC")),
    ("text", same("@writer", "@reader")),
    ("text", same("Yes, it does", "No, never")),
    ("text", same("1½", "2½")),
    ("text", same("pp. 3994-4002", "pp. 12-20")),
    ("text", {"-": "-", "--": "--"}),
]  # fmt: skip


def test_the_table_has_every_type_and_at_least_150_columns() -> None:
    assert len(COLUMNS) >= 150
    assert {column[0] for column in COLUMNS} == set(TYPES)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: f"{column[0]} {next(iter(column[1]))!r}")
def test_column(column: tuple[str, Mapping[str, Any], dict[str, str]]) -> None:
    name, expected, *options = column
    typed = type_column(list(expected), **(options[0] if options else {}))
    assert (typed.type, typed.values) == (name, list(expected.values())), typed.why
    assert [type(value) for value in typed.values] == [type(value) for value in expected.values()]


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: f"{column[0]} {next(iter(column[1]))!r}")
def test_absent_strings_and_order_change_nothing(column: tuple[str, Mapping[str, Any], dict[str, str]]) -> None:
    name, expected, *options = column
    if list(expected)[:3] in (["01", "02", "03"], ["1/5", "2/5", "3/5"]):
        return  # what these are is told by their order
    strings = [None, *reversed(list(expected)), None]
    typed = type_column(strings, **(options[0] if options else {}))
    assert (typed.type, typed.values) == (name, [None, *reversed(list(expected.values())), None])


def test_reasons_and_units() -> None:
    assert type_column(["05/06/2013"]).why == "05/06/2013 may be day/month or month/day"
    assert type_column(["1.234", "2.345"]).why == "1.234 may have three decimals, or thousands"
    assert type_column(["007"]).why == "numbers with leading zeros are codes"
    assert type_column(["19/12/2013", "05/12/2013"]).why == "order dmy by 19/12/2013"
    assert type_column(["1.234,50", "7"]).why == "decimal sign ',', groups by '.'"
    assert type_column(["12 reviews", "1 review", "5 reviews"]).unit == "reviews"
    assert type_column(["4/5", "3,5/5"]).unit == "5"
    assert type_column(["Blue", "Red"]) == TypedColumn("text", ["Blue", "Red"], None, "")


def test_nine_of_ten_decide() -> None:
    filled = [f"${k}.50" for k in range(9)]
    assert type_column([*filled, "2 left"]).type == "money"
    assert type_column([*filled[:-1], "2 left"]).type == "text"
    # What has no digit counts half.
    assert type_column([*filled[:4], "Call us"]).type == "money"
    assert type_column([*filled[:3], "Call us"]).type == "text"
    assert type_column([*filled, "2 left"]).values[-1] is None


def test_other_columns_decide() -> None:
    texts = ["text"] * 2
    typed = type_columns([["05/06/2013", "07/08/2013"], ["25/12/2013", "26/12/2013"]], texts)
    assert typed[0].values == [date(2013, 6, 5), date(2013, 8, 7)]
    typed = type_columns([["1.234", "2.345"], ["7,50 €", "12,00 €"]], texts)
    assert typed[0].values == [1234, 2345]
    typed = type_columns([["1.234", "2.345"], ["7.50", "12.00"]], texts)
    assert typed[0].values == [1.234, 2.345]
    typed = type_columns([["$5", "$7"], ["USD 3.50", "USD 4.50"]], texts)
    assert typed[0].values == [money("5", "USD"), money("7", "USD")]
    # Columns that contradict each other decide nothing.
    typed = type_columns([["1.234", "2.345"], ["7,50 €"], ["7.50"]], ["text"] * 3)
    assert typed[0].type == "text"


def test_what_has_a_type_is_no_text() -> None:
    for strings in (["a", "b"], ["-", "n/a"], [], ["007", "008"]):
        assert is_text(strings)
    for strings in (["1", "2"], ["$5", "from $7"], ["yes", "no"], ["3/4/2003"], ["a@example.org"], ["★★", "★"]):
        assert is_text(strings) == (type_column(strings).type == "text")
    assert not is_text(["$5", "$7"])


def test_a_table_of_nothing() -> None:
    assert type_columns([], []) == []
    assert type_column([]) == TypedColumn("text", [])
    assert type_column([None, None]).values == [None, None]


# What must hold for every column

digits_and_marks = st.text(st.sampled_from(list("0123456789.,-/: $€%()'abK\u00a0★")), max_size=16)
strings_of_columns = st.one_of(
    st.text(max_size=20), digits_and_marks, st.sampled_from([string for column in COLUMNS for string in column[1]])
)
columns_of_strings = st.lists(st.none() | strings_of_columns, max_size=14)
items = st.sampled_from(["text", "href", "src", "srcset", "alt", "title", "datetime", "content", "data-price", "value"])
urls = st.sampled_from([None, PAGE, "http://example.com", "not an address", "http://[bad", "//x"]) | st.text(max_size=9)
languages = st.sampled_from([None, "en", "en-US", "de", "pt-BR", "xx", ""]) | st.text(max_size=6)


@settings(max_examples=1500, suppress_health_check=[HealthCheck.too_slow])
@given(columns_of_strings, items, urls, languages)
def test_any_strings_give_a_column(strings: list[str | None], item: str, url: str | None, language: str | None) -> None:
    given_strings = list(strings)
    typed = type_column(strings, item, url, language)
    assert strings == given_strings
    assert typed.type in TYPES
    assert len(typed.values) == len(strings)
    kinds: dict[str, type | tuple[type, ...]] = {
        "integer": int, "number": float, "percent": float, "rating": float, "money": Money, "date": date, "time": time,
        "datetime": datetime, "boolean": bool,
    }  # fmt: skip
    for string, value in zip(strings, typed.values, strict=True):
        if string is None or not string.strip():
            assert value is None
        elif typed.type == "text":
            assert value == " ".join(string.split())
        elif value is not None:
            assert type(value) is kinds.get(typed.type, str)
    if typed.type != "text" and typed.type not in ("url", "image", "email", "phone"):
        filled = [string for string in strings if string and string.strip()]
        assert sum(value is not None for value in typed.values) > 0
        assert len(filled) >= sum(value is not None for value in typed.values)


@settings(max_examples=500)
@given(columns_of_strings, st.sampled_from(["text", "href"]))
def test_a_tuple_is_read_like_a_list(strings: list[str | None], item: str) -> None:
    assert type_column(tuple(strings), item) == type_column(strings, item)


SEPARATORS = [(".", ","), (",", "."), (",", " "), (".", "'"), (",", "\u00a0"), (".", ""), (",", "")]


def written(number: Decimal, decimal: str, group: str) -> str:
    return f"{number:,}".replace(",", "\0").replace(".", decimal).replace("\0", group)


amounts = st.decimals(min_value=0, max_value=99_999_999, places=2)


@settings(max_examples=500)
@given(st.lists(amounts, min_size=1, max_size=12), st.sampled_from(SEPARATORS))
def test_numbers_of_a_locale_are_read_back(values: list[Decimal], separators: tuple[str, str]) -> None:
    typed = type_column([written(value, *separators) for value in values])
    assert typed.type == "number"
    assert typed.values == [float(value) for value in values]


@settings(max_examples=500)
@given(
    st.lists(amounts, min_size=1, max_size=12),
    st.sampled_from(SEPARATORS),
    st.sampled_from(["{} €", "€ {}", "{} EUR", "EUR {}", "Preis: {} €", "{}€"]),
)
def test_prices_of_a_locale_are_read_back(values: list[Decimal], separators: tuple[str, str], form: str) -> None:
    typed = type_column([form.format(written(value, *separators)) for value in values])
    assert typed.type == "money"
    assert typed.values == [Money(value, "EUR") for value in values]


@settings(max_examples=500)
@given(st.lists(st.integers(0, 99_999_999), min_size=2, max_size=12), st.sampled_from([",", " ", "'"]))
def test_integers_with_groups_are_read_back(values: list[int], group: str) -> None:
    values[0] = 1234  # without a group they may be codes
    assert type_column([f"{value:,}".replace(",", group) for value in values]).values == values


days = st.dates(date(1970, 1, 1), date(2068, 12, 31))
DATE_FORMS = ["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d.%m.%y", "%d %b %Y", "%B %d, %Y", "%d-%b-%y", "%A, %d %B %Y"]


@settings(max_examples=500)
@given(st.lists(days, min_size=1, max_size=12), st.sampled_from(DATE_FORMS))
def test_dates_are_read_back(values: list[date], form: str) -> None:
    typed = type_column([value.strftime(form) for value in values])
    assert typed.type == "date"
    assert typed.values == values


@settings(max_examples=500)
@given(st.lists(days, min_size=1, max_size=12), st.sampled_from(["/", "-"]), st.booleans())
def test_the_order_of_day_and_month_is_shown_by_one_late_day(values: list[date], separator: str, first: bool) -> None:
    form = separator.join(["%d", "%m", "%Y"] if first else ["%m", "%d", "%Y"])
    typed = type_column([value.strftime(form) for value in [*values, date(2013, 12, 25)]])
    assert typed.type == "date"
    assert typed.values == [*values, date(2013, 12, 25)]


@settings(max_examples=300)
@given(st.lists(st.datetimes(datetime(1970, 1, 1), datetime(2068, 12, 31)), min_size=1, max_size=8))
def test_datetimes_are_read_back(values: list[datetime]) -> None:
    values = [value.replace(microsecond=0) for value in values]
    assert type_column([value.isoformat() for value in values]).values == values
    aware = [value.replace(tzinfo=UTC) for value in values]
    assert type_column([value.isoformat() for value in aware]).values == aware
    assert type_column([value.strftime("%m/%d/%Y %I:%M:%S %p") for value in values], language="en-US").values == values


@settings(max_examples=500)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=8), st.sampled_from([None, PAGE]))
@example(["0\x1f#"], PAGE)
def test_reading_addresses_twice_changes_nothing(addresses: list[str], url: str | None) -> None:
    once = type_column(addresses, "href", url)
    if once.type in ("url", "image"):
        texts = [None if value is None else str(value) for value in once.values]
        assert type_column(texts, "href", url).values == once.values


path_pieces = st.text(st.sampled_from(list("ab./?#=&:-~%")), max_size=12)


@settings(max_examples=2000)
@given(path_pieces, st.sampled_from([PAGE, "http://example.org", "https://example.org/a/b/", "http://h/x;y?z#w"]))
@example("..", PAGE)
def test_addresses_resolve_as_in_urllib(address: str, url: str) -> None:
    (resolved,) = Base(url).resolve([address])
    if resolved is None or ":" in address.partition("/")[0] or "//" in address[1:]:
        return  # urljoin joins empty steps of a path, browsers do not
    # It drops an empty query or fragment.
    assert resolved.replace("?#", "#").rstrip("?#") == urljoin(url, address).replace("?#", "#").rstrip("?#")


@pytest.mark.parametrize(
    "string",
    ["1" * 1_000_000, "$" * 1_000_000, "1," * 500_000, "a" * 999_999 + "1", " " * 1_000_000, "1 " * 500_000,
     "http://" + "a" * 1_000_000, "@" * 1_000_000, "★" * 1_000_000, "/." * 500_000, "1/" * 500_000, "(" * 1_000_000],
    ids=lambda string: string[:8],
)  # fmt: skip
@pytest.mark.parametrize("item", ["text", "href", "srcset"])
def test_hostile_strings_are_text_or_addresses(string: str, item: str) -> None:
    assert type_column([string] * 3, item, PAGE).type in ("text", "url", "image")


@pytest.mark.parametrize(
    "string", ["1" + ".1" * 39, "1 " * 39 + "1", "a " * 39 + "1", "9" * 79, "$ " * 39 + "1", "-1" * 40]
)
def test_strings_just_short_enough_to_be_read(string: str) -> None:
    assert len(string) <= LONGEST
    assert type_column([string] * 50).type == "text"


# Native and plain kernels

odd = st.sampled_from(list("0123456789" * 2 + ".,'’ -/$€%@:#?;\\ abAht wp★☆\xa0\n\t\u2009é漢😀\x1f\x85"))
pieces = st.one_of(
    st.text(odd, max_size=14),
    st.text(max_size=10),
    st.sampled_from(
        ["http://a.b/c", "www.x.y", "yes", "In stock!", "n/a", "-", "1.234,56", "$ 1,234.50", "12 reviews", "../a",
         "/a/./b", "//x/y", "3 May 2003", "Jan' 5, 2014", "3. 4. 2003", "3/4 20", "2003年4月5日", "é 1 2", "7:41 pm",
         "4.5 / 5", "4 of 5", "+49 30 123456", "Tel. 030/12 34 567", "a@b.c", "mailto:a@b.c", "tel:1", "data:,x",
         "a.b/c.PNG?d", "no", "x" * 90, "1" + "x" * 41, "x" * 40 + "1", "x" * 41 + ".1", "x" * 42 + "1"]
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def native() -> Any:
    return pytest.importorskip("fastwrap._core.types.strings", reason="the compiled modules are not installed")


def look(module: ModuleType) -> Any:
    unknown = frozenset(["-", "n/a", ""])
    readers = numbers.read_affixes, numbers.plan_numbers
    return module.Look(LONGEST, unknown, locales.ANSWERS, "★☆", MISSES, MISS_OF_WORDS, *readers)


def by_hand(string: str) -> str:
    return f"by hand {string}"


PARTS = [("https:", "https://h", "https://h/d/", by_hand), ("", "", "", by_hand)]


@settings(max_examples=3000)
@given(strings=st.lists(st.none() | pieces, max_size=12), parts=st.sampled_from(PARTS))
def test_native_and_plain_agree(native: ModuleType, strings: list[str | None], parts: tuple[Any, ...]) -> None:
    known = locales.Conventions(), locales.Conventions(".")
    kinds = [0, native.PAGES, native.PICTURES, native.PICTURES | native.SETS, native.PRICES | native.MACHINES]
    tables = [
        look(module).table([strings] * len(kinds), kinds, *parts, *known, TypedColumn) for module in (native, plain)
    ]
    assert tables[0] == tables[1]
    assert native.resolve(strings, *parts) == plain.resolve(strings, *parts)
    assert list(native.count(strings).items()) == list(plain.count(strings).items())
    filled = [string for string in strings if string is not None]
    assert native.count_pictures(filled) == plain.count_pictures(filled)
    for most_missed in (0, 2, 99):
        split = native.split_numbers(filled, most_missed)
        assert split == plain.split_numbers(filled, most_missed)
        assert native.answers_of(filled, locales.ANSWERS, most_missed) == plain.answers_of(
            filled, locales.ANSWERS, most_missed
        )
        if split is not None:
            assert native.relevant(split[5], split[4]) == plain.relevant(split[5], split[4])


@settings(max_examples=1000)
@given(
    strings=st.lists(pieces, max_size=8), signs=st.sampled_from([(None, False), (".", True), ("'", False), (",", True)])
)
def test_native_and_plain_values_agree(native: ModuleType, strings: list[str], signs: tuple[str | None, bool]) -> None:
    around, places, digits, *_ = plain.split_numbers(strings, len(strings)) or ([], [], [])
    scales = [(0, 1, -1, 1000)[place % 4] for place in range(len(around))]
    currencies = [None if place % 2 else "EUR" for place in range(len(around))]
    for money_type in (None, Money):
        native_values, plain_values = (
            module.values_of(strings, digits, places, *signs, str, scales, money_type, currencies)
            for module in (native, plain)
        )
        assert native_values == plain_values
        assert [type(value) for value in native_values.values()] == [type(value) for value in plain_values.values()]


@pytest.mark.parametrize("text", ["a" * 9, "x y" * 5, "1" * 70, "é" * 20])
@pytest.mark.parametrize("odd_one", ["  ", "\t", "\xa0", "\x85", "\x1f", "\x01", "\u2009", "7", " ", "漢", "\xff"])
def test_every_character_is_looked_at(native: ModuleType, text: str, odd_one: str) -> None:
    strings = [text[:place] + odd_one + text[place:] for place in range(len(text) + 1)]
    columns: list[list[str | None]] = [[string] for string in strings]
    arguments = columns, [0] * len(columns), *PARTS[1], locales.Conventions(), locales.Conventions(), TypedColumn
    assert look(native).table(*arguments) == look(plain).table(*arguments)


def test_bad_arguments_of_the_native_look_are_refused(native: ModuleType) -> None:
    known = locales.Conventions(), locales.Conventions()
    with pytest.raises(ValueError, match="kinds"):
        look(native).table([["a"]], [], *PARTS[1], *known, TypedColumn)
    with pytest.raises(TypeError):
        look(native).table([["a"]], [0], *PARTS[1], *known, dict)
    with pytest.raises(TypeError):
        look(native).table([[1]], [native.PAGES], *PARTS[1], *known, TypedColumn)
    with pytest.raises(ValueError, match="places"):
        native.values_of(["1"], ["1"], [], None, False, int, [1], None, [None])
    with pytest.raises(IndexError):
        native.values_of(["1"], ["1"], [1], None, False, int, [1], None, [None])
    with pytest.raises(TypeError):
        native.values_of(["1"], ["1"], [0], None, False, int, [1], int, [None])
    for function in (native.split_numbers, native.count_pictures, native.count):
        with pytest.raises(TypeError):
            function(None, 1) if function is native.split_numbers else function(None)


READERS: dict[str, Callable[[Strings], Reading | None]] = {
    "ADDRESSES": addresses.read_text_addresses,
    "STARS": marks.read_stars,
    "MAIL": addresses.read_mail_addresses,
    "ANSWERS": marks.read_answers,
    "DATES": lambda strings: dates.read_dates(strings, locales.Conventions(day_first=True)),
    "CLOCKS": dates.read_times,
    "PHONES": addresses.read_phones,
    "RATINGS": marks.read_ratings,
}


@settings(max_examples=1500)
@given(st.lists(strings_of_columns | pieces, min_size=1, max_size=12))
def test_what_the_first_look_rules_out_cannot_be_read(strings: list[str]) -> None:
    known = locales.Conventions(), locales.Conventions()
    (column,), unfinished = look(plain).table([strings], [0], *PARTS[1], *known, TypedColumn)
    if column is None or column.type == "text":
        families = unfinished[0][1] if unfinished else 0
        filled = [" ".join(string.split()) for string in strings]
        column_of = Strings([string for string in filled if string not in ("", "-", "n/a")])
        for name, reader in READERS.items():
            if not families & getattr(plain, name) and column_of.total:
                assert reader(column_of) is None, name


def test_native_and_plain_have_the_same_names(native: ModuleType) -> None:
    for name in vars(native):
        if not name.startswith("_"):
            assert hasattr(plain, name)
            if name.isupper():
                assert getattr(plain, name) == getattr(native, name)


# Tables against CLDR


def test_months_are_those_of_cldr() -> None:
    dates = pytest.importorskip("babel.dates")
    for language in "en de fr es pt it nl pl sv da nb fi cs sk hu ro tr ru uk el id".split():
        for width in ("wide", "abbreviated"):
            for number, name in dates.get_month_names(width, "format", language).items():
                word = name.lower().strip(".")
                # CLDR's own abbreviations that pages do not use
                if word not in {"tammi", "helmi", "maalis", "huhti", "touko", "kesä", "heinä", "elo", "syys", "loka",
                                "marras", "joulu", "led"}:  # fmt: skip
                    assert locales.MONTHS[word] == number, (language, word)


def test_no_month_is_a_month_of_another_language() -> None:
    lines = locales._MONTHS.replace("\n    ", " ").strip().split("\n")
    words = [word for line in lines for word in line.split()]
    assert len(words) == len(set(words))
    assert len(lines) == 12
    # The first look at a column takes shorter words for no months.
    assert min(map(len, words)) == 3
    assert all(map(str.isalpha, words))


def test_countries_write_as_in_cldr() -> None:
    babel = pytest.importorskip("babel")
    from babel.numbers import get_decimal_symbol, get_territory_currencies

    for country, known in locales.COUNTRIES.items():
        territory = {"uk": "GB"}.get(country, country.upper())
        locale = babel.Locale.parse(f"und_{territory}", resolve_likely_subtags=True)
        assert known.currency in get_territory_currencies(territory)
        if known.decimal is not None:
            assert known.decimal == get_decimal_symbol(locale), country
        pattern = locale.date_formats["short"].pattern
        order = "".join(letter for letter in dict.fromkeys(pattern) if letter in "dMy")
        if known.day_first is not None:
            assert known.day_first == (order == "dMy"), country


def test_languages_write_as_in_cldr() -> None:
    babel = pytest.importorskip("babel")
    from babel.numbers import get_decimal_symbol

    for language, known in locales.LANGUAGES.items():
        locale = babel.Locale.parse(language)
        if language not in ("ar", "fa"):  # their own digits have signs of their own
            assert known.decimal == get_decimal_symbol(locale), language
        pattern = locale.date_formats["short"].pattern
        order = "".join(letter for letter in dict.fromkeys(pattern) if letter in "dMy")
        if known.day_first is not None:
            assert order == "dMy", language


def test_currency_signs_are_currencies() -> None:
    pytest.importorskip("babel")
    from babel.numbers import is_currency

    ambiguous = [code for codes in locales.AMBIGUOUS_CURRENCIES.values() for code in codes]
    for code in [*locales.CURRENCIES.values(), *ambiguous, *locales.THREE_DECIMALS]:
        assert is_currency(code, "en"), code


# What other parsers say


def test_prices_are_those_of_price_parser() -> None:
    price_parser = pytest.importorskip("price_parser")
    for name, expected, *_ in COLUMNS:
        if name != "money":
            continue
        for string, value in expected.items():
            if value is None or value.amount < 0 or ":-" in string or "’" in string:
                continue
            assert price_parser.Price.fromstring(string).amount == value.amount, string


def test_dates_are_those_of_dateutil() -> None:
    parser = pytest.importorskip("dateutil.parser")
    english = ["January 17, 2004", "Mar 3rd, 2014", "14 Aug 03", "15-Oct-2003", "27 January, 1980", "2003-10-15",
               "Thursday, 2 October 2003", "2013-10-15T12:30:00Z", "Fri, 24 Jan 2003 17:53:18 GMT",
               "Thu Oct 2 19:37:01 2003", "Jan 5, 2014 12:15 am", "2003/9/1"]  # fmt: skip
    for string in english:
        (value,) = type_column([string]).values
        found = parser.parse(string)
        assert value == (found if isinstance(value, datetime) else found.date()), string


@settings(max_examples=300)
@given(st.lists(days, min_size=1, max_size=6), st.booleans())
def test_the_order_chosen_is_dateutils(values: list[date], day_first: bool) -> None:
    parser = pytest.importorskip("dateutil.parser")
    strings = [value.strftime("%d/%m/%Y" if day_first else "%m/%d/%Y") for value in values]
    typed = type_column(strings, language="en-GB" if day_first else "en-US")
    assert typed.values == [parser.parse(string, dayfirst=day_first).date() for string in strings]


def test_affixes_are_cached_within_bounds() -> None:
    assert numbers.read_affixes.cache_parameters()["maxsize"] is not None
    assert numbers.decide_separators.cache_parameters()["maxsize"] is not None
    assert numbers.plan_numbers.cache_parameters()["maxsize"] is not None
