"""Values as text and as JSON: how money, dates, times and lists are written where a format has no type for them.
Nothing is rounded: amounts stay decimal, dates and times are ISO 8601."""

from __future__ import annotations

from datetime import date, time
from typing import Any

from fastwrap.types import Money


def json_value(value: Any) -> Any:
    """A value as JSON has it: money as {amount, currency} with the amount in a string, dates and times as ISO 8601.

    Amounts are as exact as they were read, and never have an exponent.

    >>> from decimal import Decimal
    >>> json_value([Money(Decimal("12.50"), "EUR"), Money(Decimal("1.5E+3"), None), date(2003, 1, 2)])
    [{'amount': '12.50', 'currency': 'EUR'}, {'amount': '1500', 'currency': None}, '2003-01-02']
    """
    if isinstance(value, Money):
        return {"amount": f"{value.amount:f}", "currency": value.currency}
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, list):
        return [json_value(each) for each in value]
    if isinstance(value, dict):
        return {name: json_value(each) for name, each in value.items()}
    return value


def plain_text(value: Any) -> str:
    """A value for people to read; nothing for None.

    >>> from decimal import Decimal
    >>> plain_text(Money(Decimal("12.50"), "EUR")), plain_text(4.0), plain_text(True), plain_text(["a", None, "b"])
    ('12.50 EUR', '4', 'true', 'a; b')
    >>> plain_text([{"name": "A. Writer", "year": 2003}, {"name": "B. Writer", "year": None}])
    'A. Writer, 2003; B. Writer'
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Money):
        return f"{value.amount:f} {value.currency or ''}".rstrip()
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, list):
        return "; ".join(filter(None, map(plain_text, value)))
    if isinstance(value, dict):
        return ", ".join(filter(None, map(plain_text, value.values())))
    return str(value)


def with_unit(value: Any, unit: str) -> str:
    """A value for people to read, with what all of its column have around it.

    >>> with_unit(166000, "km"), with_unit(5.5, "%"), with_unit(4.5, "out of 5"), with_unit(5, "from … each")
    ('166000 km', '5.5%', '4.5 out of 5', 'from 5 each')
    """
    text = plain_text(value)
    if not unit or not text or isinstance(value, str):
        return text
    if "…" in unit:
        return unit.replace("… %", "…%").replace("…", text, 1)
    return f"{text}{unit}" if unit[0] == "%" else f"{text} {unit}"
