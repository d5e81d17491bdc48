"""Roles by the words that name them: labels, headers, properties and class names in many languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.columns.roles import AMBIGUOUS, OTHERWISE, ROLES, role_of_words, roles_wanted

ALL_ROLES = """title,link,image,price,old price,unit price,discount,shipping,availability,description,rating,reviews,
date,time,author,location,category,brand,seller,company,condition,size,color,id,email,phone,url,number,views,replies,
votes,status,type,language,format,publisher,year,duration,salary,source,tags,badge""".replace("\n", "").split(",")


def test_the_roles_are_those_of_the_house() -> None:
    assert set(ROLES) == set(ALL_ROLES)
    assert all(role_of_words(role) == role for role in ROLES)


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("Price", "price"), ("Preis:", "price"), ("Prix", "price"), ("Precio", "price"), ("Preço", "price"),
        ("Prezzo", "price"), ("Prijs", "price"), ("Cena", "price"), ("Цена", "price"), ("Pris", "price"),
        ("Fiyatı", "price"), ("価格", "price"), ("販売価格", "price"), ("价格：", "price"), ("Price (EUR)", "price"),
        ("Price per night", "price"), ("List Price", "old price"), ("Prix barré", "old price"), ("UVP", "old price"),
        ("Precio anterior", "old price"), ("старая цена", "old price"), ("Was", "old price"), ("RRP:", "old price"),
        ("Precio del producto", "price"), ("Grundpreis", "unit price"), ("Prix unitaire", "unit price"),
        ("Price per unit", "unit price"), ("Shipping cost", "shipping"), ("Versandkosten", "shipping"),
        ("Name", "title"), ("Company name", "company"), ("Titel", "title"), ("Nome do produto", "title"),
        ("Autor:", "author"), ("Posted by", "author"), ("by", "author"), ("作者", "author"), ("Автор", "author"),
        ("Date Posted", "date"), ("Data", "date"), ("Fecha de publicación", "date"), ("datePublished", "date"),
        ("Last post", "date"), ("发布时间", "date"), ("Docket Number", "id"), ("Art.-Nr.", "id"), ("SKU", "id"),
        ("Phone number", "phone"), ("No.", "number"), ("#", "number"), ("Rank", "number"), ("Time Left", "duration"),
        ("Number of reviews", "reviews"), ("Anzahl Bewertungen", "reviews"), ("ratingCount", "reviews"),
        ("Replies", "replies"), ("Antworten", "replies"), ("Respuestas", "replies"), ("Views", "views"),
        ("Gehalt", "salary"), ("Salário", "salary"), ("給与", "salary"), ("勤務地", "location"), ("Ville", "location"),
        ("Categories", "category"), ("Verlag", "publisher"), ("Estado", "status"), ("priceCurrency", ""),
        ("image url", "image"), ("title url", "link"), ("image text", ""), ("cited by", ""), ("number of bids", ""),
        ("items left", ""), ("delivery time", "shipping"), ("Stock status", "availability"), ("Add to cart", ""),
        ("Hello world", ""), ("", ""), ("12", ""), ("A sentence that goes on about the price", ""),
    ],
)  # fmt: skip
def test_labels_and_headers(label: str, role: str) -> None:
    assert role_of_words(label) == role
    assert role_of_words(label.upper()) == role or label in ("datePublished", "ratingCount")


@pytest.mark.parametrize(
    ("classes", "role"),
    [
        ("product-title", "title"), ("card__title--large", "title"), ("productName", "title"), ("job_title", "title"),
        ("Title_title__3xb9Q", "title"), ("title-link", "title"), ("col-4 price", "price"), ("price-wrapper", "price"),
        ("sale-price", "price"), ("productprice", "price"), ("price-list", "price"), ("oldPrice", "old price"),
        ("was-price", "old price"), ("price--was", "old price"), ("price-old", "old price"), ("uvp", "old price"),
        ("price-item--regular", "old price"), ("list-price", "old price"), ("unit-price", "unit price"),
        ("price-unit", "unit price"), ("price-discount", "discount"), ("shipping-price", "shipping"),
        ("author-name", "author"), ("user-name", "author"), ("company-name", "company"), ("thumb-img", "image"),
        ("view-count", "views"), ("comments-link", "replies"), ("date-posted", "date"), ("item-number", "id"),
        ("views-field-title", "title"), ("views-row", ""), ("case-name", "title"), ("displayUrl", "url"),
        ("crossPrice", "old price"), ("installment-price", ""), ("navbar-brand", ""), ("icon-phone", ""),
        ("name", ""), ("state", ""), ("data", ""), ("size-small", ""), ("list-view", ""), ("page-number", ""),
        ("btn btn-primary", ""), ("text-muted", ""), ("update", ""), ("operating", ""), ("color", ""), ("", ""),
    ],
)  # fmt: skip
def test_class_names(classes: str, role: str) -> None:
    assert role_of_words(classes, in_class=True) == role


def test_wishes_may_mean_several_roles() -> None:
    assert roles_wanted("Price") == ("price", "salary", "unit price")
    assert roles_wanted("url") == ("link", "url")
    assert roles_wanted("score") == ("rating", "votes")
    assert roles_wanted("published_at")[0] == "date"
    assert roles_wanted("old_price") == ("old price",)
    assert roles_wanted("zzz") == ()


def test_the_tables_name_known_roles_only() -> None:
    named = {role for roles in (*OTHERWISE.values(), *AMBIGUOUS.values()) for role in roles} | set(OTHERWISE)
    assert named <= set(ROLES)


@given(st.text(max_size=100), st.booleans())
def test_any_text_gets_a_role_or_none(text: str, in_class: bool) -> None:
    assert role_of_words(text, in_class) in ("", *ROLES)
    assert set(roles_wanted(text)) <= set(ROLES)
