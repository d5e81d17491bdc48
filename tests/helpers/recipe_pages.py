"""Recipes as common templates of the web set them, written for the tests: all tell of the same two dishes.
Each is given with the texts of its ingredients, its steps and its times."""

from __future__ import annotations

from tests.helpers.detail_pages import DetailPage, document

INTRO = (
    "<p>When the evenings get cold there is nothing like a pot of soup on the stove, and this one has been with us for"
    " as long as I can think. My grandmother made it with whatever the garden had left.</p>"
    "<p>It keeps for three days in the fridge, and I think that it is even better on the second one.</p>"
)
INGREDIENTS = ["2 cups red lentils (rinsed)", "1 large onion, chopped", "1 ½ teaspoons ground cumin", "salt to taste"]
SAUCE = ["100 g yogurt", "1 clove garlic"]
STEPS = [
    "Fry the onion with the cumin in a large pot until it is soft, about five minutes.",
    "Add the lentils and a litre of water, bring to a boil and simmer for half an hour.",
    "Blend the soup until it is smooth, season it, and serve with the sauce on top.",
]
COMMENTS = (
    "<section id=comments class=comments-area><h2>12 Comments</h2><ol class=comment-list>"
    "<li><b>Ann</b> <p>I added 2 cups of carrots and it was the best soup that we had in all the winter. Thanks!</p>"
    "<li><b>Tom</b> <p>How many cups of water do you use? I took 1 liter and it was a bit too thin for us all.</p></ol>"
    "<h3>Leave a Reply</h3><form><label>Name</label><input><textarea></textarea></form></section>"
)
SIDE = (
    "<aside class=sidebar><h3>Hi, I'm Ann!</h3><p>Welcome to my kitchen.</p><h3>Popular recipes</h3><ul>"
    "<li><a href=/1>Bread soup</a><li><a href=/2>Bean stew</a><li><a href=/3>Leek tart</a></ul></aside>"
)
POST = (
    "<a href=#recipe class=jump>Jump to Recipe</a> <a href=/print>Print Recipe</a>{intro}<h2>Ingredients you need</h2>"
    "<ul><li><strong>Lentils</strong> – red ones cook fastest, and they fall apart as they should</li>"
    "<li><strong>Onion</strong> – a yellow one, or shallots if you have some left over</li></ul>"
    "<h2>How to make lentil soup</h2><p>First, fry the onion. Then cook it all. It is that easy, so do not worry.</p>"
    "<h2>Tips for success</h2><ul><li>Rinse the lentils well</li><li>Do not salt too early</li></ul>"
)


def post(card: str, before: str = POST.format(intro=INTRO), title: str = "Red Lentil Soup") -> str:
    """A post of a blog with a recipe in it."""
    return document(
        f"{title} - Ann's Kitchen",
        f"<main><article><header><h1 class=entry-title>{title}</h1><p class=entry-meta>Published <time>May 3, 2024"
        f"</time> by <a href=/about rel=author>Ann Lee</a></p></header><div class=entry-content>{before}{card}"
        f"<p>If you make this recipe, leave a comment below!</p></div></article>{COMMENTS}</main>{SIDE}",
    )


def items(texts: list[str], tag: str = "li", name: str = "") -> str:
    """Texts as elements of a list."""
    return "".join(f"<{tag}{f' class={name}' if name else ''}>{text}</{tag}>" for text in texts)


VALUES = {"title": "Red Lentil Soup", "ingredients": INGREDIENTS + SAUCE, "instructions": STEPS}


def part(amount: str, unit: str, name: str, notes: str = "") -> str:
    """An ingredient whose parts are marked, with a box to tick."""
    said = f" <span class='wprm-recipe-ingredient-notes wprm-recipe-ingredient-notes-faded'>{notes}</span>"
    return (
        "<li class=wprm-recipe-ingredient style='list-style-type:none;'><span class=wprm-checkbox-container>"
        "<input type=checkbox id=c1 class=wprm-checkbox aria-label='x'><label for=c1 class=wprm-checkbox-label><span"
        " class='sr-only screen-reader-text wprm-screen-reader-text'>▢ </span></label></span>"
        f"<span class=wprm-recipe-ingredient-amount>{amount}</span>&#32;"
        f"<span class=wprm-recipe-ingredient-unit>{unit}</span>&#32;"
        f"<span class=wprm-recipe-ingredient-name>{name}</span>{said if notes else ''}</li>"
    )


