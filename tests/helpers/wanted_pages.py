"""Pages of a shop, of jobs, of a forum and of books, in several languages, for tests of what is wanted of them."""

from __future__ import annotations

POTS = ["Enamel milk pan", "Steel stockpot", "Copper kettle", "Glass teapot", "Iron skillet", "Clay baker"]
PRICES = ["24,90", "1.299,00", "38,00", "12,50", "44,00", "9,95"]

TAGS = ["neu", "blau", "leicht", "schwer"]

JOBS = ["Boulanger", "Comptable", "Infirmière", "Menuisier", "Serveuse", "Jardinier"]
CITIES = ["Lyon", "Nantes", "Lille", "Brest", "Nice", "Metz"]

THREADS = ["How to oil a hinge", "Which wood for a stool", "Glue that holds", "Old plane found", "Sharpening jig"]
MEMBERS = ["nora", "tom77", "ashwood", "grain_of_oak", "vise"]

BOOKS = ["海の本", "山の本", "川の本", "森の本", "空の本"]


def shop(names: list[str] = POTS, prices: list[str] = PRICES) -> str:
    """A German shop: a menu, the list, and what others bought."""
    menu = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in ("Töpfe", "Pfannen", "Messer", "Angebote"))
    tiles = "".join(
        f"<li class=tile data-sku=A{k}01><a href=/p/{k}><img src=/i/{k}.jpg alt='Bild {k}'><h3>{name}</h3></a>"
        f"<p class=hersteller>Fabrik {chr(65 + k)}</p><span class=preis>{price} €</span>"
        f"<ul class=tags>{''.join(f'<li>{tag}</li>' for tag in TAGS[k % 2 : 2 + k % 3])}</ul></li>"
        for k, (name, price) in enumerate(zip(names, prices, strict=True))
    )
    others = "".join(f"<div class=o><a href=/p/{k}>{name}</a></div>" for k, name in enumerate(reversed(names)))
    return f"<html lang=de><ul class=menu>{menu}</ul><ol class=grid>{tiles}</ol><section>{others}</section>"


def jobs() -> str:
    """French offers of work, each a definition list with labels."""
    offers = "".join(
        f"<article><h2><a href=/offre/{k}>{job}</a></h2><dl><dt>Entreprise :</dt><dd>Maison {chr(65 + k)}</dd>"
        f"<dt>Lieu :</dt><dd>{city}</dd><dt>Salaire :</dt><dd>{1800 + 150 * k} €</dd>"
        f"<dt>Publié le :</dt><dd>{10 + k}/06/2026</dd></dl></article>"
        for k, (job, city) in enumerate(zip(JOBS, CITIES, strict=True))
    )
    return f"<html lang=fr><main>{offers}</main>"


def forum() -> str:
    """Threads of a forum: a table with headers."""
    rows = "".join(
        f"<tr><td><a href=/t/{k}>{thread}</a></td><td>{member}</td><td>{3 * k + 2}</td><td>{120 + 41 * k}</td>"
        f"<td>2026-06-{10 + k}</td></tr>"
        for k, (thread, member) in enumerate(zip(THREADS, MEMBERS, strict=True))
    )
    heads = "".join(f"<th>{head}</th>" for head in ("Topic", "Started by", "Replies", "Views", "Last post"))
    return f"<html lang=en><table><tr>{heads}</tr>{rows}</table>"


def books() -> str:
    """Japanese books with labels."""
    items = "".join(
        f"<div class=book><h3>{book}</h3><p>著者: 作家{k}号</p><p>価格: {1000 + 100 * k}円</p></div>"
        for k, book in enumerate(BOOKS)
    )
    return f"<html lang=ja><main>{items}</main>"
