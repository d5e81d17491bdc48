"""What texts say of themselves: "Free shipping", "423 sold", "5 days ago", "3 rooms", in the main languages of the web.
A column is called so if most of its texts are of one kind, and nothing around them gives it a name."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.columns import phrases as kernel

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
    words: str
    """What one of is in each of its texts, besides what `marks` says: four characters of a word, small ones, with
    spaces for what is no part of a word, and "/" between them; nothing where it has no such words."""
    marks: str
    """Characters instead: "1" for any digit, a comma, a slash, "字" for any letter of languages that set no words
    apart, "m" for a letter behind a number with which units of areas begin, or "-" for two of "./-" that stand behind
    digits, as in dates."""
    needs_digit: bool
    """Whether each text has a digit besides."""


def _phrase(
    name: str,
    pattern: str,
    role: str | None = None,
    flags: re.RegexFlag = re.IGNORECASE,
    longest: int = LONGEST,
    words: str = "",
    marks: str = "1",
) -> Phrase:
    """A kind of texts whose role is its name, if no other is given; one without a role is short. `words` and `marks`
    are as in `Phrase`; a digit is needed besides the words where the marks begin with "1&"."""
    given = name if role is None else role
    longest = longest if given == name else SHORT
    needs_digit = marks.startswith("1&")
    return Phrase(name, given, re.compile(pattern, flags), longest, words, marks.removeprefix("1&"), needs_digit)


PHRASES = (
    _phrase("unit price",
        r"\d\s*(?:[^\W\d_]{1,3}|[$€£¥₹])?\s*/\s*(?:\d+\s*)?(?:kg|g|l|ml|cl|m|m²|lb|oz|ea|unit|st|stk|stück"
        r"|pcs?|100)\b",
        marks="1&/",
    ),
    _phrase("salary",
        r"[$€£₹]\s?\d[\d.,]*k?\b.*(?:\b(?:per|an?|p)\b|/)\W?\s?(?:hour|hr|year|yr|annum|month|week|day|"
        r"a\b)|\b(?:salary|salär|gehalt|brutto|salaire|salario|salário)\b|연봉|월급|시급",
        words="sala/salä/salá/geha/brut", marks="1字",
    ),
    _phrase("size", r"^\W*\d[\d.,x× ]*\s?(?:[kmg]i?b?|bytes|ko|mo|kg|ml|cl|l|oz|lb|st|stk|stück|pcs?|[cm]?m)\b\W*$"),
    _phrase("area", r"\d\s*(?:m²|m2|qm|sq\.? ?ft|ft²|sqm|sq\.? ?m|㎡|кв)", "size", marks="m"),
    _phrase("bathrooms", r"\d\s*(?:bath|bagn|banheir|baño|bad(?:ezimmer|kamer)?\b|salle|łazien)", "",
        words="bath/bagn/banh/baño/bad /bade/badk/sall/łazi", marks="1&",
    ),
    _phrase("rooms",
        r"\d\s*\+?\s*(?:zi(?:mmer)?\b|rooms?\b|bed|quarto|habitaci|dormit|chambre|pièce|camer|kamer|pok|"
        r"rum\b|vær|местн|комн|suíte)|^T\d\b", "",
    ),
    _phrase("parking", r"garage|parking|stellpl|estacionam|parkering|autorimess", "",
        words="rage/park/llpl/onam/rime", marks="",
    ),
    _phrase("floor",
        r"\b(?:floor|andar|etage|obergeschoss|erdgeschoss|planta|piso|étage|piano|rés do chão|"
        r"verdieping)\b", "",
        words="floo/anda/etag/gesc/plan/piso/étag/pian/chão/verd", marks="",
    ),
    _phrase("photos", r"^\W*\d+\s*(?:photos?|fotos?|pictures?|images?|bilder|zdjęć|foto's)\b", "",
        words="phot/foto/pict/imag/bild/zdję", marks="1&",
    ),
    _phrase("sold",
        r"\d.*\b(?:sold|bought|verkauft|vendid[oa]s?|vendus?|vendut[io]|verkocht|sprzedano|продано|"
        r"comprado)", "",
        words="sold/boug/verk/vend/sprz/прод/comp", marks="1&",
    ),
    _phrase("reviews",
        r"\d.*\b(?:reviews?|ratings?|bewertung|rezension|avis|reseñas?|opinion|avaliaç|valoraci|recension|"
        r"beoordeling|отзыв|評価|件のレビュー)",
        words="revi/rati/bewe/reze/avis/rese/opin/aval/valo/rece/beoo/отзы", marks="1&字",
    ),
    _phrase("shipping",
        r"\b(?:shipping|delivery|deliver|postage|versand|lieferung|frete|envío|envio|livraison|spedizione|"
        r"bezorg|verzend|wysyłk|dostaw|frakt|fragt|kargo)|μεταφορικ|αποστολ|доставк|送料|配送|运费",
        words="ship/deli/post/vers/lief/fret/enví/envi/livr/sped/bezo/verz/wysy/dost/frak/frag/karg/μετα/αποσ/дост",
        marks="字",
    ),
    _phrase("availability",
        r"\b(?:in stock|out of stock|sold out|available|availability|dispatch|ships? (?:in|within)|"
        r"lieferbar|verfügbar|auf lager|ausverkauft|disponib|disponív|esgotado|agotado|en stock|rupture|"
        r"op voorraad|uitverkocht|left in stock|only \d+ left|skladem|dostępn|в наличии|i lager|på lager)|"
        r"在庫|発送",
        words="stoc/sold/avai/disp/ship/lief/verf/lage/ausv/esgo/agot/rupt/voor/uitv/left/skla/dost/нали", marks="字",
    ),
    _phrase("date",
        r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\b\d+ ?(?:days?|hours?|minutes?|weeks?|months?|years?|mins?|"
        r"hrs?) ago\b|\bhá \d|\bvor \d+|\bhace \d|\bil y a \d|\b\d+ giorn|\byesterday|\bgestern|\bontem|"
        r"\bayer\b|\bhier\b|\b\d+ ?(?:d|h|m|w|mo|y)\.? ago\b|дн(?:я|ей) назад",
        words="yest/gest/onte/ayer/hier/наза/ ago/ há /vor /hace/ y a/gior", marks="-",
    ),
    _phrase("phone", r"^\W*(?:[A-Za-z]{1,5}[.:]\s?)?\+?\(?\d[\d\s()./-]{6,}\d\W*$"),
    _phrase("format",
        r"^\W*(?:hardcover|paperback|hardback|softcover|mass market|taschenbuch|gebundene|broschiert|relié"
        r"|broché|e-?book|kindle|audio ?book|audio cd|dvd|blu-?ray|cd|vinyl|capa dura|capa comum|"
        r"tapa (?:dura|blanda)|pocket|ペーパーバック|ハードカバー|文庫|単行本)\b",
        words="hard/pape/soft/mass/tasc/gebu/bros/reli/broc/book/kind/audi/ dvd/ blu/ cd /viny/capa/tapa/pock",
        marks="字",
    ),
    _phrase("location",
        r",\s*[A-Z]{2}\s+\d{5}|^\W*\d{4,5}\s+[A-ZÄÖÜ][\w-]+|,[\w\s]*\s[A-Z]{2,3}\W*$", flags=re.NOFLAG,
        marks="1,",
    ),
    _phrase(
        "author",
        r"^\W*(?:[A-Z][\w'’-]+,\s*(?:[A-Z]\.[\s-]?)+(?:[,;&]|and|et al|$)\s*)+", longest=250, flags=re.NOFLAG,
        marks=",",
    ),
)  # fmt: skip
"""The kinds, the most telling first."""

MOST_LENGTH = max(phrase.longest for phrase in PHRASES)

FIRST_WORDS = 64
"""The first of the bits that stand for words: those below are marks, as the kernel has them."""
MARKS = {"1": 1, ",": 2, "字": 4, "/": 8, "m": 16, "-": 32}


@cache
def tables() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """What the kernel looks for: the four characters of all words, what each says, and what the kinds need."""
    grams: dict[int, int] = {}
    needs = np.zeros((len(PHRASES), 2), dtype=np.uint32)
    bit = FIRST_WORDS
    for number, phrase in enumerate(PHRASES):
        wanted = sum(MARKS[mark] for mark in phrase.marks)
        if phrase.words:
            wanted |= bit
            for word in phrase.words.split("/"):
                gram = sum((0 if letter == " " else ord(letter)) << 16 * (3 - k) for k, letter in enumerate(word))
                grams[gram] = grams.get(gram, 0) | bit
            bit <<= 1
        needs[number] = wanted, MARKS["1"] if phrase.needs_digit else wanted
    order = sorted(grams)
    return np.array(order, dtype=np.uint64), np.array([grams[gram] for gram in order], dtype=np.uint32), needs


@cache
def kinds() -> kernel.Kinds:
    """The kernel with these."""
    return kernel.Kinds(*tables())


def phrase_of(texts: list[str]) -> Phrase | None:
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
    if length > MOST_LENGTH:
        return None
    possible = kinds().may_be(sample, misses_allowed)
    for number, phrase in enumerate(PHRASES if possible else ()):
        if not possible >> number & 1 or length > phrase.longest:
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
