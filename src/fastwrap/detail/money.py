"""What looks like an amount of money: for telling a price from other numbers, before its column is typed."""

from __future__ import annotations

import re

MONEY = re.compile(
    r"(?:(?:US|CA|AU|NZ|HK|R)?[$€£¥₹₽₩₺₫฿₪]|\b(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RUB|INR|JPY|AUD|CAD|kr|zł|Kč|Ft|"
    r"Rs)\.?)\s?\d[\d.,' \u00a0]*|\d[\d.,' \u00a0]*\s?(?:[€£¥₹₽₺₫฿₪]|\b(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RUB|kr|zł|"
    r"Kč|Ft|руб|lei|TL)\b)|\$\d[\d.,]*",
    re.IGNORECASE,
)
BARE_AMOUNT = re.compile(r"\d{1,3}(?:[., ]?\d{3})*[.,]\d{2}")
"""An amount without a currency."""
