"""Words of pagers in many languages, and the names that their elements and parameters have.
One list per meaning, languages mixed: a page rarely speaks two."""

from __future__ import annotations

from typing import NamedTuple

NEXT_WORDS = frozenset(
    """
    next nxt forward onward
    weiter weitere nächste nächster nächstes nächsten naechste vorwärts vor folgende
    suivant suivante suivants suivantes suiv
    siguiente siguientes sig proximo próximo próxima proxima próximos próximas proximos proximas seguinte seguintes
    adelante avançar seguent següent hurrengoa hurrengo
    avanti successivo successiva successivi successive succ prossimo prossima prossimi prossime
    volgende verder nästa næste neste næsta seuraava seuraavat nesaf
    dalej następna następne następny nastepna další dalsi dále následující ďalší ďalšia ďalej nasledujúca naprej
    naslednja sljedeća sljedeće sledeća sledeće naredna iduća dalje következő tovább további următoarea urmatoarea
    următoare următorul înainte inainte kitas kita toliau pirmyn nākamā nākamais tālāk järgmine edasi tjetra tjetër
    ileri sonraki sonrakı növbəti keyingi επόμενη επόμενο επομενη επόμενα επόμενες
    далее дальше следующая следующие следующее следующий след вперед вперёд наступна наступні наступний наступная
    далі далей следваща следващи следващ напред следна следећа наредна даље келесі дараах дараагийн
    შემდეგი հաջորդ հաջորդը
    التالي التالية التالى اللاحق بعدی بعد بعدي اگلا اگلے اگلی הבא הבאה
    अगला अगले अगली आगे पुढील पुढचे पुढे পরবর্তী পরের અગલું આગળ આગલું ਅਗਲਾ அடுத்த அடுத்தது அடுத்து తదుపరి తర్వాత
    sau tiếp kế berikutnya selanjutnya lanjut seterusnya susunod inayofuata 次
    """.split()
)
NEXT_CHARACTERS = frozenset(
    """
    下一页 下一頁 下页 下頁 后一页 后页 後一頁 後頁 次へ 次の 次ページ 次頁 다음 ถัดไป ต่อไป หน้าต่อไป បន្ទាប់ ຕໍ່ໄປ နောက်
    """.split()
)
"""Where words are not set apart, the parts that say it."""
OLDER_WORDS = frozenset(
    """
    older ältere anciens anciennes antiguas antiguos antigas oudere äldre ældre eldre starsze starší vecchi старые
    старше старіші régebbi eski
    """.split()
)
MORE_WORDS = frozenset(
    """
    more mehr plus más mas mais més altri altre altro più meer fler flere mer lisää więcej více viac több multe
    еще ещё больше ще більше још još više več daha lebih lagi lainnya thêm περισσότερα още
    المزيد مزيد بیشتر עוד और আরও अधिक 更多 더보기
    """.split()
)
MORE_CHARACTERS = frozenset("更多 もっと さらに 더보기 더 เพิ่ม".split())
PREVIOUS_WORDS = frozenset(
    """
    prev previous back zurück zurueck vorherige vorherigen vorheriger vorige précédent précédente précédents
    précédentes préc precedent precedente anterior anteriores indietro precedenti terug föregående forrige fyrri
    edellinen blaenorol aurrekoa
    wstecz poprzednia poprzednie poprzedni předchozí predchozi zpět predchádzajúca späť prejšnja nazaj prethodna
    prethodno natrag nazad előző vissza înapoi inapoi anterioara anterioară önceki əvvəlki geri oldingi eelmine tagasi
    iepriekšējā atpakaļ ankstesnis atgal mëparshme
    назад предыдущая предыдущие предыдущий пред попередня попередні папярэдняя предишна предишни претходна алдыңғы
    өмнөх προηγούμενη προηγούμενο προηγούμενα πίσω წინა նախորդ
    السابق السابقة قبلی قبل پیش پیشین پچھلا הקודם הקודמת पिछला पिछले पिछली मागील পূর্ববর্তী আগের முந்தைய మునుపటి
    trước sebelumnya kembali
    """.split()
)
PREVIOUS_CHARACTERS = frozenset(
    "上一页 上一頁 上页 上頁 前一页 前一頁 前页 前頁 前へ 前の 前ページ 戻る 이전 ก่อนหน้า ย้อนกลับ ກ່ອນ មុន".split()
)
PAGE_WORDS = frozenset(
    """
    page pages pg results result items records hits entries posts articles products matches threads topics list
    seite seiten ergebnisse treffer einträge beiträge artikel résultats articles billets página pagina páginas pagine
    pàgina páxina orria resultados artículos entradas risultati resultaten berichten sida sidan resultat side sivu
    síða strona stronę stron wyniki strana strany stran stránka stránky stranica výsledky oldal találatok találat
    pagini leht lehekülg lapa puslapis faqja sayfa səhifə sahifa σελίδα σελίδες страница страницы страницу страниц
    страници страна сторінка сторінку старонка бет хуудас გვერდი էջ записи результаты
    الصفحة صفحه صفحة صفحات صفحہ الصفحات نتائج דף הדף לדף עמוד העמוד לעמוד תוצאות
    पृष्ठ पेज पन्ना पान পাতা পৃষ্ঠা பக்கம் పేజీ trang halaman laman ページ 페이지
    """.split()
)
PAGE_FIRST = frozenset(
    """
    page página pagina pàgina strona stránka strana страница сторінка الصفحة صفحه صفحة דף הדף לדף עמוד העמוד לעמוד
    trang halaman faqja หน้า
    """.split()
)
"""Of these, those that come before "next"."""
NUMBER_FIRST = frozenset(
    """
    page pg seite página pagina sida side sivu strona strana stránka stran oldal sayfa σελίδα страница сторінка trang
    halaman صفحه صفحة الصفحة דף עמוד पृष्ठ पेज หน้า goto go gehe aller ir vai zur
    """.split()
)
"""What links to a numbered page start with."""
FILLER_WORDS = frozenset(
    """
    the to of on a la le les el die der das à vers de du di zu na po naar till til s на до к w banyak fazla mai inn
    theo เติม
    """.split()
)
VERBS = frozenset(
    """
    go show view see load get fetch browse navigate zur zum zeige anzeigen laden ver voir afficher charger ir cargar
    mostrar carregar vedi mostra carica toon laad visa ladda vis hent indlæs näytä lataa pokaż załaduj wczytaj
    zobrazit načíst zobraziť încarcă arată mutass göster yükle показать загрузить показати завантажити покажи зареди
    عرض تحميل نمایش הצג טען देखें और xem tải muat lihat tampilkan 查看 加载 加載 載入 看更多 โหลดเพิ่ม ดูเพิ่ม
    """.split()
)
FAMILIAR_WORDS = PAGE_WORDS | FILLER_WORDS | VERBS
# Pages far away, or all of them on one.
FAR_WORDS = frozenset(
    """
    last first newest oldest latest all letzte letzten erste ersten neueste alle dernière dernières dernier première
    début fin tous toutes tout última última último ultimas primera primero primeira todos todas todo ultima prima
    tutti tutte laatste eerste sista första siste første ostatnia pierwsza wszystko wszystkie poslední první son ilk
    tümü tüm последняя первая последние все остання перша всі последна първа всички poslední první posledná prvá zadnja
    prva posljednja последња прва utolsó első összes ultimul prima toate viimeinen ensimmäinen viimane esimene pēdējā
    pirmā paskutinis pirmas τελευταία πρώτη όλα όλες
    الأخيرة الأخير الأولى الكل آخرین اولین انتها آخر همه האחרון אחרון ראשון הראשון הכל अंतिम पहला सभी শেষ প্রথম
    cuối đầu terakhir pertama semua
    """.split()
)
FAR_CHARACTERS = frozenset(
    "最後 最后 最初 最終 首页 首頁 尾页 尾頁 末页 末頁 全部 처음 마지막 맨끝 전체 สุดท้าย หน้าแรก ทั้งหมด".split()
)
# The next article is a page of its own, the next month another month.
OTHER_WORDS = frozenset(
    """
    article post story topic thread entry chapter photo picture image slide video movie item product question
    step month week day year event lesson section issue episode game song profile user member blog site tip
    comment comments recipe guide project track volume part quiz level match case tutorial unit
    beitrag thema bild monat woche tag jahr termin nachricht kapitel foto kommentare folge rezept produkt schritt
    billet sujet mois semaine jour année chapitre épisode commentaires recette étape produit
    artículo entrada tema mes semana día dia año ano noticia artigo imagen capítulo episodio comentarios receta paso
    producto imagem postagem tópico etapa produto comentários
    articolo mese settimana giorno anno notizia discussione capitolo commenti ricetta immagine puntata prodotto
    bericht onderwerp maand dag jaar hoofdstuk aflevering reacties afbeelding stap
    månad vecka inlägg ämne kapitel avsnitt bildspel uge måned indlæg emne uke innlegg kuukausi viikko aihe luku kuva
    artykuł wpis temat zdjęcie miesiąc rozdział odcinek komentarze krok měsíc týden článek rok příspěvek téma kapitola
    díl obrázek mesiac článok hónap cikk fejezet kép luna articolul capitolul ay hafta yıl konu bölüm makale yazı resim
    μήνας εβδομάδα άρθρο θέμα κεφάλαιο εικόνα
    статья тема фото месяц неделя день год новость запись глава серия комментарии выпуск урок шаг
    стаття місяць тиждень розділ новина статия месец седмица снимка
    المقال المقالة الموضوع الشهر الصورة الفصل الحلقة الأسبوع مطلب ماه هفته عکس قسمت موضوع הכתבה המאמר החודש הפוסט הפרק
    लेख महीना सप्ताह अध्याय bài tháng tuần chương tập ảnh bulan minggu bab
    """.split()
)
OTHER_CHARACTERS = frozenset(
    """
    下一篇 下一章 下一张 下一張 下一个 下一個 下一集 下一月 下个月 次の記事 次の話 次の月 次の画像 次の動画 다음글
    다음달 บทความถัดไป ตอนต่อไป
    """.split()
)
ARROWS = ">›»→▶►❯⟩〉⇒➔➜➡➤⟶▸▷≻≫⟫⮞⏩❱＞"
BACK_ARROWS = "<‹«←◀◄❮⟨〈⇐⬅⟵◂◁≺≪⟪⮜⏪❰＜"
ARROW_NAMES = frozenset(
    "chevron_right navigate_next arrow_forward arrow_forward_ios keyboard_arrow_right arrow_right".split()
)
"""Texts that fonts of icons show as arrows."""

# What class names, ids and file names are made of.
NEXT_PARTS = frozenset(
    "next nextpage nextlink nextpostslink nextposts nextbtn nextbutton pagenext pagernext btnnext pagingnext".split()
)
PREVIOUS_PARTS = frozenset("prev previous previouspostslink prevpage prevlink".split())
POINTING_PARTS = frozenset("right forward rightarrow arrowright chevronright angleright".split())
ITEM_PARTS = frozenset("post article story entry chapter lesson episode topic thread slide photo".split())
"""Of links to the next of what a page shows one of."""
DISABLED_PARTS = frozenset({"disabled", "inactive", "disable", "unavailable", "nolink"})
PAGER_PARTS = frozenset(
    "pagination pager paging paginator pagenav pagenavi pages pagelinks pagelist paginate pagebar paginacion".split()
)
# What turns a calendar, a show of pictures, or the articles of a site.
TRAP_PARTS = frozenset(
    """
    calendar month datepicker carousel slider slideshow slides slide gallery lightbox swiper slick related splide
    flickity glide owl testimonials rating
    """.split()
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