CARD_OF_PARTS = DetailPage(
    "a card of marked parts",
    post(
        "<div id=recipe class=wprm-recipe-container><div class='wprm-recipe wprm-recipe-template-chic'>"
        "<div class=wprm-recipe-image><img src=/soup.jpg width=300 height=300 alt='bowl of lentil soup'></div>"
        "<h2 class='wprm-recipe-name wprm-block-text-bold'>Red Lentil Soup</h2>"
        "<div class=wprm-recipe-rating><span class=wprm-recipe-rating-average>4.8</span> from <span"
        " class=wprm-recipe-rating-count>32</span> votes</div>"
        "<div class=wprm-recipe-summary><span>A quick soup for cold days.</span></div>"
        "<a class=wprm-recipe-print href=/print>Print Recipe</a> <a class=wprm-recipe-pin href=/pin>Pin Recipe</a>"
        "<div class=wprm-recipe-times-container><div class='wprm-recipe-block-container"
        " wprm-recipe-total-time-container'>"
        "<span class='wprm-recipe-details-label wprm-recipe-time-label'>Total Time </span><span class=wprm-recipe-time>"
        "<span class='wprm-recipe-details wprm-recipe-details-minutes'>45<span class='sr-only screen-reader-text"
        " wprm-screen-reader-text'> minutes</span></span> <span class='wprm-recipe-details-unit' aria-hidden=true>"
        "minutes</span></span></div></div>"
        "<div class=wprm-recipe-ingredients-container><h3 class='wprm-recipe-header wprm-recipe-ingredients-header'>"
        "Ingredients <span class=wprm-recipe-adjustable-servings-container><button>1x</button><button>2x</button>"
        "<button>3x</button></span></h3><div class=wprm-unit-conversion-container><button>US Customary</button> - "
        "<button>Metric</button></div>"
        "<div class=wprm-recipe-ingredient-group><h4 class='wprm-recipe-group-name'>For the soup</h4>"
        "<ul class=wprm-recipe-ingredients>"
        + part("2", "cups", "red lentils", "(rinsed)")
        + part("1", "large", "onion, chopped")
        + part("1 ½", "teaspoons", "ground cumin")
        + part("", "", "salt to taste")
        + "</ul></div><div class=wprm-recipe-ingredient-group><h4 class='wprm-recipe-group-name'>For the sauce</h4>"
        "<ul class=wprm-recipe-ingredients>"
        + part("100", "g", "yogurt")
        + part("1", "clove", "garlic")
        + "</ul></div></div>"
        "<div class=wprm-prevent-sleep><label>Cook Mode</label> <span>Prevent your screen from going dark</span></div>"
        "<div class=wprm-recipe-instructions-container><h3 class='wprm-recipe-header'>Instructions</h3>"
        "<div class=wprm-recipe-instruction-group><h4 class=wprm-recipe-group-name>Make the soup</h4>"
        "<ul class=wprm-recipe-instructions>"
        + items([f"<div class=wprm-recipe-instruction-text>{step}</div>" for step in STEPS[:2]])
        + "</ul></div><div class=wprm-recipe-instruction-group><h4 class=wprm-recipe-group-name>Finish</h4>"
        "<ul class=wprm-recipe-instructions>"
        + items([f"<div class=wprm-recipe-instruction-text>{step}</div><img src=/step.jpg>" for step in STEPS[2:]])
        + "</ul></div></div><div class=wprm-recipe-notes-container><h3>Notes</h3><p>Freeze the rest for"
        " later.</p></div>"
        "<h3>Nutrition</h3><div class=wprm-nutrition-label-container><span>Calories: 210kcal</span> | <span>Fat: 4g"
        "</span></div></div></div>"
    ),
    {**VALUES, "Total Time": "45 minutes"},
)

