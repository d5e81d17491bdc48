"""Words of pagers in many languages, and the names that their elements and parameters have.
One list per meaning, languages mixed: a page rarely speaks two."""

from __future__ import annotations

from typing import NamedTuple

NEXT_WORDS = frozenset(
    """
    next nxt forward onward
    weiter weitere nächste nächster nächstes nächsten naechste vorwärts vor folgende
    suivant suivante suivants suivantes
    siguiente siguientes sig proximo próximo próxima proxima próximos próximas proximos proximas seguinte seguintes
    adelante avançar seguent següent
    avanti successivo successiva successivi successive prossimo prossima prossimi prossime
    volgende nästa næste neste næsta seuraava seuraavat
    dalej następna następne następny nastepna další dalsi následující ďalší ďalšia nasledujúca naprej naslednja
    sljedeća sljedeće sledeća dalje következő tovább următoarea urmatoarea următorul înainte kitas toliau
    nākamā nākamais järgmine edasi
    ileri sonraki επόμενη επόμενο επομενη επόμενα επόμενες
    далее дальше следующая следующие следующее следующий вперед вперёд наступна наступні далі следваща напред
    следна التالي التالية التالى بعدی הבא הבאה अगला आगे পরবর্তী ถัดไป ต่อไป
    sau tiếp berikutnya selanjutnya seterusnya
    """.split()
)
NEXT_CHARACTERS = frozenset("下一页 下一頁 下页 下頁 后一页 次へ 次の 次ページ 次頁 다음".split())
OLDER_WORDS = frozenset(
    "older ältere anciens anciennes antiguas antiguos antigas oudere äldre ældre eldre starsze vecchi старые".split()
)
MORE_WORDS = frozenset(
    "more mehr plus más mas mais altri altro meer fler flere więcej více viac еще ещё больше daha 更多 더보기".split()
)
PREVIOUS_WORDS = frozenset(
    """
    prev previous back zurück zurueck vorherige vorherigen vorheriger vorige précédent précédente précédents
    précédentes precedent precedente anterior anteriores indietro precedenti terug föregående forrige edellinen
    wstecz poprzednia poprzednie poprzedni předchozí predchozi zpět előző vissza önceki geri
    назад предыдущая предыдущие попередня προηγούμενη πίσω السابق السابقة
    """.split()
)
PREVIOUS_CHARACTERS = frozenset("上一页 上一頁 上页 前へ 前の 前ページ 이전".split())
PAGE_WORDS = frozenset(
    """
    page pages pg results result items records hits entries posts articles products matches threads topics list
    seite seiten ergebnisse treffer einträge beiträge artikel résultats articles billets página pagina páginas pagine
    resultados artículos entradas risultati resultaten berichten sida sidan resultat side sivu strona stronę stron
    wyniki strana stránka stránky výsledky oldal pagini sayfa σελίδα страница страницы страницу страниц сторінка
    записи результаты الصفحة صفحه صفحة דף עמוד trang halaman laman ページ
    """.split()
)
PAGE_FIRST = frozenset("page página pagina strona stránka strana страница الصفحة صفحه صفحة דף trang halaman".split())
"""Of these, those that come before "next"."""
FILLER_WORDS = frozenset("the to of on a la le les el die der das à vers de du zu na po naar till til s на".split())
VERBS = frozenset(
    """
    go show view see load get zur zum zeige anzeigen laden ver voir afficher charger ir cargar mostrar carregar vedi
    mostra toon laad pokaż показать
    """.split()
)
FAMILIAR_WORDS = PAGE_WORDS | FILLER_WORDS | VERBS
# Pages far away, or all of them on one.
FAR_WORDS = frozenset(
    """
    last first newest oldest latest all letzte letzten erste ersten neueste alle dernière dernières dernier première
    début fin tous toutes tout última última último ultimas primera primero primeira todos todas todo ultima prima
    tutti tutte laatste eerste sista första siste første ostatnia pierwsza wszystko wszystkie poslední první son ilk
    tümü последняя первая все
    """.split()
)
FAR_CHARACTERS = frozenset("最後 最初 首页 尾页 末页 처음 마지막".split())
# The next article is a page of its own, the next month another month.
OTHER_WORDS = frozenset(
    """
    article post story topic thread entry chapter photo picture image slide video movie item product question
    step month week day year event lesson section issue episode game song profile user member blog site tip
    beitrag thema bild monat woche tag jahr termin nachricht kapitel foto
    billet sujet mois semaine jour année artículo entrada tema mes semana día dia año ano noticia artigo imagen
    articolo mese settimana giorno anno notizia discussione bericht onderwerp maand dag jaar
    artykuł wpis temat zdjęcie miesiąc měsíc článek rok статья тема фото месяц неделя день год новость запись
    """.split()
)

ARROWS = ">›»→▶►❯⟩〉⇒➔➜➡⟶▸▷≻❱＞"
BACK_ARROWS = "<‹«←◀◄❮⟨〈⇐⬅⟵◂◁≺❰＜"

# What class names, ids and file names are made of.
NEXT_PARTS = frozenset(
    "next nextpage nextlink nextpostslink nextposts nextbtn nextbutton pagenext pagernext btnnext pagingnext".split()
)
PREVIOUS_PARTS = frozenset("prev previous previouspostslink prevpage prevlink".split())
POINTING_PARTS = frozenset("right forward rightarrow arrowright chevronright angleright".split())
MORE_PARTS = frozenset("more loadmore viewmore showmore seemore morelink infinite".split())
DISABLED_PARTS = frozenset({"disabled", "inactive", "disable"})
PAGER_PARTS = frozenset(
    "pagination pager paging paginator pagenav pagenavi pages pagelinks pagelist paginate pagebar paginacion".split()
)
# What turns a calendar, a show of pictures, or the articles of a site.
TRAP_PARTS = frozenset(
    "calendar month datepicker carousel slider slideshow slides slide gallery lightbox swiper slick related".split()
)


class Names(NamedTuple):
    """Names of parameters of addresses that mean the same: what they are, begin with, end with, or have anywhere."""

    whole: frozenset[str]
    begin: tuple[str, ...]
    end: tuple[str, ...]
    within: tuple[str, ...]

    def fits(self, name: str) -> bool:
        """Whether a name is one of them.

        >>> TIME_NAMES.fits("m"), TIME_NAMES.fits("mode"), TIME_NAMES.fits("startdate")
        (True, False, True)
        """
        return (
            name in self.whole
            or name.startswith(self.begin)
            or name.endswith(self.end)
            or any(part in name for part in self.within)
        )


PAGE_NAMES = Names(
    frozenset("p pn sida side fr from st stq s o b n i r hal cp nr no".split()),
    ("pg", "cur", "next", "num"),
    ("pos", "index"),
    tuple(
        "pag start offset skip first begin seite strona sayfa stran row trang cursor after before max token sivu oldal "
        "base desde inicio".split()
    ),
)
"""Of those that count pages, or the records before them."""

ID_NAMES = Names(
    frozenset(),
    (),
    ("id", "size", "limit", "type", "name", "title", "key"),
    ("per_p", "perp", "per-p", "limit", "csrf"),
)
"""Of those that do not, whatever they have in common with them."""

CURSOR_NAMES = Names(
    frozenset("after offset scroll bookmark".split()),
    ("after",),
    ("after", "max", "pagetoken", "nexttoken", "offset"),
    ("cursor", "contin"),
)
"""Of those that say after which record a page begins, in the site's own way."""

TIME_NAMES = Names(
    frozenset("m y d w ano anno".split()),
    (),
    ("tag", "mes"),
    tuple("mon year day date week time jahr mois annee".split()),
)
