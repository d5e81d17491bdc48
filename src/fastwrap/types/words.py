"""Words that columns are read by, in the main languages: months, weekdays, signs of money, ratings, yes and no.
The names of months are those of CLDR, tested against it."""

from __future__ import annotations

import unicodedata

# One line per month: English, then what other languages add. Polish and Czech listopad is November, Croatian listopad
# is October: Croatian is left out.
MONTH_LINES = """
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


def _months() -> dict[str, int]:
    found: dict[str, int] = {}
    lines = MONTH_LINES.replace("\n    ", " ").strip().split("\n")
    for number, line in enumerate(lines, 1):
        for word in line.split():
            found[word] = number
            if not word.isascii():
                # As people type it who have no accents on their keyboard.
                letters = unicodedata.normalize("NFD", word)
                found.setdefault("".join(letter for letter in letters if not unicodedata.combining(letter)), number)
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
    found: dict[str, tuple[bool, bool]] = {}
    for answer, words in ((True, _YES), (False, _NO)):
        for alone, part in zip((True, False), words.replace("\n", " ").split("|"), strict=True):
            found |= {word.strip(): (answer, alone) for word in part.split(",")}
    for scheme in ("http", "https"):
        found |= {f"{scheme}://schema.org/{word}": found[word] for word in ("instock", "outofstock", "soldout")}
    return found


ANSWERS = _answers()
"""Words: what each answers, and whether it can be read without its opposite."""

FULL_STARS, HALF_STARS, EMPTY_STARS = "★⭐🌟✭✮✯", "⯨⯪½✬", "☆✩✰"

STAR_WORDS = frozenset(
    "star stars stern sterne sternen étoile étoiles estrella estrellas estrela estrelas stella stelle ster sterren "
    "gwiazdka gwiazdki gwiazdek stjärna stjärnor stjerne stjerner ★ ⭐".split()
)
RATING_WORDS = frozenset(
    "rating rated score note bewertung avaliação nota valutazione waardering ocena betyg puntuación calificación "
    "évaluation valoración beoordeling".split()
)

UNKNOWN = frozenset(
    "- -- --- – — − / . .. ... … ? ?? * n/a N/A n.a. N.A. na NA N/I n/d N/D nd s/n k.A. null NULL none None NaN tba "
    "TBA TBD".split()
) | {""}
"""What says that nothing is known."""