CARD_OF_LISTS = DetailPage(
    "a card of lists with a unit switcher",
    post(
        "<div class='tasty-recipes tasty-recipes-4'><h2 class=tasty-recipes-title>Red Lentil Soup</h2>"
        "<div class=tasty-recipes-details><ul><li class=author><span class=tasty-recipes-label>Author:</span> <span>Ann"
        " Lee</span></li><li class=total-time><span class=tasty-recipes-label>Total Time:</span> <span"
        " class=tasty-recipes-total-time>45 minutes</span></li><li class=yield><span class=tasty-recipes-label>Yield:"
        "</span> <span>4 servings <span class=tasty-recipes-scale>1<span>x</span></span></span></li></ul></div>"
        "<div class=tasty-recipes-buttons><a href=/p>Print Recipe</a><a href=/pin>Pin Recipe</a></div>"
        "<div class='tasty-recipes-ingredients'><div class=tasty-recipes-ingredients-header><h3>Ingredients</h3>"
        "<div class=tasty-recipes-scale-container><span class=tasty-recipes-scale-label>Scale</span><button>1x</button>"
        "<button>2x</button></div><div class=tasty-recipes-units><button>US</button><button>M</button></div></div>"
        "<div class=tasty-recipes-ingredients-body><p><strong>For the soup</strong></p><ul>"
        + items([f"<span data-amount=1>{text.split()[0]}</span>{text[len(text.split()[0]) :]}" for text in INGREDIENTS])
        + "</ul><p><strong>For the sauce:</strong></p><ul>"
        + items(SAUCE)
        + "</ul></div></div><div class=tasty-recipe-instructions><div class=tasty-recipes-instructions-header><h3>"
        "Instructions</h3><div class=tasty-recipes-cook-mode><label><input type=checkbox> Cook Mode</label>"
        "<span>Prevent your screen from going dark</span></div></div><ol>"
        + items([f"<strong>{step.split()[0]}</strong>{step[len(step.split()[0]) :]}" for step in STEPS])
        + "</ol></div><div class=tasty-recipes-notes><h3>Notes</h3><ol><li>Freeze the rest.</li></ol></div></div>"
    ),
    {**VALUES, "Total Time": "45 minutes"},
)

CARD_WITH_ADS = DetailPage(
    "a card with advertisements between the steps",
    post(
        "<section class='mv-create-card mv-recipe-card'><h2 class=mv-create-title>Red Lentil Soup</h2>"
        "<div class=mv-create-times><div class=mv-create-time-total><em class=mv-time-label>Total Time</em> <span"
        " class=mv-create-time-format><span class=mv-time-part>45 minutes</span></span></div></div>"
        "<div class=mv-create-ingredients><h3 class=mv-create-ingredients-title>Ingredients</h3><h4>For the soup</h4>"
        "<ul>" + items(INGREDIENTS) + "</ul><h4>For the sauce</h4><ul>" + items(SAUCE) + "</ul></div>"
        "<div class=mv-create-instructions><h3 class=mv-create-instructions-title>Instructions</h3><ol>"
        + STEPS[0].join(("<li>", "</li>"))
        + "<div class=mv-ad-box><p>Advertisement</p></div>"
        + items(STEPS[1:])
        + "</ol></div><div class=mv-create-nutrition><h6>Nutrition Information:</h6><span>Yield: 4</span> <span>"
        "Serving Size: 1</span></div></section>"
    ),
    {**VALUES, "Total Time": "45 minutes"},
)

MICROFORMAT = DetailPage(
    "a microformat of old",
    post(
        "<div class='easyrecipe hrecipe'><div class='ERSName fn'>Red Lentil Soup</div><div class=ERSTimes><div"
        " class=ERSTime><div class=ERSTimeHeading>Total time</div><div class=ERSTimeItem><time>45"
        " mins</time></div></div>"
        "</div><div class=ERSIngredients><div class=ERSIngredientsHeader>Ingredients</div><div class=ERSSectionHead>For"
        " the soup</div><ul>"
        + items(INGREDIENTS, name="ingredient")
        + "</ul><div class=ERSSectionHead>For the sauce</div><ul>"
        + items(SAUCE, name="ingredient")
        + "</ul></div><div class='ERSInstructions'><div class=ERSInstructionsHeader>Instructions</div><ol>"
        + items(STEPS, name="instruction")
        + "</ol></div><div class=ERSNotesDiv><div class=ERSNotesHeader>Notes</div><div class=ERSNotes>Freeze it.</div>"
        "</div></div>",
        INTRO,
    ),
    {**VALUES, "Total time": "45 mins"},
)

