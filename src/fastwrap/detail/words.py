"""Words of pages about one thing: headings of what a thing is made of and how it is made, and of what is beside it.
One list per kind, languages mixed, as in `fastwrap.columns.roles`."""

from __future__ import annotations

import re
from functools import lru_cache

from fastwrap.columns.roles import fold

INGREDIENTS, INSTRUCTIONS, FEATURES, DESCRIPTION, RELATED, BESIDE, NOTES = (
    "ingredients", "instructions", "features", "description", "related", "beside", "notes",
)  # fmt: skip

SECTIONS = {
    INGREDIENTS: """
        ingredients|ingredient|ingredient list|list of ingredients|what you need|what you'll need|you will need|
        shopping list|zutaten|zutatenliste|die zutaten|das brauchst du|ingrédients|ingrédient|liste des ingrédients|
        ingredientes|ingredienti|ingrediënten|benodigdheden|dit heb je nodig|składniki|ингредиенты|состав|продукты|
        інгредієнти|ingredienser|det behöver du|du skal bruge|ingredience|ingrediencie|suroviny|malzemeler|材料|原料|
        食材|用料|재료|ainekset|ainesosat|hozzávalók|ingrediente|υλικά|συστατικά|المكونات|المقادير|nguyên liệu|
        bahan bahan|bahan|sestavine|sastojci|съставки|продукти|מצרכים|रामग्री|सामग्री|the ingredients|you need|
        what you will need|ingredients list|recipe ingredients|was du brauchst|du brauchst|ihr braucht|zutaten liste|
        il vous faut|ce qu'il vous faut|qué necesitas|necesitas|lo que necesitas|você vai precisar|cosa ti serve|
        occorrente|wat heb je nodig|lista składników|potrzebne składniki|potrzebujesz|det här behöver du|
        lista de ingredientes|lista ingredienti|ingrediënten lijst|ingrediensliste
    """,
    INSTRUCTIONS: """
        instructions|instruction|directions|direction|method|preparation|steps|step by step|how to make|
        how to make it|how to cook|how to prepare|procedure|preparation method|cooking instructions|let's cook|
        zubereitung|anleitung|arbeitsschritte|zubereitungsschritte|schritte|so geht's|so geht es|und so geht's|
        so wird's gemacht|préparation|étapes|étapes de préparation|réalisation|preparación|elaboración|pasos|
        instrucciones|cómo hacer|modo de preparo|modo de preparar|modo de fazer|modo de preparação|preparo|preparação|
        como fazer|preparazione|procedimento|come preparare|come fare|bereiding|bereidingswijze|werkwijze|zo maak je|
        zo maak je het|aan de slag|instructies|przygotowanie|sposób przygotowania|wykonanie|приготовление|
        способ приготовления|как приготовить|пошаговый рецепт|приготування|gör så här|så här gör du|tillagning|
        instruktioner|fremgangsmåde|fremgangsmåte|sådan gør du|slik gjør du|tilberedning|postup|příprava|
        postup přípravy|postup prípravy|príprava|hazırlanışı|yapılışı|tarifi|nasıl yapılır|作り方|作り方手順|手順|
        做法|步骤|步驟|制作步骤|만드는 법|만드는법|조리순서|valmistus|valmistusohje|ohje|ohjeet|elkészítés|elkészítése|
        mod de preparare|preparare|εκτέλεση|οδηγίες|طريقة التحضير|طريقة العمل|cách làm|cara membuat|langkah|priprava|
        priprema|приготвяне|начин на приготвяне|אופן הכנה|विधि|the method|cooking method|cooking steps|recipe steps|
        cooking directions|recipe instructions|recipe directions|recipe method|preparation steps|what to do|here's how|
        to make|assembly|how it's made|schritt für schritt|zubereitungsweise|so gelingt's|so wird es gemacht|
        und so wird's gemacht|les étapes|étapes de la recette|préparation de la recette|progression|déroulé|paso a paso|
        cómo se hace|cómo preparar|cómo hacerlo|modo de elaboración|modo de preparación|passo a passo|como preparar|
        preparo passo a passo|istruzioni|esecuzione|svolgimento|come si fa|come si prepara|jak zrobić|jak przygotować|
        sposób wykonania|krok po kroku|stap voor stap|bereidingsstappen|voorbereiding en bereiding|så gör du|
        tillvägagångssätt|framgangsmåte|tilberedelse|pasi de preparare|postup práce
    """,
    FEATURES: """
        features|key features|highlights|product highlights|product features|about this item|merkmale|eigenschaften|
        produktmerkmale|highlights des produkts|caractéristiques|points forts|características|destaques|caratteristiche|
        kenmerken|cechy|особенности|egenskaper|egenskaber|vlastnosti|özellikler|特徴|特长|特点|產品特色
    """,
    DESCRIPTION: """
        description|product description|about this product|about this book|about the book|overview|synopsis|summary|
        about|details|job description|about the job|about the role|about this property|property description|
        beschreibung|produktbeschreibung|kurzbeschreibung|stellenbeschreibung|inhalt|zusammenfassung|
        description du produit|résumé|descripción|descripción del producto|sinopsis|descrição|descrição do produto|
        sinopse|descrizione|trama|beschrijving|productbeschrijving|omschrijving|opis|opis produktu|описание|аннотация|
        beskrivning|beskrivelse|popis|popis produktu|açıklama|ürün açıklaması|説明|商品説明|内容紹介|描述|内容简介|
        商品描述|설명|kuvaus|leírás|descriere|περιγραφή
    """,
    NOTES: """
        notes|note|recipe notes|recipe note|cook's notes|chef's notes|tips|tip|recipe tips|chef tips|cook's tips|
        tips and tricks|pro tips|equipment|special equipment|tools|nutrition|nutrition facts|nutrition information|
        nutritional information|nutritional info|nutrition info|storage|how to store|faq|faqs|
        frequently asked questions|
        video|recipe video|variations|substitutions|serving suggestions|nährwerte|nährwertangaben|tipps|tipp|notizen|
        anmerkungen|hinweise|küchengeräte|valeurs nutritionnelles|astuces|astuce|conseils|matériel|ustensiles|
        notas|nota|
        consejos|información nutricional|utensilios|dicas|dica|informação nutricional|consigli|valori nutrizionali|
        strumenti|voedingswaarden|keukengerei|wskazówki|wartości odżywcze|uwagi|näringsvärde|tips och råd
    """,
    RELATED: """
        das könnte|dir könnte|you might|explore more|discover more|see more|more recipes|more articles|more stories|
        other recipes|try these|looking for more|entdecke mehr|weitere artikel|mehr rezepte|vous pourriez|
        te puede interesar|quizás te interese|talvez você|misschien vind je|andere bekeken|leuke recepten|
        related|related products|related items|related articles|related posts|related recipes|related stories|
        recommended|recommendations|recommended for you|similar|similar items|similar products|similar jobs|
        similar homes|you may also like|you might also like|you may also be interested in|you'll also love|
        customers also bought|customers also viewed|customers who bought this item also bought|
        customers who viewed this item also viewed|frequently bought together|more from|more like this|read more|
        read next|recent posts|latest posts|latest news|popular posts|most popular|trending|trending now|keep reading|
        what to read next|also available|also read|see also|recently viewed|sponsored|
        das könnte dich auch interessieren|das könnte dich interessieren|das könnte sie auch interessieren|
        ähnliche artikel|ähnliche produkte|ähnliche rezepte|weitere rezepte|mehr zum thema|passend dazu|
        kunden kauften auch|zuletzt angesehen|vous aimerez aussi|produits similaires|articles similaires|
        articles liés|à lire aussi|productos relacionados|también te puede interesar|artículos relacionados|
        produtos relacionados|você também pode gostar|veja também|leia também|receitas relacionadas|
        prodotti correlati|potrebbe interessarti|potrebbero interessarti|articoli correlati|leggi anche|
        gerelateerde producten|anderen bekeken ook|gerelateerde artikelen|lees ook|podobne produkty|zobacz także|
        zobacz też|похожие товары|с этим товаром покупают|читайте также|liknande produkter|relaterade produkter|
        související produkty|mohlo by vás zajímat|benzer ürünler|関連商品|関連記事|おすすめ|相关推荐|相关文章|
        猜你喜欢|関連情報
    """,
    BESIDE: """
        reviews|customer reviews|comments|leave a comment|leave a reply|leave a review|add a comment|post a comment|
        write a review|share|share this|follow us|newsletter|subscribe|sign up|log in|login|table of contents|
        contents|categories|archives|tags|navigation|menu|search|responses|reader interactions|primary sidebar|footer|
        jump to|user reviews|questions and answers|kundenbewertungen|bewertungen|rezensionen|kommentare|
        kommentar schreiben|inhaltsverzeichnis|commentaires|avis|avis clients|sommaire|comentarios|opiniones|
        comentários|commenti|recensioni|reacties|beoordelingen|komentarze|opinie|комментарии|отзывы|kommentarer|
        recensioner|komentáře|yorumlar|コメント|レビュー|评论
    """,
}
"""By kind: headings."""

