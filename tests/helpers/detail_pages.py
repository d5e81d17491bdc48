"""Pages about one thing, written for the tests: each with what a person would want of it."""

from __future__ import annotations

from typing import Any, NamedTuple


class DetailPage(NamedTuple):
    """A page, and values of its record by the names of their columns."""

    name: str
    html: str
    values: dict[str, Any]
    """Texts, or lists of texts."""


CHROME = (
    "<header><a href=/>Home</a> <a href=/cart>Cart (0)</a></header><nav><ul><li><a href=/a>Kitchen</a><li><a href=/b>"
    "Garden</a><li><a href=/c>Tools</a></ul></nav>"
)
FOOTER = "<footer><p>About us</p><p>Terms: see here</p><p>Phone: 555 0100 200</p></footer>"


def document(title: str, body: str, language: str = "en", head: str = "") -> str:
    """A page with what is around the thing on every page of a site."""
    return f'<html lang={language}><head><title>{title}</title>{head}</head><body>{CHROME}{body}{FOOTER}</body></html>'


RELATED = "<section><h2>You may also like</h2><ul>" + "".join(
    f"<li><a href=/p/{k}><img src=/p{k}.jpg alt='Pan {k}'><b>Pan number {k}</b></a> <i>{20 + k}.50 EUR</i></li>"
    for k in range(8)
) + "</ul></section>"

PRODUCT = DetailPage(
    "a product",
    document(
        "Copper milk pan, 1.5 l | Pots and more",
        "<main><div class=gallery><img src=/img/pan.jpg width=600 height=600 alt='Copper milk pan'></div>"
        "<h1>Copper milk pan, 1.5 l</h1><div class=rating>4.5 out of 5</div><a class=review-count href=#r>128 reviews</a>"
        "<div class=product-price><span class=price>64,90 EUR</span> <del class=old-price>79,00 EUR</del></div>"
        "<p>A pan of solid copper that heats evenly and keeps the warmth, made by hand in a small workshop by the sea.</p>"
        "<h2>Features</h2><ul><li>Solid copper</li><li>Handle of oak</li><li>For gas stoves</li></ul>"
        "<h2>Details</h2><table><tr><th>Diameter</th><td>16 cm</td></tr><tr><th>Weight</th><td>1.2 kg</td></tr>"
        "<tr><th>Item number</th><td>CP-1615</td></tr></table></main>" + RELATED,
    ),
    {
        "title": "Copper milk pan, 1.5 l", "image": "/img/pan.jpg", "price": "64,90 EUR", "old price": "79,00 EUR",
        "rating": "4.5 out of 5", "reviews": "128 reviews", "Diameter": "16 cm", "Weight": "1.2 kg",
        "Item number": "CP-1615", "Features": ["Solid copper", "Handle of oak", "For gas stoves"],
    },
)  # fmt: skip

RECIPE_OF_LISTS = DetailPage(
    "a recipe of lists",
    document(
        "Lentil soup - Ann cooks",
        "<article><h1>Lentil soup</h1><p class=byline>By Ann Lee on May 3, 2024</p>"
        "<p>There is nothing like a bowl of lentil soup on a day when the rain does not stop, as it did not today.</p>"
        "<div class=meta><div><span class=label>Prep time</span> <span class=value>15 minutes</span></div>"
        "<div><span class=label>Total time</span> <span class=value>45 minutes</span></div>"
        "<div><span class=label>Servings</span> <span class=value>4</span></div></div>"
        "<h2>Ingredients</h2><h3>For the soup</h3><ul><li>200 g red lentils</li><li>1 onion, chopped</li></ul>"
        "<h3>To serve</h3><ul><li>2 tbsp yoghurt</li><li>bread</li></ul>"
        "<h2>Method</h2><ol><li>Fry the onion in a little oil until it is soft.</li>"
        "<li>Add the lentils and a litre of water, and cook for half an hour.</li><li>Serve with yoghurt.</li></ol>"
        "</article><section id=comments><h2>Comments</h2><p>Bob: I made this twice and it was very good indeed.</p></section>",
    ),
    {
        "title": "Lentil soup", "author": "Ann Lee", "date": "May 3, 2024", "Prep time": "15 minutes",
        "Total time": "45 minutes", "Servings": "4",
        "ingredients": ["200 g red lentils", "1 onion, chopped", "2 tbsp yoghurt", "bread"],
        "instructions": [
            "Fry the onion in a little oil until it is soft.",
            "Add the lentils and a litre of water, and cook for half an hour.", "Serve with yoghurt.",
        ],
    },
)  # fmt: skip