PLAIN_PARAGRAPHS = DetailPage(
    "a post with line breaks",
    post(
        f"<h2>Red Lentil Soup</h2><p><em>Serves 4</em></p><p><strong>Ingredients</strong></p><p>"
        f"{'<br>'.join(INGREDIENTS)}</p><p><strong>Directions</strong></p><p>1. {STEPS[0]}</p><p>2. {STEPS[1]}</p>"
        f"<p>3. {STEPS[2]}</p>",
        INTRO,
    ),
    {"title": "Red Lentil Soup", "ingredients": INGREDIENTS,
        "instructions": [f"{k}. {step}" for k, step in enumerate(STEPS, 1)]},
)  # fmt: skip

ONE_PARAGRAPH_EACH = DetailPage(
    "a post with paragraphs",
    post("<h3>Ingredients:</h3>" + items(INGREDIENTS + SAUCE, "p") + "<h3>Directions:</h3>" + items(STEPS, "p"), INTRO),
    VALUES,
)

TABLE = DetailPage(
    "a table of amounts",
    post(
        "<h2>Zutaten</h2><div class=servings>für <input value=4> Portionen</div><table class='ingredients'><tbody>"
        "<tr><td class=amount>250 g</td><td class=name><span>rote Linsen</span></td></tr>"
        "<tr><td class=amount>1</td><td class=name><span>Zwiebel</span> (groß)</td></tr>"
        "<tr><td class=amount></td><td class=name><span>Salz</span></td></tr></tbody></table>"
        "<h2>Zubereitung</h2><small class=info>Arbeitszeit ca. 15 Minuten</small><small class=info>Gesamtzeit ca. 45"
        " Minuten</small><div class=box>Die Zwiebel in einem großen Topf glasig dünsten und salzen.<br><br>Die"
        " Linsen mit"
        " einem Liter Wasser zugeben und eine halbe Stunde kochen.</div>",
        "", "Rote Linsensuppe",
    ),
    {
        "title": "Rote Linsensuppe", "ingredients": ["250 g rote Linsen", "1 Zwiebel (groß)", "Salz"],
        "instructions": ["Die Zwiebel in einem großen Topf glasig dünsten und salzen.",
            "Die Linsen mit einem Liter Wasser zugeben und eine halbe Stunde kochen."],
    },
)  # fmt: skip

NUMBERED_STEPS = DetailPage(
    "steps with headings and pictures",
    post(
        "<div class=recipe-times><div><span>Prep</span><span>10 mins</span></div><div><span>Cook</span><span>35 mins"
        "</span></div></div><section><h2>Ingredients</h2><button>Metric</button><button>US</button><p>Serves"
        " <b>4</b></p>"
        + "".join(
            f"<div class=ing-row><input type=checkbox><span class=qty>{text.split()[0]}</span><span class=what>"
            f"{' '.join(text.split()[1:])}</span></div>"
            for text in INGREDIENTS
        )
        + "</section><section><h2>Method</h2>"
        + "".join(
            f"<div class=step><h4>Step {k}</h4><img src=/s{k}.jpg><p>{step}</p></div>"
            for k, step in enumerate(STEPS, 1)
        )
        + "</section><h2>Nutrition</h2><table><tr><td>Energy<td>210 kcal<tr><td>Fat<td>4 g</table>",
        INTRO,
    ),
    {"title": "Red Lentil Soup", "ingredients": INGREDIENTS, "instructions": STEPS},
)

MICRODATA_OF_DIVS = DetailPage(
    "properties on elements without headings",
    post(
        "<div class=zlrecipe-container><div class=zlrecipe-title>Red Lentil Soup</div><p id=zlrecipe-total-time>Total"
        " Time: <span>45 minutes</span></p><p id=zlrecipe-ingredients class='h-4 strong'>Ingredients</p><ul"
        " id=zlrecipe-ingredients-list>"
        + items(INGREDIENTS + SAUCE, name="ingredient")
        + "</ul><p id=zlrecipe-instructions class='h-4 strong'>Instructions</p><ol id=zlrecipe-instructions-list>"
        + items(STEPS, name="instruction")
        + "</ol><div class=zl-linkback>Recipe card by a plugin</div></div>"
    ),
    {**VALUES, "Total Time": "45 minutes"},
)


