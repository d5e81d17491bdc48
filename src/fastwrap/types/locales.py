"""How languages and countries write: decimal sign, order of dates, currency; and their words for months, yes and no.
Only what decides between two readings of a column. Conventions and month names are those of CLDR, tested against it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
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
        return Conventions(
            self.decimal if self.decimal is not None else other.decimal,
            self.day_first if self.day_first is not None else other.day_first,
            self.currency if self.currency is not None else other.currency,
        )


NOTHING_KNOWN = Conventions()


def agreed(all_shown: Iterable[Conventions]) -> Conventions:
    """What several columns show, where they do not contradict each other.

    >>> agreed([Conventions(decimal=","), Conventions(decimal=".", day_first=True)])
    Conventions(decimal=None, day_first=True, currency=None)
    """
    seen = list(all_shown)
    decimals = {shown.decimal for shown in seen} - {None}
    orders = {shown.day_first for shown in seen} - {None}
    currencies = {shown.currency for shown in seen} - {None}
    return Conventions(
        decimals.pop() if len(decimals) == 1 else None,
        orders.pop() if len(orders) == 1 else None,
        currencies.pop() if len(currencies) == 1 else None,
    )


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


@lru_cache(64)
def conventions_of(language: str | None, url: str | None) -> Conventions:
    """What a language tag (BCP 47) says, and the country of the page's address where that says nothing.

    >>> conventions_of("pt-BR", None)
    Conventions(decimal=',', day_first=True, currency='BRL')
    >>> conventions_of("en", "https://shop.example.com.au/")
    Conventions(decimal='.', day_first=True, currency='AUD')
    """
    code, *subtags = (language or "").lower().replace("_", "-").split("-")
    country = next((tag for tag in subtags if tag in COUNTRIES), _HOME.get(code))
    known = Conventions() if country is None else COUNTRIES[country]
    return known.completed(LANGUAGES.get(code, Conventions())).completed(_country_of(url))


def _country_of(url: str | None) -> Conventions:
    try:
        labels = ((urlsplit(url).hostname if url else None) or "").split(".")
    except ValueError:
        return Conventions()
    domain = labels[-1]
    if domain == "co" and "com" not in labels:  # sold to companies everywhere
        return Conventions()
    return COUNTRIES.get(_DOMAINS.get(domain, domain), Conventions())


# One line a month: English, then what other languages add. Polish and Czech listopad is November, Croatian listopad is
# October: Croatian is left out.
_MONTHS = """
january jan januar jän jänner janvier janv enero ene janeiro gennaio gen januari styczeń stycznia sty tammikuu
    tammikuuta leden ledna január januára ianuarie ian ocak oca январь января янв січень січня січ ιανουάριος
    ιανουαρίου ιαν gener
february feb februar février févr fév febrero fevereiro fev febbraio februari luty lutego lut helmikuu helmikuuta
    únor února úno február februára febr februarie şubat şub февраль февраля февр фев лютий лютого лют φεβρουάριος
    φεβρουαρίου φεβ febrer
march mar märz mär mrz mars marzo março maart mrt marzec marca marts maaliskuu maaliskuuta březen března bře marec
    március márc martie mart maret март марта мар березень березня бер μάρτιος μαρτίου μάρ març
april apr avril avr abril abr aprile kwiecień kwietnia kwi huhtikuu huhtikuuta duben dubna dub apríl apríla április
    ápr aprilie nisan nis апрель апреля апр квітень квітня квіт απρίλιος απριλίου απρ
may mai mayo maio maggio mag mei maj maja toukokuu toukokuuta květen května kvě máj mája május mayıs май мая травень
    травня трав μάιος μαΐου μάι μαΐ maig
june jun juni juin junio junho giugno giu czerwiec czerwca cze kesäkuu kesäkuuta červen června čvn jún júna június
    iunie iun haziran haz июнь июня июн червень червня черв ιούνιος ιουνίου ιουν ιούν juny
july jul juli juillet juil julio julho luglio lug lipiec lipca lip heinäkuu heinäkuuta červenec července čvc júl
    júla július iulie iul temmuz tem июль июля июл липень липня лип ιούλιος ιουλίου ιουλ ιούλ juliol
august aug août aoû agosto ago augustus sierpień sierpnia sie augusti elokuu elokuuta srpen srpna srp augusta
    augusztus ağustos ağu agustus agu август августа авг серпень серпня серп αύγουστος αυγούστου αυγ αύγ agost
september sep sept septembre septiembre setiembre setembro set settembre wrzesień września wrz syyskuu syyskuuta
    září zář septembra szeptember szept septembrie eylül eyl сентябрь сентября сент сен вересень вересня вер
    σεπτέμβριος σεπτεμβρίου σεπ setembre
october oct oktober okt octobre octubre outubro out ottobre ott październik października paź lokakuu lokakuuta říjen
    října říj október októbra octombrie ekim eki октябрь октября окт жовтень жовтня жовт οκτώβριος οκτωβρίου οκτ
november nov novembre noviembre novembro listopad listopada lis marraskuu marraskuuta listopadu novembra noiembrie
    kasım kas ноябрь ноября нояб ноя листопад листопада лист νοέμβριος νοεμβρίου νοέ νοε
december dec dezember dez décembre déc diciembre dic dezembro dicembre grudzień grudnia gru desember des joulukuu
    joulukuuta prosinec prosince pro decembra decembrie aralık ara декабрь декабря дек грудень грудня груд
    δεκέμβριος δεκεμβρίου δεκ desembre
