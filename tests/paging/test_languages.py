"""Labels of pagers in many languages: the next page, the page before, the last one, and the next article."""

from __future__ import annotations

import pytest

from tests.paging.pages import HOME, found

NEXT = {
    "ar": "التالي|الصفحة التالية|التالية|اللاحق|التالي »|عرض المزيد|المزيد|تحميل المزيد",
    "fa": "بعدی|صفحه بعد|صفحه بعدی|بعدی »|بعد|بیشتر",
    "ur": "اگلا|اگلا صفحہ|اگلے",
    "he": "הבא|הבאה|הדף הבא|לעמוד הבא|העמוד הבא|לדף הבא|הבא »|טען עוד|עוד תוצאות",
    "hi": "अगला|अगला पृष्ठ|अगला पेज|आगे|अगले|और देखें",
    "bn": "পরবর্তী|পরবর্তী পাতা|পরের পাতা|আরও",
    "ta": "அடுத்தது|அடுத்த பக்கம்",
    "te": "తదుపరి|తర్వాత",
    "mr": "पुढील|पुढचे पान",
    "gu": "આગળ|આગલું",
    "pa": "ਅਗਲਾ",
    "th": "ถัดไป|หน้าถัดไป|หน้าต่อไป|ต่อไป|โหลดเพิ่ม|ดูเพิ่มเติม",
    "vi": "Tiếp|Tiếp theo|Trang sau|Trang tiếp|Trang kế|Kế tiếp|Trang tiếp theo|Sau|Xem thêm",
    "id": "Berikutnya|Selanjutnya|Halaman berikutnya|Halaman selanjutnya|Lanjut|Muat lebih banyak|Lihat lainnya",
    "ms": "Seterusnya|Halaman seterusnya",
    "tl": "Susunod",
    "sw": "Inayofuata",
    "zh": "下一页|下页|后页|后一页|下一页 »|加载更多|更多|查看更多|下一頁|下頁|後一頁|後頁|載入更多|看更多",
    "ja": "次へ|次のページ|次の20件|次ページ|次>|次|次へ進む|次のページへ|もっと見る|さらに表示|もっと読み込む",
    "ko": "다음|다음 페이지|다음페이지|다음 »|더보기|더 보기|다음으로",
    "tr": "Sonraki|Sonraki sayfa|İleri|Sonraki »|Daha fazla|Daha fazla göster",
    "az": "Növbəti|Növbəti səhifə|Sonrakı",
    "kk": "Келесі|Келесі бет",
    "uz": "Keyingi|Keyingi sahifa",
    "mn": "Дараах|Дараагийн",
    "el": "Επόμενη|Επόμενη σελίδα|Επόμενο|ΕΠΟΜΕΝΗ|Επόμενα|Επόμενες|Περισσότερα",
    "uk": "Наступна|Наступна сторінка|Далі|Вперед|Наступні|Наступний|Завантажити ще|Більше",
    "be": "Наступная|Далей",
    "bg": "Следваща|Следваща страница|Напред|Следващи|Следващ|Още",
    "mk": "Следна|Следна страница",
    "sr": "Следећа|Следећа страна|Sledeća|Sledeća strana|Naredna|Наредна|Dalje",
    "hr": "Sljedeća|Sljedeća stranica|Iduća|Dalje",
    "sl": "Naslednja|Naslednja stran|Naprej",
    "sk": "Ďalšia|Nasledujúca|Ďalej",
    "cs": "Další|Další stránka|Následující|Dále|Zobrazit další",
    "pl": "Następna|Dalej|Następna strona|następny|Pokaż więcej|Załaduj więcej",
    "ro": "Următoarea|Pagina următoare|Următorul|Înainte|Urmatoarea|Încarcă mai multe",
    "hu": "Következő|Következő oldal|Tovább|Több|További találatok",
    "et": "Järgmine|Edasi|Järgmine leht",
    "lv": "Nākamā|Nākamā lapa|Tālāk",
    "lt": "Kitas|Kitas puslapis|Toliau|Pirmyn",
    "sq": "Tjetra|Faqja tjetër",
    "ka": "შემდეგი|შემდეგი გვერდი",
    "hy": "Հաջորդ|Հաջորդ էջ|Հաջորդը",
    "eu": "Hurrengoa|Hurrengo orria",
    "ca": "Següent|Pàgina següent|Més",
    "gl": "Seguinte|Seguinte páxina",
    "cy": "Nesaf",
    "is": "Næsta|Næsta síða",
    "fo": "Næsta",
    "af": "Volgende|Volgende bladsy",
    "nl": "Volgende|Volgende pagina|Meer laden|Toon meer|Verder",
    "da": "Næste|Næste side|Vis flere|Indlæs flere",
    "no": "Neste|Neste side|Vis mer",
    "sv": "Nästa|Nästa sida|Visa fler|Ladda fler",
    "fi": "Seuraava|Seuraava sivu|Seuraavat|Näytä lisää|Lataa lisää",
    "de": (
        "Weiter|Nächste|Nächste Seite|Vor|Mehr laden|Mehr anzeigen|Weitere Ergebnisse|Mehr Ergebnisse laden|"
        "nächste Seite >"
    ),
    "fr": "Suivant|Page suivante|Suivante|Suiv.|Suiv|Voir plus|Afficher plus|Charger plus|Plus de résultats",
    "es": "Siguiente|Página siguiente|Sig.|Próxima|Ver más|Cargar más|Mostrar más|Más resultados|Adelante",
    "pt": "Próxima|Próxima página|Próximo|Seguinte|Ver mais|Carregar mais|Mostrar mais|Avançar",
    "it": "Avanti|Successiva|Pagina successiva|Prossima|Succ.|Mostra altri|Carica altri|Vedi altri|Carica di più",
    "ru": (
        "Далее|Следующая|Следующая страница|Вперёд|Дальше|След.|Показать еще|Показать ещё|Загрузить еще|"
        "Следующие 20|Ещё"
    ),
    "en": (
        "Next|next page|Next Page »|NEXT|Next ›|Go to next page|Load more|Show more|See more|View more|"
        "Load More Results|Show more results|More results|Older posts|Older|Older entries|Next 10|"
        "Next 50 items|Forward|More|Show next 20|Next set|next »»|Next Results|Next (20)|Next: 11-20|"
        "Fetch more"
    ),
    "signs": (
        "›|»|>|→|▶|❯|⟩|➔|➤|⮞|＞|≫|⟫|⏩|➡️|▷|chevron_right|navigate_next|arrow_forward|keyboard_arrow_right|arrow_right"
    ),
}
BACK = {
    "ar": "السابق|الصفحة السابقة",
    "fa": "قبلی|صفحه قبل|صفحه پیش",
    "he": "הקודם",
    "hi": "पिछला|पिछला पृष्ठ",
    "bn": "পূর্ববর্তী",
    "th": "ก่อนหน้า|ย้อนกลับ",
    "vi": "Trang trước|Trước",
    "id": "Sebelumnya",
    "zh": "上一页|上一頁|前一页|上页",
    "ja": "前へ|前のページ|前の20件",
    "ko": "이전|이전 페이지",
    "tr": "Önceki|Geri",
    "el": "Προηγούμενη|Πίσω",
    "uk": "Попередня|Назад",
    "bg": "Предишна",
    "sr": "Претходна",
    "hr": "Prethodna",
    "sl": "Prejšnja",
    "ro": "Înapoi|Anterioara",
    "hu": "Előző|Vissza",
    "et": "Eelmine",
    "lv": "Iepriekšējā",
    "lt": "Ankstesnis|Atgal",
    "ka": "წინა",
    "hy": "Նախորդ",
    "en": "Previous|Back|« Older",
    "de": "Zurück",
    "signs": "‹|«|←|⟪|&lt;",
}
ELSEWHERE = {
    "ar": "الأخيرة|المقال التالي",
    "fa": "آخرین|مطلب بعدی",
    "he": "האחרון|הפוסט הבא",
    "hi": "अंतिम",
    "th": "สุดท้าย|บทความถัดไป",
    "vi": "Trang cuối|Bài tiếp theo",
    "id": "Terakhir",
    "zh": "尾页|末頁|最后一页|下一篇|下一章|下一张",
    "ja": "最後|最終ページ|次の記事|次の月",
    "ko": "마지막|다음글",
    "tr": "Son|Sonraki konu",
    "el": "Τελευταία|Επόμενο άρθρο",
    "uk": "Остання|Наступна стаття",
    "bg": "Последна",
    "ru": "Последняя|Следующая тема|Следующая статья|Следующая глава",
    "hu": "Utolsó|Következő cikk",
    "pl": "Następny wpis",
    "cs": "Další článek|Další díl",
    "en": "Last|Next article|Next photo|Next chapter|Older comments|Next thread|Next month",
    "de": "Letzte|Nächstes Thema|Nächster Beitrag|Nächstes Bild|Nächstes Kapitel",
    "fr": "Article suivant|Mois suivant|Chapitre suivant",
    "es": "Siguiente artículo|Siguiente capítulo|Mes siguiente",
    "it": "Articolo successivo",
    "nl": "Volgend artikel",
    "pt": "Próximo artigo|Próximo capítulo",
    "sv": "Nästa inlägg",
}


def each(labels: dict[str, str]) -> list[str]:
    """All labels, without those of their languages."""
    return [label for together in labels.values() for label in together.split("|")]


@pytest.mark.parametrize("label", each(NEXT))
def test_the_next_page(label: str) -> None:
    assert found(f"<p><a href='/about'>About us</a> <a href='/list?page=2'>{label}</a></p>") == HOME + "?page=2"


@pytest.mark.parametrize("label", each(BACK))
def test_the_page_before(label: str) -> None:
    # The address alone would say that it leads on.
    assert found(f"<p><a href='/about'>About us</a> <a href='/list?page=2' class=next>{label}</a></p>") is None


@pytest.mark.parametrize("label", each(ELSEWHERE))
def test_elsewhere(label: str) -> None:
    assert found(f"<p><a href='/about'>About us</a> <a href='/list?page=2'>{label}</a></p>") is None
