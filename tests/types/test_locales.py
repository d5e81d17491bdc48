"""The tables of languages, countries, months and currencies, compared with CLDR, as Babel has it."""

from __future__ import annotations

import pytest

from fastwrap.types import locales, words


def test_months_are_those_of_cldr() -> None:
    dates = pytest.importorskip("babel.dates")
    for language in "en de fr es pt it nl pl sv da nb fi cs sk hu ro tr ru uk el id".split():
        for width in ("wide", "abbreviated"):
            for number, name in dates.get_month_names(width, "format", language).items():
                word = name.lower().strip(".")
                # CLDR's own abbreviations that pages do not use
                if word not in {"tammi", "helmi", "maalis", "huhti", "touko", "kesä", "heinä", "elo", "syys", "loka",
                                "marras", "joulu", "led"}:  # fmt: skip
                    assert words.MONTHS[word] == number, (language, word)


def test_no_month_is_a_month_of_another_language() -> None:
    lines = words.MONTH_LINES.replace("\n    ", " ").strip().split("\n")
    names = [word for line in lines for word in line.split()]
    assert len(names) == len(set(names))
    assert len(lines) == 12
    # The first look at a column takes shorter words for no months.
    assert min(map(len, names)) == 3
    assert all(map(str.isalpha, names))


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

    ambiguous = [code for codes in words.AMBIGUOUS_CURRENCIES.values() for code in codes]
    for code in [*words.CURRENCIES.values(), *ambiguous, *words.THREE_DECIMALS]:
        assert is_currency(code, "en"), code
