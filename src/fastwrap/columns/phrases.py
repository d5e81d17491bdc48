"""What texts say of themselves: "Free shipping", "423 sold", "5 days ago", "3 rooms", in the main languages of the web.
A column is called so if most of its texts are of one kind, and nothing around them gives it a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

SHARE = 0.6
"""Of the texts, that must be of a kind."""

LONGEST = 120
"""Characters of texts on average, above which they are prose, in which words mean less."""

SHORT = 30
"""The same for what only measures or counts something: in longer texts it is one thing of many."""

SAMPLES = 15
"""Texts that are looked at, from first to last."""


class Phrase(NamedTuple):
    """A kind of texts: its name, its role, if it has one, and what its texts have."""

    name: str
    role: str
    pattern: re.Pattern[str]
    longest: int
    """Characters of its texts on average, at most."""


def _phrase(
    name: str, pattern: str, role: str | None = None, flags: re.RegexFlag = re.IGNORECASE, longest: int = LONGEST
) -> Phrase:
    """A kind of texts whose role is its name, if no other is given; one without a role is short."""
    given = name if role is None else role
    return Phrase(name, given, re.compile(pattern, flags), longest if given == name else SHORT)


PHRASES = (
    _phrase("unit price",
        r"\d\s*(?:[^\W\d_]{1,3}|[$€£¥₹])?\s*/\s*(?:\d+\s*)?(?:kg|g|l|ml|cl|m|m²|lb|oz|ea|unit|st|stk|stück"
        r"|pcs?|100)\b",
    ),
    _phrase("salary",
        r"[$€£₹]\s?\d[\d.,]*k?\b.*(?:\b(?:per|an?|p)\b|/)\W?\s?(?:hour|hr|year|yr|annum|month|week|day|"
        r"a\b)|\b(?:salary|salär|gehalt|brutto|salaire|salario|salário)\b|연봉|월급|시급",
    ),
    _phrase("size", r"^\W*\d[\d.,x× ]*\s?(?:[kmg]i?b?|bytes|ko|mo|kg|ml|cl|l|oz|lb|st|stk|stück|pcs?|[cm]?m)\b\W*$"),
    _phrase("area", r"\d\s*(?:m²|m2|qm|sq\.? ?ft|ft²|sqm|sq\.? ?m|㎡|кв)", "size"),
    _phrase("bathrooms", r"\d\s*(?:bath|bagn|banheir|baño|bad(?:ezimmer|kamer)?\b|salle|łazien)", ""),
    _phrase("rooms",
        r"\d\s*\+?\s*(?:zi(?:mmer)?\b|rooms?\b|bed|quarto|habitaci|dormit|chambre|pièce|camer|kamer|pok|"
        r"rum\b|vær|местн|комн|suíte)|^T\d\b", "",
    ),
    _phrase("parking", r"garage|parking|stellpl|estacionam|parkering|autorimess", ""),
    _phrase("floor",
        r"\b(?:floor|andar|etage|obergeschoss|erdgeschoss|planta|piso|étage|piano|rés do chão|"
        r"verdieping)\b", "",
    ),
    _phrase("photos", r"^\W*\d+\s*(?:photos?|fotos?|pictures?|images?|bilder|zdjęć|foto's)\b", ""),
    _phrase("sold",
        r"\d.*\b(?:sold|bought|verkauft|vendid[oa]s?|vendus?|vendut[io]|verkocht|sprzedano|продано|"
        r"comprado)", "",
    ),
    _phrase("reviews",
        r"\d.*\b(?:reviews?|ratings?|bewertung|rezension|avis|reseñas?|opinion|avaliaç|valoraci|recension|"
        r"beoordeling|отзыв|評価|件のレビュー)",
    ),
    _phrase("shipping",
        r"\b(?:shipping|delivery|deliver|postage|versand|lieferung|frete|envío|envio|livraison|spedizione|"
        r"bezorg|verzend|wysyłk|dostaw|frakt|fragt|kargo)|μεταφορικ|αποστολ|доставк|送料|配送|运费",
    ),
    _phrase("availability",
        r"\b(?:in stock|out of stock|sold out|available|availability|dispatch|ships? (?:in|within)|"
        r"lieferbar|verfügbar|auf lager|ausverkauft|disponib|disponív|esgotado|agotado|en stock|rupture|"
        r"op voorraad|uitverkocht|left in stock|only \d+ left|skladem|dostępn|в наличии|i lager|på lager)|"
        r"在庫|発送",
    ),
    _phrase("date",
        r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\b\d+ ?(?:days?|hours?|minutes?|weeks?|months?|years?|mins?|"
        r"hrs?) ago\b|\bhá \d|\bvor \d+|\bhace \d|\bil y a \d|\b\d+ giorn|\byesterday|\bgestern|\bontem|"
        r"\bayer\b|\bhier\b|\b\d+ ?(?:d|h|m|w|mo|y)\.? ago\b|дн(?:я|ей) назад",
    ),
    _phrase("phone", r"^\W*(?:[A-Za-z]{1,5}[.:]\s?)?\+?\(?\d[\d\s()./-]{6,}\d\W*$"),
    _phrase("format",
        r"^\W*(?:hardcover|paperback|hardback|softcover|mass market|taschenbuch|gebundene|broschiert|relié"
        r"|broché|e-?book|kindle|audio ?book|audio cd|dvd|blu-?ray|cd|vinyl|capa dura|capa comum|"
        r"tapa (?:dura|blanda)|pocket|ペーパーバック|ハードカバー|文庫|単行本)\b",
    ),
    _phrase("location",
        r",\s*[A-Z]{2}\s+\d{5}|^\W*\d{4,5}\s+[A-ZÄÖÜ][\w-]+|,[\w\s]*\s[A-Z]{2,3}\W*$", flags=re.NOFLAG,
    ),
    _phrase(
        "author",
        r"^\W*(?:[A-Z][\w'’-]+,\s*(?:[A-Z]\.[\s-]?)+(?:[,;&]|and|et al|$)\s*)+", longest=250, flags=re.NOFLAG,
    ),
)  # fmt: skip
"""The kinds, the most telling first."""


def phrase_of(texts: Sequence[str]) -> Phrase | None:
    """The kind that most of some texts are of; None if they are of none.

    >>> phrase_of(["423 sold", "86 sold", "1 sold"]).name, phrase_of(["Free shipping", "$4 shipping"]).role
    ('sold', 'shipping')
    >>> phrase_of(["An apple", "A pear"])
    """
    sample = texts[:: max(1, len(texts) // SAMPLES)][:SAMPLES]
    if not sample:
        return None
    length = sum(map(len, sample)) / len(sample)
    misses_allowed = int((1 - SHARE) * len(sample))
    for phrase in PHRASES:
        if length > phrase.longest:
            continue
        search, misses = phrase.pattern.search, 0
        for text in sample:
            if search(text) is None:
                misses += 1
                if misses > misses_allowed:
                    break
        else:
            return phrase
    return None
