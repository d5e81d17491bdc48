"""How languages and countries write: decimal sign, order of dates, currency.
Only what decides between two readings of a column; as CLDR has it, and tested against it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit


class Conventions(NamedTuple):
    """What is known of how a page writes; None where nothing is."""

    decimal: str | None = None
    """The decimal sign, "." or ","."""
    day_first: bool | None = None
    """Whether 1/2/2003 is the first of February."""
    currency: str | None = None
    """The money of the country, as its ISO 4217 code: what "$" or "kr" may stand for."""

    def completed(self, other: Conventions) -> Conventions:
        """These, and the other's where these are unknown.

        >>> Conventions(decimal=",").completed(Conventions(".", True))
        Conventions(decimal=',', day_first=True, currency=None)
        """
        return Conventions._make(theirs if ours is None else ours for ours, theirs in zip(self, other, strict=True))


NOTHING_KNOWN = Conventions()


@lru_cache(1024)
def agreed(all_shown: frozenset[Conventions], page: Conventions) -> Conventions:
    """What several columns show, where they do not contradict each other; else what is known of the page.

    >>> agreed(frozenset([Conventions(decimal=","), Conventions(decimal=".", day_first=True)]), NOTHING_KNOWN)
    Conventions(decimal=None, day_first=True, currency=None)
    """
    differing = [{*shown} - {None} for shown in zip(*all_shown, strict=True)]
    return Conventions._make(shown.pop() if len(shown) == 1 else None for shown in differing).completed(page)


# Decimal sign, whether the day comes first, and the countries with their money. Year first says nothing of 1/2/2003.
_COUNTRIES: tuple[tuple[str | None, bool | None, str], ...] = (
    (
        ",", True,
        "ar:ARS at:EUR be:EUR bo:BOB br:BRL by:BYN cl:CLP co:COP cr:CRC cy:EUR cz:CZK de:EUR dk:DKK dz:DZD ec:USD "
        "ee:EUR es:EUR fi:EUR fr:EUR gr:EUR hr:EUR id:IDR is:ISK it:EUR kz:KZT lu:EUR lv:EUR ma:MAD mk:MKD nl:EUR "
        "no:NOK pl:PLN pt:EUR ro:RON rs:RSD ru:RUB si:EUR sk:EUR tn:TND tr:TRY ua:UAH uy:UYU ve:VES vn:VND",
    ),
    (
        ".", True,
        "ae:AED au:AUD ch:CHF do:DOP eg:EGP gb:GBP gt:GTQ hk:HKD hn:HNL ie:EUR il:ILS in:INR ke:KES mt:EUR mx:MXN "
        "my:MYR ng:NGN ni:NIO nz:NZD pe:PEN pk:PKR sa:SAR sg:SGD th:THB uk:GBP",
    ),
    (".", False, "pr:USD us:USD"),
    (".", None, "cn:CNY jp:JPY kr:KRW ph:PHP tw:TWD"),
    (",", None, "hu:HUF lt:EUR se:SEK"),
    (None, None, "ca:CAD za:ZAR"),
)  # fmt: skip

COUNTRIES = {
    pair[:2]: Conventions(decimal, day_first, pair[3:])
    for decimal, day_first, pairs in _COUNTRIES
    for pair in pairs.split()
}

_LANGUAGES: tuple[tuple[str, bool | None, str], ...] = (
    (",", True, "be ca cs da de el es et fi fr gl hr id is it ka lv mk nb nl nn no pl pt ro ru sk sl sq sr tr uk vi"),
    (",", None, "eu hu lt sv"),
    (".", True, "ar he hi ms th"),
    (".", None, "en fa ja ko zh"),
)

LANGUAGES = {
    code: Conventions(decimal, day_first) for decimal, day_first, codes in _LANGUAGES for code in codes.split()
}

# Where a language is at home in one country, a page in it without another country is that country's.
_HOME = dict(
    pair.split(":") for pair in "cs:cz da:dk he:il hi:in is:is ja:jp ko:kr nb:no nn:no no:no pl:pl sv:se".split()
)

# Domains that only one country uses, besides those with its name.
_DOMAINS = {"gov": "us", "edu": "us", "mil": "us"}


def conventions_of(language: str | None, url: str | None) -> Conventions:
    """What a language tag (BCP 47) says, and the country of the page's address where that says nothing.

    >>> conventions_of("pt-BR", None)
    Conventions(decimal=',', day_first=True, currency='BRL')
    >>> conventions_of("en", "https://shop.example.com.au/")
    Conventions(decimal='.', day_first=True, currency='AUD')
    """
    code, *subtags = (language or "").lower().replace("_", "-").split("-")
    country = next((tag for tag in subtags if tag in COUNTRIES), _HOME.get(code))
    known = NOTHING_KNOWN if country is None else COUNTRIES[country]
    return known.completed(LANGUAGES.get(code, NOTHING_KNOWN)).completed(_country_of(url))


def _country_of(url: str | None) -> Conventions:
    try:
        labels = ((urlsplit(url).hostname if url else None) or "").split(".")
    except ValueError:
        return NOTHING_KNOWN
    domain = labels[-1]
    if domain == "co" and "com" not in labels:  # sold to companies everywhere
        return NOTHING_KNOWN
    return COUNTRIES.get(_DOMAINS.get(domain, domain), NOTHING_KNOWN)