RECIPE_OF_PARAGRAPHS = DetailPage(
    "a recipe of paragraphs",
    document(
        "Linsensuppe | Annas Küche",
        "<div class=post><h1>Linsensuppe</h1><p><strong>Zutaten für 4 Personen:</strong></p>"
        "<p>200 g rote Linsen<br>1 Zwiebel<br>1 l Wasser</p><p><strong>Zubereitung</strong></p>"
        "<p>Die Zwiebel schälen, fein würfeln und in etwas Öl weich dünsten.</p>"
        "<p>Linsen und Wasser zugeben und eine halbe Stunde lang kochen lassen.</p></div>",
        "de",
    ),
    {
        "title": "Linsensuppe", "ingredients": ["200 g rote Linsen", "1 Zwiebel", "1 l Wasser"],
        "instructions": [
            "Die Zwiebel schälen, fein würfeln und in etwas Öl weich dünsten.",
            "Linsen und Wasser zugeben und eine halbe Stunde lang kochen lassen.",
        ],
    },
)  # fmt: skip

RECIPE_OF_BOXES = DetailPage(
    "a recipe of boxes",
    document(
        "Sopa de lentejas",
        "<h1>Sopa de lentejas</h1><div class=cols><div class=left><div class=head><h2>Ingredientes</h2></div>"
        "<div class=rows><div class=row><div class=amount>200 g</div><div class=what>lentejas rojas</div></div>"
        "<div class=row><div class=amount>1</div><div class=what>cebolla</div></div>"
        "<div class=row><div class=amount>1 l</div><div class=what>agua</div></div></div></div>"
        "<div class=right><h2>Preparación</h2><div class=step><div class=no>Paso 1</div><div>Pica la cebolla y fríela en un"
        " poco de aceite hasta que esté blanda.</div></div><div class=step><div class=no>Paso 2</div><div>Añade las lentejas"
        " y el agua, y cuece todo durante media hora.</div></div></div></div>",
        "es",
    ),
    {
        "title": "Sopa de lentejas", "ingredients": ["200 g lentejas rojas", "1 cebolla", "1 l agua"],
        "instructions": [
            "Pica la cebolla y fríela en un poco de aceite hasta que esté blanda.",
            "Añade las lentejas y el agua, y cuece todo durante media hora.",
        ],
    },
)  # fmt: skip

BOOK = DetailPage(
    "a book",
    document(
        "The long road by Carl North (Hardcover) : Page and Cover",
        "<div id=content><table><tr><td><img src=/covers/1.gif></td><td><h2>The long road (Hardcover)</h2>"
        "<h3 class=author>by <a href=/a/north>Carl North</a></h3><ul class=facts>"
        "<li><strong>ISBN-13:</strong> 9780000000012</li><li><strong>Publisher:</strong> Small House</li>"
        "<li><strong>Date:</strong> June 2010</li><li><strong>Page Count:</strong> 192</li></ul></td></tr></table>"
        "<h4>Overview</h4><p>A man walks from the north of his country to the south, and writes down what people tell him on"
        " the way, until he does not know any more what is his own story and what is theirs.</p></div>",
    ),
    {
        "title": "The long road", "format": "Hardcover", "author": "Carl North", "ISBN-13": "9780000000012",
        "Publisher": "Small House", "Date": "June 2010", "Page Count": "192",
    },
)  # fmt: skip

JOB = DetailPage(
    "a job",
    document(
        "Gardener - Green Hands Ltd - Jobs",
        "<main><h1>Gardener</h1><dl><dt>Company</dt><dd>Green Hands Ltd</dd><dt>Location</dt><dd>Leeds</dd>"
        "<dt>Salary</dt><dd>£24,000 - £26,000 a year</dd><dt>Contract</dt><dd>Permanent</dd></dl>"
        "<h2>What you will do</h2><ul><li>Look after six parks in the north of the town</li><li>Plan what grows there</li>"
        "</ul><h2>What we expect</h2><ul><li>Two years in a garden</li><li>A driving licence</li></ul>"
        "<p>We are a small company that has looked after the parks of this town for more than thirty years.</p></main>",
    ),
    {
        "title": "Gardener", "Company": "Green Hands Ltd", "Location": "Leeds", "Salary": "£24,000 - £26,000 a year",
        "Contract": "Permanent",
        "What you will do": ["Look after six parks in the north of the town", "Plan what grows there"],
        "What we expect": ["Two years in a garden", "A driving licence"],
    },
)  # fmt: skip