JUNK = frozenset(
    "advertisement|advertising|anzeige|werbung|publicité|publicidad|pubblicità|reklama|реклама|"
    "article continues below advertisement|continue reading below".split("|")
)
"""Lines that say nothing, in small letters."""

CLASS_WORDS = {
    INGREDIENTS: "ingredients ingredient ingredientlist zutaten zutat ingredientes ingredienti ingredienser",
    INSTRUCTIONS: """
        instructions instruction directions direction method preparation steps zubereitung preparo preparacion
        bereiding procedure howto instruktioner recipeinstructions
    """,
}
"""By kind: words of classes and ids of what has it."""

CONTROL = re.compile(
    r"\W*(?:jump to (?:the )?(?:recipe|video)|(?:print|pin|save|rate|share|copy|e-?mail|download|"
    r"scale)(?: (?:this|the))?"
    r"(?: recipe| ingredients| it)?|us customary|imperial|metric|us|cups|grams|weight|"
    r"(?:\W*\d+/?\d*\s?x\b)+\W*|cook(?:ing)?"
    r" mode.*|prevent your screen.*|keep (?:your )?screen (?:on|awake).*|us customary\W+metric|metric\W+(?:imperial|us"
    r"(?: customary)?)|(?:de)?select all(?: ingredients)?|check all|"
    r"add (?:all )?(?:ingredients )?to (?:shopping|grocery)"
    r" list|shop ingredients|get ingredients.*|powered by.*|on off|show images|hide images|text only|"
    r"zum einkaufszettel.*|"
    r"(?:rezept )?drucken|imprimer|imprimir|stampa|afdrukken|drukuj)\W*",
    re.IGNORECASE,
)
"""What is a control of a page and no part of a list: buttons between the items, switches of units."""
CALL = re.compile(
    r"(?:if you (?:make|try|made|tried|cook|love|liked?)|did you (?:make|try)|have you (?:made|tried)|"
    r"let me know|leave a"
    r" (?:comment|rating|review)|please (?:leave|rate|share|let)|tag (?:me|us|@)|don'?t forget to|"
    r"follow (?:me|us)|pin (?:it|this)"
    r"|share (?:it|this)|rate this|this post (?:may|contains)|subscribe)\b",
    re.IGNORECASE,
)
"""How lines begin that speak to the reader after a recipe."""
SERVES = re.compile(
    r"\W*(?:(?:recipe )?(?:serves?|servings?|serving size|makes|yields?|portions?)|für|ergibt|portionen|pour|para|per|"
    r"voor|dla|personen|porciones|porções|porzioni|personnes)\b\W*(?:about |approx\.? |ca\.? )?\d+(?:\W+(?:to )?\d+)?"
    r"(?:\W+[^\W\d]+){0,2}\W*|\W*\d+(?:\W+\d+)?\s+(?:servings?|portion(?:en|s)?|person(?:en|as|nes|e)?|"
    r"porciones|porções|"
    r"porzioni)\W*",
    re.IGNORECASE,
)
"""How much it makes, where that stands among the ingredients."""

