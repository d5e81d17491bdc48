"""Texts in several languages for pages that tests make: titles, sentences, prices, dates, the words of buttons.
The same seed gives the same texts."""

from __future__ import annotations

import random

LANGUAGES = ("en", "de", "ja", "ar")

WORDS = {
    "en": """
        oak lamp river small bright kettle garden travel copper linen winter harbour simple walking quiet paper morning
        table leather mountain yellow glass city pocket cotton window solid evening handmade blue portable kitchen light
        bread northern wool market bicycle round fresh
    """.split(),
    "de": """
        Küchentisch Regenjacke Stadtbibliothek wasserdicht Wanderschuhe handgefertigt Versicherungsvertrag Leinentuch
        nachhaltig Schreibtischlampe Morgenspaziergang Fahrradtasche und mit für aus dem Gartenmöbel Holzschale
        Winterreifen Kaffeemühle Nachbarschaft Ausstellungskatalog leicht robust vielseitig Altbauwohnung Seeblick
    """.split(),
    "ja": """
        東京 新しい 静かな 木製 テーブル 手作り コーヒー 北海道 温泉 旅行 図書館 自転車 軽量 防水
        ジャケット 朝食 駅前 古い 町家 写真 季節 限定 緑茶 陶器 青い 小さな 窓 庭園 冬 夏祭り 革 財布
    """.split(),
    "ar": """
        كتاب جديد مدينة طاولة خشبية صغيرة قهوة رحلة سفر البحر الجبل حديقة هادئة صباح مصباح جلد طبيعي خفيف الوزن مطبخ
        نافذة شتاء صيف سوق قديم دراجة هوائية معطف مكتبة وطنية ضوء أزرق زجاج
    """.split(),
}
"""Words of titles and sentences; those of Japanese are written without spaces between them."""

SAID = {
    "next": ("Next", "Weiter", "次へ", "التالي"),
    "previous": ("Previous", "Zurück", "前へ", "السابق"),
    "home": ("Home", "Startseite", "ホーム", "الرئيسية"),
    "search": ("Search", "Suche", "検索", "بحث"),
    "sponsored": ("Sponsored", "Gesponsert", "スポンサー", "إعلان ممول"),
    "advertisement": ("Advertisement", "Anzeige", "広告", "إعلان"),
    "more": ("Read more", "Weiterlesen", "続きを読む", "اقرأ المزيد"),
    "buy": ("Add to basket", "In den Warenkorb", "カートに入れる", "أضف إلى السلة"),
    "save": ("Save", "Merken", "保存", "حفظ"),
    "accept": ("Accept all", "Alle akzeptieren", "すべて同意する", "قبول الكل"),
    "reject": ("Reject all", "Alle ablehnen", "すべて拒否する", "رفض الكل"),
    "related": ("You may also like", "Das könnte Ihnen gefallen", "関連商品", "قد يعجبك أيضا"),
    "viewed": ("Recently viewed", "Zuletzt angesehen", "最近チェックした商品", "شوهد مؤخرا"),
    "trending": ("Trending now", "Gerade beliebt", "急上昇", "الأكثر رواجا"),
    "reviews": ("Customer reviews", "Kundenbewertungen", "カスタマーレビュー", "آراء العملاء"),
    "comments": ("Comments", "Kommentare", "コメント", "التعليقات"),
    "email": ("Email address", "E-Mail-Adresse", "メールアドレス", "البريد الإلكتروني"),
    "password": ("Password", "Passwort", "パスワード", "كلمة المرور"),
    "send": ("Send", "Absenden", "送信", "إرسال"),
    "login": ("Log in", "Anmelden", "ログイン", "تسجيل الدخول"),
    "nothing": ("No results for your search", "Keine Treffer für Ihre Suche", "検索結果はありません", "لا توجد نتائج"),
    "missing": ("Page not found", "Seite nicht gefunden", "ページが見つかりません", "الصفحة غير موجودة"),
    "human": (
        "Verify you are human",
        "Bestätigen Sie, dass Sie ein Mensch sind",
        "ロボットではありません",
        "تحقق من أنك إنسان",
    ),
    "sale": ("Summer sale", "Sommerschlussverkauf", "夏のセール", "تخفيضات الصيف"),
}
"""What pages say in their controls, in the order of LANGUAGES."""


class Texts:
    """A source of texts in one language."""

    def __init__(self, language: str, seed: str) -> None:
        self.language = language
        self.random = random.Random(f"{language} {seed}")

    def words(self, least: int, most: int) -> str:
        chosen = self.random.choices(WORDS[self.language], k=self.random.randint(least, most))
        return ("" if self.language == "ja" else " ").join(chosen)

    def title(self) -> str:
        text = self.words(2, 7)
        return text[0].upper() + text[1:]

    def sentence(self, least: int = 8, most: int = 18) -> str:
        text = self.words(least, most)
        return text[0].upper() + text[1:] + ("。" if self.language == "ja" else ".")

    def prose(self, sentences: int) -> str:
        return " ".join(self.sentence() for _ in range(sentences))

    def name(self) -> str:
        """A label of a word or two, as menus have it."""
        text = self.words(1, 2)
        return text[0].upper() + text[1:]

    def price(self) -> str:
        whole, cents = self.random.randint(3, 1900), self.random.choice(("00", "50", "95", "99"))
        return {
            "en": f"${whole}.{cents}", "de": f"{whole},{cents} €", "ja": f"¥{whole * 100:,}",
            "ar": f"{whole}.{cents} ر.س",
        }[self.language]  # fmt: skip

    def date(self) -> str:
        year, month, day = self.random.randint(2021, 2026), self.random.randint(1, 12), self.random.randint(1, 28)
        return {
            "en": f"{month}/{day}/{year}", "de": f"{day}.{month}.{year}", "ja": f"{year}年{month}月{day}日",
            "ar": f"{day}/{month}/{year}",
        }[self.language]  # fmt: skip

    def number(self, least: int, most: int) -> int:
        return self.random.randint(least, most)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def say(self, what: str) -> str:
        return SAID[what][LANGUAGES.index(self.language)]
