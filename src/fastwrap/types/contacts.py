"""Contacts of a column: mail addresses and telephone numbers, in texts and in links such as "mailto:".
They stay as they are written: which country's a telephone number is cannot be told."""

from __future__ import annotations

import re
from urllib.parse import unquote

from fastwrap._core.types.strings import MAIL, PHONES, Strings
from fastwrap.types.expressions import DIGIT, Expression
from fastwrap.types.reading import LONGEST, MISSES, Context, Reader, Reading, Value, read_as, read_each

_SCHEMES = {"mailto:": "email", "tel:": "phone"}
_MAIL = Expression(r"(?:mailto:)?([A-Za-z0-9._%+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24})(?:\?.*)?")

_EXTENSION = Expression("[xe]", re.IGNORECASE)
_PHONE = Expression(
    r"""
    (?:(?:tel|phone|ph|fax|telefon|telefono|teléfono|telefone|téléphone|mobile?|cell|call|t|f|m)\b[.:]{0,2}\s?[.:]?\s?)?
    ((?:
        \+[0-9](?:[\s().\-/]{0,2}[0-9]){6,14}                           # +49 30 123456
      | \(\+?[0-9]{1,5}\)\s?[0-9]{2,5}(?:[\s.\-/]?[0-9]{2,5}){1,3}      # (205) 854-1688
      | (?:1[\s.-])?[0-9]{3}([\s.-])[0-9]{3}\2[0-9]{4}                  # 205-854-1688
      | 0[0-9]{1,4}(?:[\s/.-][0-9]{2,8}){1,5}                           # 030 123456, 01 23 45 67 89
    )(?:\s?(?:x|ext\.?|extension)\s?[0-9]{1,6})?)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def read_contact_links(links: list[str | None]) -> tuple[str, list[Value | None]]:
    """Read links, some of which lead to mail addresses or telephones, as these if most do; else as addresses. Links
    that lead elsewhere stay.

    >>> read_contact_links(["mailto:a@example.org"])
    ('email', ['a@example.org'])
    """
    filled = [link for link in links if link is not None]
    enough = (1 - MISSES) * len(filled)
    few = filled[: int(MISSES * len(filled)) + 1]
    for scheme, name in _SCHEMES.items():
        if any(link.startswith(scheme) for link in few):
            contacts = [None if link is None else _target(link, scheme) for link in links]
            if len(contacts) - contacts.count(None) >= enough:
                return name, [contact or link for contact, link in zip(contacts, links, strict=True)]
    return "url", [*links]


def _target(address: str, scheme: str) -> str | None:
    """The mail address or telephone number that a link leads to."""
    if not address.startswith(scheme):
        return None
    target = unquote(address[len(scheme) :].partition("?")[0]).strip()
    if scheme == "mailto:" and _MAIL.fullmatch(target) is None:
        return None
    return target or None


def read_mail_addresses(strings: Strings, _: Context) -> Reading | None:
    """Read a column of texts as mail addresses.

    >>> from fastwrap.types.reading import look_at
    >>> read_mail_addresses(look_at(["a@example.org"]), Context()).type
    'email'
    """
    values = _matches(_MAIL, strings)
    return read_as("email", strings, values) if values else None


def read_phones(strings: Strings, _: Context) -> Reading | None:
    """Read a column of texts as telephone numbers, as they are written: which country's they are is not known.

    >>> from fastwrap.types.reading import look_at
    >>> read_phones(look_at(["Tel.: (205) 854-1688 ext. 5"]), Context()).values
    ['(205) 854-1688 ext. 5']
    """
    values = _matches(_PHONE, strings)
    for value in values.values():
        digits = len(DIGIT.findall(_EXTENSION.split(value, maxsplit=1)[0]))
        # 01 02 2003 has as many digits as a date
        if not 7 <= digits <= 15 or (value[0] == "0" and digits < 9):
            return None
    return read_as("phone", strings, values) if values else None


def _matches(pattern: Expression, strings: Strings) -> dict[str, str]:
    """What the pattern finds in the strings, by these; nothing if it does not find it in enough of them."""

    def first_group(string: str) -> str | None:
        match = pattern.fullmatch(string) if len(string) <= LONGEST else None
        return None if match is None else match[1]

    return read_each(strings, first_group)[0]


MAIL_READER = Reader(("email",), MAIL, read_mail_addresses)
PHONE_READER = Reader(("phone",), PHONES, read_phones)