SPACES = re.compile(r"\s+")
EDGE = " :：*·|-–—.,;#?¿!¡…►▼▾▸»«+"
BY_HEADING: dict[str, str] = {
    fold(" ".join(words.split()).strip()).replace("-", " "): kind
    for kind, listed in SECTIONS.items()
    for words in listed.split("|")
    if words.strip()
}
RELATED_HEADINGS = frozenset(heading for heading, kind in BY_HEADING.items() if kind == RELATED)
MOST_WORDS = 9
"""Of a heading that names a kind."""


@lru_cache(4096)
def kind_of_heading(heading: str) -> tuple[str, int]:
    """What a heading says that is below it, and how surely: 3 if it says nothing else, 2 if it begins with it, 1 if it
    ends with it; nothing and 0 if it does not say.

    >>> kind_of_heading("Zutaten für 4 Personen:"), kind_of_heading("Ingredients"), kind_of_heading("The oak")
    (('ingredients', 2), ('ingredients', 3), ('', 0))
    """
    folded = SPACES.sub(" ", fold(heading[:120]).replace("-", " ").replace("\u2019", "'")).strip(EDGE)
    if (kind := BY_HEADING.get(folded)) is not None:
        return kind, 3
    words = folded.replace(":", " ").replace("(", " ").split()
    if len(words) > MOST_WORDS:
        return "", 0
    for length in range(min(len(words), 5), 0, -1):
        kind = BY_HEADING.get(" ".join(words[:length]), "")
        if kind and (length > 1 or kind in (INGREDIENTS, INSTRUCTIONS, RELATED, BESIDE)):
            return kind, 2
    for length in range(min(len(words) - 1, 4), 0, -1):
        kind = BY_HEADING.get(" ".join(words[-length:]), "")
        if kind in (INGREDIENTS, INSTRUCTIONS):
            return kind, 1
    return "", 0