HOUSE = DetailPage(
    "a house",
    document(
        "Maison 5 pièces à Nantes",
        "<h1>Maison 5 pièces à Nantes</h1><div class=price>385 000 €</div><div class=facts>"
        "<div class=fact><div class=k>Surface</div><div class=v>124 m²</div></div>"
        "<div class=fact><div class=k>Pièces</div><div class=v>5</div></div>"
        "<div class=fact><div class=k>Chambres</div><div class=v>3</div></div>"
        "<div class=fact><div class=k>Jardin</div><div class=v>200 m²</div></div></div>"
        "<h2>Description</h2><p>Belle maison au calme, proche du centre et des écoles, avec un jardin plein sud et un garage"
        " pour deux voitures. Les chambres sont à l'étage.</p>",
        "fr",
    ),
    {
        "title": "Maison 5 pièces à Nantes", "price": "385 000 €", "Surface": "124 m²", "Pièces": "5", "Chambres": "3",
        "Jardin": "200 m²",
    },
)  # fmt: skip

PERSON = DetailPage(
    "a person",
    document(
        "Eva Berg - players - tennis",
        "<center><font size=5><b>Eva Berg</b></font></center><table border=1>"
        "<tr><td><b>Born</b></td><td>3 May 1979</td></tr><tr><td><b>Country</b></td><td>Sweden</td></tr>"
        "<tr><td><b>Plays</b></td><td>right-handed</td></tr><tr><td><b>Rank</b></td><td>12</td></tr></table>",
    ),
    {"title": "Eva Berg", "Born": "3 May 1979", "Country": "Sweden", "Plays": "right-handed", "Rank": "12"},
)

EVENT = DetailPage(
    "an event",
    document(
        "Spring concert | Town hall",
        "<h1>Spring concert</h1><p>Date: 12 April 2025<br>Doors: 19:00<br>Place: Town hall, great room</p>"
        "<table><tr><th>Tickets</th><th>Reduced</th><th>Language</th></tr><tr><td>18 EUR</td><td>9 EUR</td><td>German</td>"
        "</tr></table><p>The choir of the town sings songs of spring from five hundred years, and everybody may join in for"
        " the last of them.</p>",
    ),
    {
        "title": "Spring concert", "Date": "12 April 2025", "Doors": "19:00", "Place": "Town hall, great room",
        "Tickets": "18 EUR", "Reduced": "9 EUR", "Language": "German",
    },
)  # fmt: skip

QUESTION = DetailPage(
    "a question",
    document(
        "How do I keep basil alive? - Garden forum",
        "<main><h1>How do I keep basil alive?</h1><div class=post><span class=author>tomgrows</span> <time>2024-02-11</time>"
        "<p>Every basil that I buy in a shop dies within a week, though I water it every day and it stands at the window."
        " What do I do wrong?</p></div></main>",
    ),
    {"title": "How do I keep basil alive?", "author": "tomgrows", "date": "2024-02-11"},
)

ARTICLE_TEXT = [
    "The old bridge over the river will be closed from Monday on, the town council said in a statement this morning.",
    "It was built in 1911 and carries some nine thousand cars a day, three times as many as it was once made for.",
    "Until the new bridge is finished, which may take two years, traffic will be led through the villages to the north.",
]
ARTICLE = DetailPage(
    "an article",
    document(
        "Old bridge closes on Monday | The Daily",
        "<article><header><h1>Old bridge closes on Monday</h1><p class=byline>By <a rel=author href=/w/kim>Kim Holm</a></p>"
        f"<time datetime=2024-09-05>5 September 2024</time></header>{''.join(f'<p>{text}</p>' for text in ARTICLE_TEXT)}"
        "</article><aside><h3>Most read</h3><ul><li><a href=/1>One</a><li><a href=/2>Two</a><li><a href=/3>Three</a></ul>"
        "</aside>",
    ),
    {"title": "Old bridge closes on Monday", "author": "Kim Holm", "date": "5 September 2024", "text": ARTICLE_TEXT},
)

PAGES = (
    PRODUCT, RECIPE_OF_LISTS, RECIPE_OF_PARAGRAPHS, RECIPE_OF_BOXES, BOOK, JOB, HOUSE, PERSON, EVENT, QUESTION, ARTICLE,
)  # fmt: skip

NOTHING = {
    "an empty page": "",
    "only a title": "<title>Shop</title>",
    "not found": document("Page not found | Shop", "<h1>Page not found</h1><p>The page that you asked for is not here.</p>"),
    "a login": document("Log in", "<h1>Log in</h1><form><label>Name</label><input><label>Word</label><input></form>"),
    "a check": "<title>Just a moment...</title><h1>Just a moment...</h1><p>Checking that you are a human.</p>",
}