def in_language(name: str, ingredients: str, instructions: str, total: str) -> DetailPage:
    """A recipe with headings of another language."""
    return DetailPage(
        f"headings in {name}",
        post(
            f"<div class=facts><div><span>{total}</span><span>45 min</span></div><div><span>Level</span><span>1</span>"
            f"</div></div><h2>{ingredients}</h2><ul>{items(INGREDIENTS)}</ul><h2>{instructions}</h2><ol>{items(STEPS)}"
            "</ol>",
            INTRO,
        ),
        {"title": "Red Lentil Soup", "ingredients": INGREDIENTS, "instructions": STEPS, total: "45 min"},
    )


LANGUAGES = [
    in_language("German", "Zutaten für 4 Portionen", "Und so wird's gemacht", "Gesamtzeit"),
    in_language("Spanish", "Ingredientes (4 personas)", "Elaboración paso a paso", "Tiempo total"),
    in_language("French", "Ingrédients pour 4 personnes", "Étapes de la recette", "Temps total"),
    in_language("Portuguese", "Ingredientes", "Modo de preparo:", "Tempo total"),
    in_language("Dutch", "Ingrediënten voor 4 personen", "Zo maak je het", "Totale tijd"),
    in_language("Italian", "Ingredienti per 4 persone", "Come preparare la zuppa", "Tempo totale"),
    in_language("Polish", "Składniki", "Jak zrobić", "Czas"),
]


def hashed(amounts: bool) -> str:
    """A page of components whose class names say nothing, with amounts in elements of their own."""
    rows = "".join(
        f"<div class=css-9k><p class=css-1a>{text.split()[0]}</p><p class=css-2b>{' '.join(text.split()[1:])}</p></div>"
        if amounts and text[0].isdigit()
        else f"<div class=css-9k><p class=css-2b>{text}</p></div>"
        for text in INGREDIENTS + SAUCE
    )
    steps = "".join(
        f"<div class=css-7c><div class=css-8d>{k}</div><div class=css-5e><p>{step}</p></div></div>"
        for k, step in enumerate(STEPS, 1)
    )
    return (
        "<div class=css-0><div class=css-11><div class=css-12><svg></svg><span>Total</span></div><div class=css-13>45"
        " min</div></div><div class=css-11><div class=css-12><svg></svg><span>Servings</span></div><div class=css-13>4"
        f"</div></div></div><div class=css-3><h3 class=css-4>Ingredients</h3><div class=css-6>{rows}</div></div><div"
        f" class=css-3><h3 class=css-4>Steps</h3><div class=css-6>{steps}</div></div>"
    )


COMPONENTS = [
    DetailPage(f"components, {name}", post(hashed(amounts), INTRO), {**VALUES, "Total": "45 min"})
    for name, amounts in (("amounts apart", True), ("whole texts", False))
]

TICKED = DetailPage(
    "boxes to tick in two columns",
    post(
        "<p class=times>Prep: 10 mins | Cook: 35 mins | Total: 45 mins</p><h2>Ingredients</h2><div class=row><div"
        " class=col><ul>"
        + items([f"<label><input type=checkbox> {text}</label>" for text in INGREDIENTS])
        + "</ul></div><div class=col><ul>"
        + items([f"<label><input type=checkbox> {text}</label>" for text in SAUCE])
        + "</ul></div></div><h2>Directions</h2><ul class=steps>"
        + items([f"<label><input type=checkbox><b>{k}</b></label><div>{step}</div>" for k, step in enumerate(STEPS, 1)])
        + "</ul>",
        INTRO,
    ),
    {**VALUES, "Total": "45 mins"},
)

DEFINITIONS = DetailPage(
    "amounts in a definition list, steps in one text",
    post(
        "<h2>Ingredients</h2><dl><dt>red lentils</dt><dd>2 cups</dd><dt>onion</dt><dd>1 large</dd><dt>cumin</dt><dd>1"
        f" teaspoon</dd></dl><h2>Preparation</h2><div>{' '.join(STEPS)}</div><h2>Notes</h2><p>Freeze it.</p>",
        INTRO,
    ),
    {
        "title": "Red Lentil Soup", "ingredients": ["red lentils 2 cups", "onion 1 large", "cumin 1 teaspoon"],
        "instructions": [" ".join(STEPS)],
    },
)  # fmt: skip