NOTHING = re.compile(
    r"^\W*(?:error|fehler|erreur|fout)?\W*(?:40[0-9]|50[0-9])\b|^(?:an? )?(?:error|unexpected error)\b|\bnot found\b|"
    r"^(?:access|permission) denied|^forbidden\b|^just a moment|^attention required|^(?:are you|verify (?:that"
    r" )?you are)\b|"
    r"\bcaptcha\b|^(?:log|sign)[ -]?(?:in|on|up)\b|^login\b|^(?:session|page) (?:has )?expired|^service unavailable|"
    r"^(?:the )?page (?:is |was )?(?:unavailable|missing|gone|does(?:n'|no)t exist)|^(?:oops|whoops|uh[ -]oh)\b|"
    r"^register\b|^create (?:an )?account|^(?:re)?set (?:your )?password|^forgot(?:ten)? (?:your )?password|"
    r"^anmelden\b|^anmeldung\b|^einloggen\b|nicht gefunden|^zugriff verweigert|^connexion\b|^se connecter|introuvable|"
    r"^accès refusé|^iniciar sesi[oó]n|^entrar\b|no encontrad[ao]|n[aã]o encontrad[ao]|^acceso denegado|^acesso negado|"
    r"^accedi\b|non trovat[ao]|^inloggen\b|niet gevonden|^zaloguj|^logowanie|nie znaleziono|^вход\b|не найден[ао]?|"
    r"^доступ запрещ|^logga in|hittades inte|ikke fundet|ikke funnet|^log ind\b|^přihlášení|nenalezen|^giriş\b|"
    r"bulunamadı|"
    r"見つかりません|ログイン|找不到|不存在|登录|登入|찾을 수 없|로그인",
    re.IGNORECASE,
)
"""Titles of pages about nothing: something went wrong, or somebody has to say who they are."""


def says_nothing(title: str) -> bool:
    """Whether a title is that of a page about nothing.

    >>> says_nothing("404 - Page not found"), says_nothing("Log in | Shop"), says_nothing("Oak table")
    (True, True, False)
    """
    return len(title) < 90 and NOTHING.search(title) is not None