"""

_WEEKDAYS = """
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim
lunes martes miércoles jueves viernes sábado domingo mié jue vie sáb dom
segunda terça quarta quinta sexta feira seg ter qua qui sex
lunedì martedì mercoledì giovedì venerdì sabato domenica gio sab
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo
poniedziałek wtorek środa czwartek piątek sobota niedziela pon wto śro czw pią sob nie pn wt śr cz pt nd
måndag tisdag onsdag torsdag fredag lördag söndag mån tis ons tor tors fre lör sön
mandag tirsdag lørdag søndag man tir tirs lør søn
maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai pondělí úterý středa čtvrtek pátek neděle
pazartesi salı çarşamba perşembe cuma cumartesi pazar
понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
"""


def without_accents(word: str) -> str:
    """The word as people type it who have no accents on their keyboard.

    >>> without_accents("décembre")
    'decembre'
    """
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _months() -> dict[str, int]:
    found: dict[str, int] = {}
    lines = _MONTHS.replace("\n    ", " ").strip().split("\n")
    for number, line in enumerate(lines, 1):
        for word in line.split():
            found[word] = number
            if not word.isascii():
                found.setdefault(without_accents(word), number)
    return found


MONTHS = _months()
"""Names and abbreviations of months, in lower case and without a full stop."""

WEEKDAYS = frozenset(_WEEKDAYS.split())

CURRENCIES = {
    "€": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "US$": "USD", "U$S": "USD", "USD$": "USD",
    "C$": "CAD", "CA$": "CAD", "CAD$": "CAD", "CDN$": "CAD", "A$": "AUD", "AU$": "AUD", "AUD$": "AUD",
    "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "NT$": "TWD", "MX$": "MXN", "R$": "BRL", "RD$": "DOP", "円": "JPY",
    "元": "CNY", "원": "KRW", "₩": "KRW", "₹": "INR", "₽": "RUB", "руб": "RUB", "руб.": "RUB", "₴": "UAH",
    "грн": "UAH", "грн.": "UAH", "₺": "TRY", "TL": "TRY", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "lei": "RON",
    "лв": "BGN", "лв.": "BGN", "₫": "VND", "₪": "ILS", "฿": "THB", "₱": "PHP", "₦": "NGN", "₸": "KZT",
    "Rp": "IDR", "Rp.": "IDR", "RM": "MYR", "S/": "PEN", "S/.": "PEN", "Fr.": "CHF", "SFr.": "CHF",
    "sFr.": "CHF",
}  # fmt: skip
"""Signs that mean one currency."""

CURRENCIES |= {
    code: code
    for code in """
    AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW KWD KZT MAD MXN MYR
    NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD UYU VND ZAR
    """.split()
}

AMBIGUOUS_CURRENCIES = {
    "$": "USD ARS AUD CAD CLP COP DOP HKD MXN NZD SGD TWD UYU".split(),
    "¥": "JPY CNY".split(),
    "kr": "SEK NOK DKK ISK".split(),
    "Rs": "INR PKR".split(),
    "R": ["ZAR"],
}
"""Signs that mean several: which one is decided by the column, the table or the page."""

# Other spellings of the ambiguous signs.
AMBIGUOUS_SPELLINGS = {"￥": "¥", "＄": "$", "kr.": "kr", "Kr": "kr", "Kr.": "kr", "KR": "kr", "Rs.": "Rs", "₨": "Rs"}

THREE_DECIMALS = frozenset("KWD TND".split())
"""Currencies whose amounts have three decimals."""

# Affirmed and denied. After the bar: words too short, or with too many meanings, to be read without their opposite.
_YES = """
yes, true, ja, oui, sí, sim, tak, kyllä, ano, igen, evet, да, так, はい, 是, 예, ✓, ✔, ☑, ✅, in stock, instock,
available, auf lager, verfügbar, lieferbar, sofort lieferbar, vorrätig, en stock, disponible, em estoque,
disponível, disponibile, op voorraad, leverbaar, beschikbaar, i lager, på lager, finns i lager, skladem, na
skladě, dostępny, dostępne, w magazynie, в наличии, есть в наличии, varastossa, stokta var, 在庫あり, 有货 | si,
y, da, hai, on, o, x
"""
_NO = """
no, false, nein, non, não, nie, nej, hayır, нет, ні, いいえ, 否, 아니요, ✗, ✘, ☒, ❌, out of stock, outofstock, sold
out, soldout, unavailable, not available, currently unavailable, nicht auf lager, nicht verfügbar, nicht
lieferbar, ausverkauft, rupture de stock, en rupture de stock, épuisé, indisponible, agotado, sin stock, no
disponible, esgotado, indisponível, esaurito, non disponibile, uitverkocht, niet op voorraad, niet
beschikbaar, slut i lager, ej i lager, ikke på lager, udsolgt, utsolgt, vyprodáno, není skladem,
niedostępny, niedostępne, нет в наличии, loppu varastosta, stokta yok, tükendi, 在庫なし, 缺货 | nao, nee, ne, n,
ei, nem, off, ×, ✕, ✖
"""


def _answers() -> dict[str, tuple[bool, bool]]:
    """Word: what it answers, and whether it can be read without its opposite."""
    found: dict[str, tuple[bool, bool]] = {}
    for answer, words in ((True, _YES), (False, _NO)):
        for alone, part in zip((True, False), words.replace("\n", " ").split("|"), strict=True):
            found |= {word.strip(): (answer, alone) for word in part.split(",")}
    for scheme in ("http", "https"):
        found |= {f"{scheme}://schema.org/{word}": found[word] for word in ("instock", "outofstock", "soldout")}
    return found


ANSWERS = _answers()