NESTED_GROUPS = DetailPage(
    "groups of ingredients in a list of lists",
    post(
        "<h2>Ingredients</h2><ul><li><b>Soup</b><ul>"
        + items(INGREDIENTS)
        + "</ul></li><li><b>Sauce</b><ul>"
        + items(SAUCE)
        + "</ul></li></ul><h2>Instructions</h2><ol><li>Soup<ol>"
        + items(STEPS[:2])
        + "</ol></li><li>Sauce<ol>"
        + items(STEPS[2:])
        + "</ol></li></ol>",
        INTRO,
    ),
    VALUES,
)

STEP_INGREDIENTS = DetailPage(
    "ingredients said again beside the steps",
    post(
        "<h3>Ingredients</h3><ul>"
        + items(INGREDIENTS)
        + "</ul><h3>Instructions</h3><ul>"
        + items(
            [
                f"<div class=text>{step}</div><div class=instruction-ingredients><span>{text}</span></div>"
                for step, text in zip(STEPS, INGREDIENTS[:3], strict=True)
            ]
        )
        + "</ul>",
        INTRO,
    ),
    {"title": "Red Lentil Soup", "ingredients": INGREDIENTS, "instructions": STEPS},
)

BOLD_GROUPS = DetailPage(
    "groups named in bold paragraphs",
    post(
        "<p><strong>INGREDIENTS</strong></p><p><strong>For the soup</strong></p><p>"
        + "<br>".join(INGREDIENTS)
        + "</p><p><strong>For the sauce</strong></p><p>"
        + "<br>".join(SAUCE)
        + "</p><p><strong>METHOD</strong></p>"
        + items(STEPS, "p")
        + "<p><strong>Notes</strong></p><p>Freeze the rest for the next time that it is cold outside.</p>",
        INTRO,
    ),
    VALUES,
)

TIME_BY_NAME = DetailPage(
    "a time that only a class names",
    post(
        "<ul class=info><li class=difficulty>easy</li><li class=total-time><i class=clock></i> 45 min</li></ul>"
        f"<div class=ingredients><p>Ingredients</p><ul>{items(INGREDIENTS)}</ul></div><div"
        f" class=directions><p>Directions"
        f"</p><ol>{items(STEPS)}</ol></div>",
        INTRO,
    ),
    {"title": "Red Lentil Soup", "ingredients": INGREDIENTS, "instructions": STEPS, "total time": "45 min"},
)

TIME_HEADINGS = DetailPage(
    "times below small headings",
    post(
        "<div class=stats><div><h5>Total time</h5><p>45 min</p></div></div><h4>Serves 4</h4><h2>What you'll need</h2>"
        f"<ul>{items(INGREDIENTS)}</ul><h2>Let's cook</h2><ol>{items(STEPS)}</ol>",
        INTRO,
    ),
    {"title": "Red Lentil Soup", "ingredients": INGREDIENTS, "instructions": STEPS, "Total time": "45 min"},
)

STEP_TITLES = DetailPage(
    "steps with titles",
    post(
        f"<h2>Ingredients</h2><ul>{items(INGREDIENTS)}</ul><h2>How to make it</h2><ol>"
        + items([f"<h3>{title}</h3><p>{step}</p>" for title, step in zip(("Fry", "Cook", "Blend"), STEPS, strict=True)])
        + "</ol>",
        INTRO,
    ),
    {"title": "Red Lentil Soup", "ingredients": INGREDIENTS},
)

RECIPES = [
    *COMPONENTS, TICKED, DEFINITIONS, NESTED_GROUPS, STEP_INGREDIENTS, BOLD_GROUPS, TIME_BY_NAME, TIME_HEADINGS,
    STEP_TITLES,
    CARD_OF_PARTS, CARD_OF_LISTS, CARD_WITH_ADS, MICROFORMAT, PLAIN_PARAGRAPHS, ONE_PARAGRAPH_EACH, TABLE,
    NUMBERED_STEPS, MICRODATA_OF_DIVS, *LANGUAGES,
]  # fmt: skip
