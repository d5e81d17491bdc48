"""Roles of columns (title, price, date, ...), and the words that name them in the main languages of the web.
One list per role, languages mixed: a page rarely speaks two."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

CLASS_WORDS = {
    "title": """
        title headline heading titel titre titulo título titolo tytuł заголовок название наименование názov název
        başlık überschrift overskrift タイトル 題名 标题 標題 제목 product_name item_name job_title productname
        itemname producttitle jobtitle article_name book_name hotel_name file_name model_name event_name course_name
        produktname bezeichnung productnaam nazwa_produktu nom_produit nombre_producto nome_produto nome_prodotto
        商品名 song track_name movie_name game_name recipe_name
    """,
    "link": "permalink href detailurl detail_url product_url item_url",
    "image": """
        image img photo picture thumb thumbnail pic cover poster foto bild photographie imagen imagem immagine
        afbeelding obraz obrazek zdjęcie изображение картинка фото billede obrázek resim görsel fotoğraf 画像 写真
        图片 圖片 avatar abbildung vignette miniatura logo swatch
    """,
    "price": """
        price prices preis preise prix precio precios preço preco precos prezzo prezzi prijs prijzen cena ceny cen
        цена стоимость pris priser fiyat fiyatı hinta 価格 値段 价格 價格 價錢 가격 verkaufspreis endpreis kaufpreis
        saleprice cost kosten coût costo costes custo tarif tarifa tariffa amount betrag kwota montant importe
        endprice finalprice currentprice specialprice
    """,
    "old price": """
        oldprice listprice wasprice regularprice originalprice strikeprice rrp msrp uvp pvpr streichpreis statt
        altpreis listenpreis normalpreis ursprungspreis adviesprijs vanprijs ordinarie_pris ordinariepris førpris
        vejledende prix_barré prix_conseillé precio_anterior precio_tachado prezzo_di_listino prezzo_barrato
        strikethrough_price compare_at compare_at_price compareatprice 定価 参考価格 原价 原價 市场价
    """,
    "unit price": """
        unitprice baseprice grundpreis stückpreis stueckpreis prix_unitaire preço_unitário precio_unitario
        prezzo_unitario eenheidsprijs stukprijs cena_jednostkowa jämförpris jamforpris enhetspris enhedspris
        jednotková_cena birim_fiyat 単価 单价 單價 ppu
    """,
    "discount": """
        discount discounts rabatt remise réduction descuento desconto sconto korting rabat zniżka скидка sleva zľava
        indirim 割引 値引 折扣 savings saving ersparnis économie ahorro economia risparmio besparing percent_off
        rebate promotion_percent
    """,
    "shipping": """
        shipping delivery versand versandkosten lieferung lieferzeit livraison envío envio frete spedizione verzending
        verzendkosten bezorging levering levertijd wysyłka dostawa доставка frakt leverans fragt doprava doručení
        kargo teslimat 送料 配送 运费 運費 postage freight lieferkosten frais_de_port gastos_de_envío
    """,
    "availability": """
        availability instock in_stock stock verfügbarkeit verfuegbarkeit lagerstatus lagerbestand lieferbar
        disponibilité disponibilidad disponibilidade disponibilità beschikbaarheid voorraad dostępność наличие
        tillgänglighet tilgængelighed dostupnost skladem stok 在庫 库存 庫存 inventory
    """,
    "description": """
        description desc snippet excerpt summary abstract teaser synopsis beschreibung kurzbeschreibung
        zusammenfassung descripción descripcion résumé resumen descrição descricao resumo descrizione riassunto
        omschrijving beschrijving samenvatting opis описание краткое_описание beskrivning sammanfattning beskrivelse
        resumé popis açıklama özet kuvaus 説明 概要 紹介 描述 简介 簡介 摘要 subtitle subheading untertitel blurb dek
        lede standfirst shortdesc shortdescription
    """,
    "rating": """
        rating ratings stars bewertung sterne note_moyenne étoiles évaluation calificación valoración puntuación
        estrellas avaliação classificação estrelas valutazione punteggio stelle beoordeling waardering sterren ocena
        оценка рейтинг betyg bedømmelse hodnocení puan 評価 评分 評分 평점 starrating ratingvalue aggregaterating
        metascore
    """,
    "reviews": """
        reviews review reviewcount ratingcount rezensionen rezension kundenbewertungen avis opiniones reseñas reseña
        opiniões opinioes recensioni recensione opinie opinia отзывы отзыв recensioner recension anmeldelser
        anmeldelse recenze yorum yorumlar レビュー 口コミ 评论 評論 评价 評價 리뷰 beoordelingen testimonials
        numreviews bewertungen
    """,
    "date": """
        date datum fecha дата tarih tarihi 日付 日期 날짜 datetime timestamp pubdate dateline published publishdate
        published_at created_at createdat updated_at updatedat posted_on posted_at deadline veröffentlicht
        veröffentlichungsdatum erscheinungsdatum publié publicado pubblicato gepubliceerd opublikowano опубликовано
        dateposted datepublished datecreated datemodified startdate enddate 更新日 公開日 投稿日 发布时间 发布日期
        更新时间 dato päivämäärä releasedate release_date duedate updated modified
    """,
    "time": "time uhrzeit heure uur godzina время klokkeslæt klockslag čas saat 時刻 时间 時間 orario horario",
    "author": """
        author authors byline autor autoren auteur auteurs autore autori автор авторы författare forfatter yazar 著者
        作者 投稿者 저자 username writer verfasser schriftsteller redakteur artist künstler artiste artista kunstenaar
        исполнитель umělec sanatçı アーティスト 歌手 poster_name postedby posted_by written_by geschrieben_von
        écrit_par creator contributor director composer speaker reporter editor_name screenname nickname benutzername
    """,
    "location": """
        location locality city town venue address addr standort adresse ville lieu ubicación ubicacion ciudad
        dirección direccion localização localizacao cidade endereço morada luogo città indirizzo locatie plaats stad
        adres lokalizacja miasto miejscowość адрес город местоположение plats ort adress sted sídlo lokalita místo
        konum şehir 場所 住所 勤務地 所在地 地址 地点 地點 위치 joblocation wohnort veranstaltungsort einsatzort
        arbeitsort neighborhood neighbourhood district postcode postal zip zipcode plz postleitzahl country county
        province quartier municipality adresa
    """,
    "category": """
        category rubrik rubriek categories categoryname kategorie kategori catégorie categorie categoría categoria
        kategoria категория раздел rubrique rubro genre genres gattung género gênero genere gatunek жанр žánr tür
        カテゴリ カテゴリー ジャンル 分类 分類 類別 department abteilung sektion section_name sparte
    """,
    "brand": """
        brand brands manufacturer maker marke hersteller marque fabricant marca fabricante produttore merk fabrikant
        marka producent бренд производитель märke tillverkare mærke značka výrobce üretici ブランド メーカー 品牌
        brandname 厂商
    """,
    "seller": """
        seller vendor merchant dealer verkäufer verkaeufer haendler anbieter vendeur vendedor venditore verkoper
        aanbieder sprzedawca sprzedający продавец säljare sælger forhandler prodejce satıcı 販売者 出品者 卖家 賣家
        商家 sold_by soldby storename shopname shop_name store_name retailer verkauft_von
    """,
    "company": """
        company employer organization organisation unternehmen arbeitgeber firma firmenname entreprise employeur
        société empresa empleador azienda impresa datore_di_lavoro bedrijf werkgever pracodawca компания работодатель
        организация företag arbetsgivare virksomhed arbejdsgiver společnost zaměstnavatel şirket işveren 会社 企業
        会社名 公司 企业 회사 hiringorganization companyname employername hiring_organization recruiter agency
    """,
    "condition": """
        condition itemcondition zustand condición condição condizione condizioni conditie toestand состояние skick
        tilstand kondice 状態 コンディション 成色
    """,
    "size": """
        größe groesse taille talla tamaño tamanho taglia misura maat rozmiar размер storlek størrelse velikost beden
        サイズ 尺寸 尺码 wohnfläche surface superficie metratura oppervlakte powierzchnia площадь yta boarea
        dimensions abmessungen filesize file_size dateigröße product_size
    """,
    "color": "colour farbe couleur kolor цвет färg farve barva renk カラー 颜色 顏色 farbton product_color",
    "id": """
        sku asin isbn ean mpn gtin upc artikelnummer artikelnr bestellnummer artnr productid itemid product_id item_id
        product_code productcode item_code référence référence_produit referencia referência codice_articolo
        kod_produktu артикул varenummer artnummer katalogové_číslo ürün_kodu 型番 品番 货号 編號 编号 jobid job_id
        docket caseno case_number docket_number part_number article_number item_number order_number model_number
        partnumber uuid guid identifier kennung aktenzeichen issn doi pzn
    """,
    "email": "email mail e_mail correo courriel почта メール 邮箱 電子郵件 emailaddress",
    "phone": """
        phone telephone tel telefon téléphone telefone teléfono telefono telefoon телефон fax 電話 电话 phonenumber
        telefonnummer handy rufnummer
    """,
    "url": """
        url website homepage webseite webadresse site_web sitio_web sito_web witryna cite domain hostname 网址 サイト
    """,
    "number": "rank ranking rang platz puesto место 順位 排名 rownum",
    "views": """
        views viewcount view_count hits aufrufe zugriffe vues visitas vistas vizualizações visualizações
        visualizaciones visualizzazioni weergaven bekeken wyświetlenia odsłony просмотры просмотров visningar
        visninger zobrazení görüntüleme görüntülenme 閲覧数 再生回数 閲覧 浏览 瀏覽 查看 조회 downloads plays
        listeners reads
    """,
    "replies": """
        replies reply_count replycount antworten réponses respuestas respostas risposte reacties antwoorden odpowiedzi
        ответы ответов svar odpovědi yanıtlar cevaplar 返信 回复 回覆 답글 comments commentcount comment_count
        kommentare commentaires comentarios comentários commenti komentarze комментарии комментариев kommentarer
        komentáře answers numcomments beiträge コメント 留言
    """,
    "votes": """
        votes vote vote_count votecount points upvotes likes stimmen punkte votos voti stemmen głosy голоса röster
        stemmer hlasy oylar 投票 いいね 点赞 點讚 karma favorites gefällt j_aime claps stargazers
    """,
    "status": "status statut stato stav durum статус ステータス 状态 狀態 상태 jobstatus orderstatus",
    "type": """
        種類 类型 類型 jobtype propertytype employment_type art_der job_type property_type product_type room_type
        vehicle_type contract_type document_type file_type
    """,
    "language": "language sprache langue idioma lingua taal język язык språk sprog jazyk dil 言語 语言 語言",
    "format": "bindung bookformat einband 形式 格式 reliure encuadernación book_format",
    "publisher": """
        publisher verlag éditeur editorial editora editore casa_editrice uitgever uitgeverij wydawca wydawnictwo
        издательство издатель förlag forlag utgivare udgiver nakladatel nakladatelství vydavatel yayınevi yayıncı
        出版社 出版者 label_name
    """,
    "year": """
        year jahr baujahr année año anno jaar bouwjaar rocznik год årgang årsmodell ročník yıl erscheinungsjahr 年份
    """,
    "duration": """
        duration runtime dauer laufzeit spieldauer durée duración duração durata duur czas_trwania продолжительность
        длительность varighed varaktighet süre 所要時間 再生時間 时长 時長
    """,
    "salary": """
        salary wage wages compensation gehalt lohn salaire rémunération salario sueldo remuneración salário stipendio
        retribuzione salaris loon wynagrodzenie pensja зарплата оклад lön løn plat mzda maaş ücret 給与 年収 月給 時給
        薪资 薪水 薪資 basesalary payrate
    """,
    "source": "source quelle fuente fonte bron źródło источник källa kilde zdroj kaynak 出典 来源 來源 newssource",
    "tags": """
        tags taglist keywords keyword hashtags schlagworte schlagwörter stichworte stichwörter étiquettes mots_clés
        etiquetas palabras_clave palavras_chave parole_chiave trefwoorden tagi теги метки taggar štítky etiketler タグ
        标签 標籤 skills
    """,
    "badge": "badge badges ribbon sticker sponsored sponsorisé gesponsert patrocinado sponsorizzato plakette etykieta",
}
"""By role: words that name it even as a part of a class name. Words with an underscore follow each other."""

LABEL_WORDS = {
    "title": """
        name item product produkt produit producto produto prodotto article artikel artículo artigo articolo nom
        nombre nome naam nazwa namn navn jméno isim имя 名前 名称 名稱 topic thread subject betreff thema sujet objet
        tema asunto assunto oggetto onderwerp temat тема ämne emne předmět konu トピック 主题 主題 job stelle
        stellenbezeichnung poste puesto vaga vacature stanowisko должность вакансия tjänst stilling pozice ilan model
        modell modèle modelo modello event veranstaltung événement evento book buch livre libro livro boek książka
        книга movie hotel kurs headline bezeichnung
    """,
    "link": "link enlace lien collegamento odkaz ссылка länk リンク 链接",
    "image": "gallery preview vorschau",
    "price": "fee gebühr kosten rent miete loyer alquiler aluguel affitto huur czynsz hyra total_price pvp",
    "old price": """
        instead_of previously früher tidigare før dříve zamiast было verlagspreis herstellerpreis preço_de de_por
        precio_de_lista
    """,
    "discount": "you_save sie_sparen",
    "shipping": "ships ships_from versandt delivered delivery_time delivery_date lead_time",
    "availability": """
        available verfügbar disponible disponível disponibile beschikbaar dostępny на_складе stock_status stock_level
    """,
    "description": "details overview inhalt contenu contenido detalles detalhes dettagli intro message nachricht",
    "rating": "score",
    "date": """
        data dates day posted created updated added modified released entered filed opened closed expires last_post
        last_update last_updated last_activity last_reply letzter_beitrag letzte_antwort letzte_aktualisierung
        dernier_message último_mensaje última_mensagem ultimo_messaggio aktualisiert erstellt eingestellt erschienen
        mis_à_jour actualizado atualizado aggiornato bijgewerkt geplaatst zaktualizowano dodano обновлено добавлено
        uppdaterad publicerad offentliggjort opdateret zveřejněno aktualizováno güncellendi yayınlandı
        publication_date date_of_publication release erscheint starts ends 発売日 締切 pubblicazione publication
        publicación publicação member_since joined refreshed registered
    """,
    "time": "stunde klockan",
    "author": """
        posted_by started_by mitglied benutzer utilisateur usuario usuário utente gebruiker użytkownik пользователь
        användare bruger uživatel kullanıcı ユーザー 用户 thread_starter ersteller originator contact_person interpret
        interprète scrittore escritor pisarz schrijver 作家
    """,
    "location": """
        place region state ort endroit miejsce место land país paese kraj страна bölge 地域 地区 地區 destination ziel
        province provincia provinz bundesland departamento comune headquarters based_in
    """,
    "category": "section group groupe grupo gruppo groep grupa группа",
    "seller": """
        shop store boutique tienda loja negozio winkel sklep магазин butik obchod mağaza 店铺 店舗 provider händler
    """,
    "company": "business organizer veranstalter organisateur organizador organizzatore university agency_name",
    "condition": "état etat stan durumu estado_del_producto quality qualität",
    "size": "size sizes dimension weight gewicht poids peso waga вес",
    "color": "color colors cor colore kleur",
    "id": """
        id ids code ref_no réf kod código codice case_no docket_no item_no art_no art_nr artikel_nr kennziffer
        kennzeichen lot_no auction_no model_no case_id номер_заказа code_article ticker catalog_number
        catalogue_number
    """,
    "email": "e-mail",
    "phone": "anruf contact_number mobile mobil cell",
    "url": "site_address web_address site_web",
    "number": """
        number no nr nummer número numero numéro číslo номер sıra 番号 序号 序號 position posición posição posizione
        positie pozycja
    """,
    "views": "clicks klicks gelesen lectures lecturas leituras letture gelezen przeczytano visits besuche",
    "replies": "messages nachrichten reactions reaktionen responses posts",
    "votes": "score_points gefällt_mir me_gusta curtidas mi_piace helpful hilfreich downvotes",
    "status": "estado situación situação",
    "type": """
        種別 контракт contract vertragsart contrat contrato contratto employment beschäftigung type typ tipo тип soort
        rodzaj вид
    """,
    "language": "lang sprachen languages",
    "format": """
        edition ausgabe édition edición edição edizione uitgave wydanie издание utgåva udgave vydání binding format
        formaat formato формат
    """,
    "publisher": "imprint verlegt_von",
    "year": "years",
    "duration": "length longueur lunghezza czas time_left remaining verbleibend restzeit running_time",
    "salary": "pay remuneration vergütung verdienst besoldung stundenlohn tagessatz",
    "source": "kanal newspaper",
    "tags": "tag labels themen topics schlagwort features ausstattung merkmale",
    "badge": "label etikett",
    "unit price": "basic_price",
    "reviews": "opinión",
}
"""By role: words that name it as a label, a header or a property, but are too vague as a part of a class name."""

WHOLE_LABELS = {
    "title": "ad film song album course",
    "price": "total totale summe sale now jetzt ahora agora ora nu teraz сейчас",
    "old price": "was reg before instead avant antes prima vorher było",
    "discount": "off save",
    "availability": "lager sklad qty",
    "description": "about body",
    "rating": "star grade nota voto not feedback",
    "date": "when wann quand cuándo quando frist closing beginn start end ende begin",
    "time": "hour hours hora ore",
    "author": "by von par user member starter owner band people players",
    "location": """
        where wo où lugar local sitio dónde onde dove posto waar gdzie где var hvor kde yer pays stat 国 site office
        area
    """,
    "category": "gruppe class forum field",
    "company": "court school",
    "id": "ref case lot order symbol",
    "phone": "call",
    "url": "web internet",
    "number": "num lp č № pos poz 番",
    "views": "view seen",
    "replies": "comment discussion",
    "votes": "up",
    "status": "sold active",
    "type": "kind art sorte",
    "format": "medium media",
    "year": "ano rok år 年",
    "duration": "länge",
    "salary": "rate_of_pay income",
    "source": "via channel",
    "badge": "hinweis flag",
}
"""By role: words that name it if they are the whole label."""

ROLES = tuple(CLASS_WORDS)
"""The roles, by their English names."""

GENERIC = frozenset(
    """
    text texts value val values wrapper wrap label info information container box field column col cell item link
    block content data area inner outer holder row line list group section element span div string main primary
    secondary top bottom left right small large big sm md lg xs xl mobile desktop default html display view card grid
    tile module component root wert valeur valor valore waarde wartość значение
    """.split()
)
"""Words after the telling one that say nothing."""

OLD = frozenset(
    """
    old was regular reg full retail list cross strike striked strikethrough struck crossed through rrp msrp uvp before
    original previous former compare vorher alter alte alten statt bisher bisheriger ursprünglich ursprünglicher
    normaler regulär regulärer durchgestrichen ancien ancienne barré barre origine conseillé habituel avant initial
    anterior antes tachado antiguo habitual antigo riscado precedente prima listino barrato vecchio intero oude oud
    vorige adviesprijs stara poprzednia regularna pierwotna przed katalogowa старая старый прежняя обычная gammal
    gammalt ordinarie tidigare gammel før normal normalpris tidligere původní běžná stará eski liste önceki было
    inicial
    """.split()
)
"""Words beside a price that say that it is the former one, ..."""

UNIT = frozenset(
    """
    unit base grund grundpreis stück piece unitaire unité unitario unitaria unidad unidade unità unitário eenheid stuk
    jednostkowa jednostkę единицу шт enhet enhed jednotková jednotku birim kilo liter kg
    """.split()
)
"""... that it is for a unit, ..."""

PRICE_AFTER = (OLD | UNIT).union(
    "new sale final special current now actual reduced total net gross min max from incl excl vat tax".split()
)
"""... and all that may follow the word in a class name, as in `price-old`."""

COUNT = frozenset(
    """
    count counts counter num number numbers nr anzahl nombre numero cantidad quantidade aantal liczba количество antal
    počet sayısı total no
    """.split()
)
"""Words for how many there are: with what they count, they are about that."""

OF = frozenset(
    """
    of in for the de du des da do dos di del della la le les der die das van von voor für per pro par por para z od za
    o i och og med à a an and und et y e en au aux el los las il lo
    """.split()
)
"""Words that join others: the one before them decides."""

OTHER_THINGS = frozenset("currency wahrung devise moneda moeda valuta waluta page pages seite".split())
"""Words that are about something which has no role, whatever stands before them."""

COUNTS = {"reviews": "reviews", "rating": "reviews", "views": "views", "replies": "replies", "votes": "votes"}
"""By what is counted, the role of the number."""

NAMED = frozenset("author company brand seller category publisher location source".split())
"""Roles of what has a name: with that word, it is still they."""

NO_CONTENT = frozenset(
    """
    nav navbar modal icon icons ico fa form filter facet footer btn button social share cookie cart newsletter hide
    """.split()
)
"""Words of class names that are about what is around content."""

INSTALMENTS = frozenset(
    "instalment instalments installment installments parcela parcelas raten ratenzahlung mensualite mensualites cuota "
    "cuotas rata rate monthly".split()
)
"""Words beside a price that say that it is a part of one."""

SOMEBODY = frozenset("user member author poster custom".split())
"""Words before "title" that make it what somebody is called, not a thing."""

PERSONAL = frozenset("first last full family given nick real middle birth".split())

COMPOUND_ENDS = {
    "price": "price", "preis": "price", "prijs": "price", "prisen": "price", "title": "title", "titel": "title",
    "thumbnail": "image", "image": "image", "photo": "image", "author": "author", "autor": "author", "datum": "date",
    "nummer": "id", "number": "id", "adresse": "location", "description": "description", "beschreibung": "description",
    "omschrijving": "description", "location": "location", "category": "category", "kategorie": "category",
    "discount": "discount", "rabatt": "discount", "reviews": "reviews", "bewertung": "rating",
    "rubrik": "category", "salary": "salary", "gehalt": "salary", "company": "company", "dauer": "duration",
    "username": "author",
}  # fmt: skip
"""Ends of words written as one (`productprice`, `Verkaufspreis`) that tell what the whole is."""

OTHERWISE = {
    "link": ("url",),
    "url": ("link",),
    "price": ("salary", "unit price"),
    "salary": ("price",),
    "old price": (),
    "date": ("time", "year"),
    "time": ("date", "duration"),
    "year": ("date",),
    "duration": ("time",),
    "author": ("seller",),
    "company": ("seller", "brand"),
    "seller": ("company", "author"),
    "brand": ("company", "publisher"),
    "publisher": ("company", "brand"),
    "source": ("publisher", "url"),
    "rating": ("votes",),
    "votes": ("rating",),
    "reviews": ("replies", "votes"),
    "replies": ("reviews",),
    "shipping": ("availability",),
    "availability": ("shipping", "status"),
    "status": ("availability", "condition"),
    "condition": ("status",),
    "category": ("type", "tags"),
    "type": ("category", "format"),
    "format": ("type",),
    "tags": ("category",),
    "badge": ("discount", "tags"),
    "id": ("number",),
    "number": ("id",),
}
"""By role: others that may be what is meant by its name, the most likely first."""

AMBIGUOUS = {
    "name": ("title", "author", "company", "brand"),
    "score": ("rating", "votes"),
    "points": ("votes", "rating"),
    "stars": ("rating", "votes"),
    "comments": ("replies", "reviews"),
    "comment": ("description", "replies"),
    "review": ("description", "reviews"),
    "state": ("location", "status", "condition"),
    "estado": ("status", "condition", "location"),
    "position": ("number", "title", "location"),
    "text": ("description", "title"),
    "address": ("location", "url"),
    "url": ("link", "url"),
    "content": ("description",),
    "website": ("url", "link"),
    "domain": ("url", "source"),
    "label": ("badge", "title", "publisher"),
    "user": ("author", "seller"),
    "shop": ("seller", "company"),
    "store": ("seller", "company"),
    "agency": ("company", "seller"),
    "discount": ("discount", "badge"),
    "amount": ("price", "number"),
    "number": ("number", "id", "phone"),
    "model": ("title", "id"),
    "place": ("location", "number"),
    "area": ("location", "size"),
}
"""Names that may mean several roles, the most likely first."""

WORD = re.compile(r"[^\W\d_]+")
CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

LONGEST = 80
"""Characters that are looked at: what names a column is short."""

MAX_TOKENS = 8
"""Class names of an element that are looked at."""

FIRST_COMBINING = "\u0300"
"""No character before it is one that is set on another."""


def fold(word: str) -> str:
    """A word without case and accents.

    >>> fold("Größe"), fold("PREÇO"), fold("価格")
    ('grosse', 'preco', '価格')
    """
    word = word.casefold()
    if word.isascii():
        return word
    word = word.replace("ı", "i")  # the Turkish letter, of which the capital is that of i
    letters = unicodedata.normalize("NFD", word)
    return "".join([letter for letter in letters if letter < FIRST_COMBINING or not unicodedata.combining(letter)])


def table_of(words_by_role: dict[str, str]) -> dict[str, str]:
    """By folded word, or words with a space between: the role that they name; the first that has it counts."""
    found: dict[str, str] = {}
    for role, words in words_by_role.items():
        for word in words.split():
            found.setdefault(fold(word).replace("_", " "), role)
    return found


IN_CLASS = table_of(CLASS_WORDS)
IN_LABEL = {role: role for role in ROLES} | table_of(LABEL_WORDS) | IN_CLASS
AS_LABEL = table_of(WHOLE_LABELS) | IN_LABEL | {"image text": ""}  # which is no address
OLD_FOLDED, UNIT_FOLDED, FOLLOWING, COUNT_FOLDED, GENERIC_FOLDED, OF_FOLDED = (
    frozenset(map(fold, words)) for words in (OLD, UNIT, PRICE_AFTER | GENERIC, COUNT, GENERIC, OF)
)
UNSPACED = {word: role for word, role in AS_LABEL.items() if word[0] >= "\u3040"}
"""Words of languages that set none apart: they are looked for anywhere in a label."""


def role_of_words(words: str, in_class: bool = False) -> str:
    """The role that a label, a header, a property (`itemprop`) or, with `in_class`, class names say; "" if none does.

    >>> [role_of_words(words) for words in ("Autor:", "Date of publication", "Prix barré", "Number of reviews", "Foo")]
    ['author', 'date', 'old price', 'reviews', '']
    >>> [role_of_words(words, in_class=True) for words in ("col-4 product-title", "oldPrice", "price--was", "state")]
    ['title', 'old price', 'old price', '']
    """
    return remembered_role(words[: LONGEST * MAX_TOKENS], in_class)  # no more than that is kept in memory


@lru_cache(maxsize=4096)
def remembered_role(words: str, in_class: bool) -> str:
    """The same, of words that are not too long."""
    if not in_class:
        return role_of_label(words)
    for token in words.split()[:MAX_TOKENS]:
        if role := role_of_class(token[:LONGEST]):
            return role
    return ""


def words_of(text: str) -> list[str]:
    """The folded words of a text, parts of camelCase apart.

    >>> words_of("productTitle_old"), words_of("Preis (inkl. Steuer):")
    (['product', 'title', 'old'], ['preis', 'inkl', 'steuer'])
    """
    return [fold(word) for word in WORD.findall(CAMEL.sub(" ", text))]


@lru_cache(maxsize=4096)
def role_of_class(token: str) -> str:
    """The role that one class name says, by the last of its words that says anything but layout. What is after the
    last `--` goes first, if it says something by itself.

    >>> role_of_class("item--price-shipping--price"), role_of_class("price--was")
    ('price', 'old price')
    """
    if "--" in token and (role := role_of_class(token.rpartition("--")[2])):
        return role
    pieces = token.replace("--", "-").replace("_", "-").split("-")
    # Pieces of letters and digits are made by tools: `Title_3xb9Q`.
    kept = [piece for piece in pieces if piece.isalpha() or not any(map(str.isalpha, piece))]
    words = words_of(" ".join(kept))
    if not NO_CONTENT.isdisjoint(words):
        return ""
    if len(words) > 1 and words[0] == "views":
        words = words[1:]  # what Drupal calls its lists
    while len(words) > 1 and words[-1] in GENERIC_FOLDED:
        words.pop()
    last = len(words)
    while last > 1 and words[last - 1] in FOLLOWING:
        last -= 1
    if last < len(words) and role_at(words, last, IN_CLASS) != "price":
        last = len(words)  # what may follow a price follows something else here
    return modified(role_at(words, last, IN_CLASS), words)


def role_of_label(text: str) -> str:
    """The role that a label or header says: by the word before "of" and the like, else by the last telling one."""
    text = text[:LONGEST]
    if (whole := AS_LABEL.get(fold(text.strip(" :.#*").replace("-", "_")).replace("_", " "))) is not None:
        return whole
    words = words_of(text.split("(")[0].split("[")[0]) or words_of(text)
    if not words:
        return "number" if text.strip(" .:") in ("#", "№") else ""
    if (whole := AS_LABEL.get(" ".join(words))) is not None:
        return whole
    if any(word[0] >= "\u3040" for word in words):
        together = "".join(words)
        best = max((word for word in UNSPACED if word in together), key=len, default="")
        return UNSPACED.get(best, "")
    if len(words) > 6:
        return ""  # a sentence, which names nothing
    joined = next((place for place, word in enumerate(words) if word in OF_FOLDED and place), len(words))
    head, tail = words[:joined], [word for word in words[joined:] if word not in OF_FOLDED]
    if tail and head[-1] in COUNT_FOLDED:
        counted = role_at(tail, len(tail), IN_LABEL)
        return COUNTS.get(counted, "")
    for last in range(len(head), 0, -1):
        if head[last - 1] in OTHER_THINGS:
            break
        # What is not the last word must be sure of itself: "date posted", but not "items left".
        if role := role_at(head, last, IN_LABEL if last == len(head) else IN_CLASS):
            return COUNTS.get(role, role) if head[0] in COUNT_FOLDED else modified(role, words)
    return ""


def role_at(words: list[str], last: int, table: dict[str, str]) -> str:
    """The role that the words up to a place say, by those right before it."""
    if not last:
        return ""
    word = words[last - 1]
    before = words[last - 2] if last > 1 else ""
    if before and (pair := table.get(f"{before} {word}") or table.get(before + word)):
        return pair
    if word == "title" and before in SOMEBODY:
        return ""
    if word == "name" and before and before not in PERSONAL:
        described = IN_LABEL.get(before, "")
        return described if described in NAMED else "title"
    if word in ("url", "link", "href") and before and table is IN_LABEL:
        return "image" if table.get(before) == "image" else "link"
    if word in COUNT_FOLDED and before:
        counted = single(before, table) or AS_LABEL.get(before, "")
        if counted in COUNTS or counted == "phone":
            return COUNTS.get(counted, counted)
        is_number = word == "number" or (word in ("no", "nr") and table is IN_LABEL)
        return "id" if is_number and before not in OTHER_THINGS else ""
    return single(word, table)


def single(word: str, table: dict[str, str]) -> str:
    """The role of one word, which may be a plural or written together with others."""
    if role := table.get(word):
        return role
    if word.endswith("s") and len(word) > 4 and (role := table.get(word[:-1]) or table.get(word[:-3] + "y")):
        return role
    for size in (5, 6, 7, 8, 9, 11, 12):
        if len(word) > size + 1 and (role := COMPOUND_ENDS.get(word[-size:])):
            return role
    return ""


def modified(role: str, words: list[str]) -> str:
    """A role as the words around it make it: a price may be old, for a unit, or that of shipping."""
    if role != "price":
        return role
    if any(word in INSTALMENTS for word in words):
        return ""
    if any(word in UNIT_FOLDED for word in words):
        return "unit price"
    if any(IN_CLASS.get(word) == "shipping" for word in words):
        return "shipping"
    return "old price" if any(word in OLD_FOLDED for word in words) else role


def roles_wanted(name: str) -> tuple[str, ...]:
    """The roles that a wish of a name may mean, the most likely first; none if the name says nothing known.

    >>> roles_wanted("name"), roles_wanted("publishedAt"), roles_wanted("preis"), roles_wanted("foo")
    (('title', 'author', 'company', 'brand'), ('date', 'time', 'year'), ('price', 'salary', 'unit price'), ())
    """
    words = words_of(name[:LONGEST])
    if len(words) == 1 and words[0] in AMBIGUOUS:
        return AMBIGUOUS[words[0]]
    role = role_of_label(name) or role_of_class(name[:LONGEST])
    return (role, *OTHERWISE.get(role, ())) if role else ()
