"""Writes `tables.h`: what the reader knows of names, and the named character references, for the compiler.
`setup.py` runs it before it builds; the numbers are those of `fastwrap.page.names`."""

from __future__ import annotations

import html.entities
from collections.abc import Iterable, Iterator

__all__ = ["written"]

_BLOCKS = """address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header
    hgroup main menu nav ol search section summary ul"""

KINDS = {
    "OTHER": "",
    "BLOCK": _BLOCKS,
    "PARAGRAPH": "p",
    "HEADING": "h1 h2 h3 h4 h5 h6",
    "PREFORMATTED": "pre listing",
    "FORM": "form",
    "LIST_ITEM": "li",
    "DEFINITION": "dd dt",
    "BUTTON": "button",
    "LINK": "a",
    "FORMAT": "b big code em font i s small strike strong tt u",
    "NO_BREAK": "nobr",
    "OBJECT": "applet marquee object",
    "TABLE": "table",
    "VOID": "area embed img keygen wbr",
    "BREAK": "br",
    "INPUT": "input",
    "PARAMETER": "param source track",
    "RULE": "hr",
    "TEXTAREA": "textarea",
    "EXAMPLE": "xmp",
    "FRAME_TEXT": "iframe noembed",
    "SELECT": "select",
    "OPTION": "option",
    "OPTION_GROUP": "optgroup",
    "RUBY_BASE": "rb rtc",
    "RUBY_TEXT": "rp rt",
    "SVG": "svg",
    "MATH": "math",
    "CAPTION": "caption",
    "COLUMN": "col",
    "COLUMN_GROUP": "colgroup",
    "ROW_GROUP": "tbody tfoot thead",
    "CELL": "td th",
    "ROW": "tr",
    "FRAME": "frame",
    "FRAMESET": "frameset",
    "HEAD": "head",
    "HTML": "html",
    "BODY": "body",
    "METADATA": "base basefont bgsound link meta",
    "TITLE": "title",
    "NO_FRAMES": "noframes",
    "STYLE": "style",
    "SCRIPT": "script",
    "NO_SCRIPT": "noscript",
    "TEMPLATE": "template",
    "IMAGE": "image",
    "PLAINTEXT": "plaintext",
}
"""What the rules tell apart; in the standard, these are lists of tags."""

_SCOPE = "applet caption html marquee object select table td template th"
_MATH_TEXT = "mi mn mo ms mtext"
_SVG_HTML = "desc foreignobject title"

BITS = {
    "SPECIAL": f"""{_BLOCKS} applet area base basefont bgsound body br button caption col colgroup dd dt embed form
        frame frameset h1 h2 h3 h4 h5 h6 head hr html iframe img input keygen li link listing marquee meta noembed
        noframes noscript object p param plaintext pre script select source style table tbody td template textarea tfoot
        th thead title tr track wbr xmp""".replace("dialog", ""),
    "SCOPE": _SCOPE,
    "LIST_SCOPE": f"{_SCOPE} ol ul",
    "BUTTON_SCOPE": f"{_SCOPE} button",
    "TABLE_SCOPE": "html table template",
    "IMPLIED_END": "dd dt li optgroup option p rb rp rt rtc",
    "THOROUGHLY_IMPLIED_END": "caption colgroup tbody td tfoot th thead tr",
    "TABLE_PART": "table tbody tfoot thead tr",  # what holds rows and cells, and nothing else
    "PASSED": "address div p",  # an item of a list may be closed through these
    "BREAKING_OUT": """b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
        listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var""",
    "PARAGRAPHS": "p",
    # what a Page does not have, with all below; elements whose text nobody is shown
    "LEFT_OUT": "script style template noscript",
    "RAW_TEXT": "iframe noframes noembed",
    "IN_LINE": "",  # begins no line in preformatted text: `written` fills it in
    # by namespace alone
    "HTML_INTEGRATION": "",
    "TEXT_INTEGRATION": "",
}
SVG_BITS = dict.fromkeys(("SPECIAL", "SCOPE", "LIST_SCOPE", "BUTTON_SCOPE", "HTML_INTEGRATION"), _SVG_HTML) | {
    name: BITS[name] for name in ("LEFT_OUT", "RAW_TEXT")
}
MATH_BITS = dict.fromkeys(("SPECIAL", "SCOPE", "LIST_SCOPE", "BUTTON_SCOPE"), f"{_MATH_TEXT} annotation-xml") | {
    "TEXT_INTEGRATION": _MATH_TEXT,
    "LEFT_OUT": BITS["LEFT_OUT"],
    "RAW_TEXT": BITS["RAW_TEXT"],
}

QUIRKS = """
+//silmaril//dtd html pro v0r11 19970101//
-//as//dtd html 3.0 aswedit + extensions//
-//advasoft ltd//dtd html 3.0 aswedit + extensions//
-//ietf//dtd html 2.0 level 1//
-//ietf//dtd html 2.0 level 2//
-//ietf//dtd html 2.0 strict level 1//
-//ietf//dtd html 2.0 strict level 2//
-//ietf//dtd html 2.0 strict//
-//ietf//dtd html 2.0//
-//ietf//dtd html 2.1e//
-//ietf//dtd html 3.0//
-//ietf//dtd html 3.2 final//
-//ietf//dtd html 3.2//
-//ietf//dtd html 3//
-//ietf//dtd html level 0//
-//ietf//dtd html level 1//
-//ietf//dtd html level 2//
-//ietf//dtd html level 3//
-//ietf//dtd html strict level 0//
-//ietf//dtd html strict level 1//
-//ietf//dtd html strict level 2//
-//ietf//dtd html strict level 3//
-//ietf//dtd html strict//
-//ietf//dtd html//
-//metrius//dtd metrius presentational//
-//microsoft//dtd internet explorer 2.0 html strict//
-//microsoft//dtd internet explorer 2.0 html//
-//microsoft//dtd internet explorer 2.0 tables//
-//microsoft//dtd internet explorer 3.0 html strict//
-//microsoft//dtd internet explorer 3.0 html//
-//microsoft//dtd internet explorer 3.0 tables//
-//netscape comm. corp.//dtd html//
-//netscape comm. corp.//dtd strict html//
-//o'reilly and associates//dtd html 2.0//
-//o'reilly and associates//dtd html extended 1.0//
-//o'reilly and associates//dtd html extended relaxed 1.0//
-//sq//dtd html 2.0 hotmetal + extensions//
-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//
-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//
-//spyglass//dtd html 2.0 extended//
-//sun microsystems corp.//dtd hotjava html//
-//sun microsystems corp.//dtd hotjava strict html//
-//w3c//dtd html 3 1995-03-24//
-//w3c//dtd html 3.2 draft//
-//w3c//dtd html 3.2 final//
-//w3c//dtd html 3.2//
-//w3c//dtd html 3.2s draft//
-//w3c//dtd html 4.0 frameset//
-//w3c//dtd html 4.0 transitional//
-//w3c//dtd html experimental 19960712//
-//w3c//dtd html experimental 970421//
-//w3c//dtd w3 html//
-//w3o//dtd w3 html 3.0//
-//webtechs//dtd mozilla html 2.0//
-//webtechs//dtd mozilla html//
"""
"""Beginnings of public identifiers of document types that mean quirks mode (13.2.6.4.1)."""

REFERENCE_SLOTS = 4096
CONTROLS = bytes(range(0x80, 0xA0)).decode("cp1252", "replace")


def hash_of(name: str) -> int:
    """The place of a reference's name in its table: FNV-1a (`place_of_reference` in references.h does the same)."""
    value = 2166136261
    for byte in name.encode():
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return (value ^ value >> 15) % REFERENCE_SLOTS


def references() -> Iterator[str]:
    """The named character references: an open-addressing table of names with their characters in UTF-8."""
    slots: list[str | None] = [None] * REFERENCE_SLOTS
    for name in sorted(html.entities.html5):
        slot = hash_of(name)
        while slots[slot] is not None:
            slot = (slot + 1) % REFERENCE_SLOTS
        slots[slot] = name
    yield "typedef struct { uint16_t at; uint8_t length, written; } Reference;"
    letters, at = bytearray(), []
    for entry in slots:
        characters = b"" if entry is None else html.entities.html5[entry].encode()
        at.append(f"{{{len(letters)}, {len(entry or '')}, {len(characters)}}}")
        letters += (entry or "").encode() + characters
    yield "/* At each place: the name of a reference, and then what it stands for. */"
    yield from array("unsigned char", "REFERENCE_LETTERS", map(str, letters))
    yield from array("Reference", "REFERENCES", at)
    yield f"enum {{ REFERENCE_SLOTS = {REFERENCE_SLOTS}, "
    yield f"    LONGEST_REFERENCE = {max(map(len, html.entities.html5))},"
    bare = max(len(name) for name in html.entities.html5 if not name.endswith(";"))
    yield f"    LONGEST_BARE_REFERENCE = {bare} }};"
    yield "/* What numbers from 128 to 159 stand for: windows-1252, and controls where that has nothing. */"
    controls = (0x80 + k if character == "\ufffd" else ord(character) for k, character in enumerate(CONTROLS))
    yield from array("uint16_t", "CONTROLS", map(str, controls))


def array(kind: str, name: str, values: Iterable[str]) -> Iterator[str]:
    """A constant array in C."""
    listed = list(values)
    yield f"static const {kind} {name}[{len(listed)}] = {{"
    for k in range(0, len(listed), 16):
        yield "    " + ", ".join(listed[k : k + 16]) + ","
    yield "};"


def bits_of(name: str, table: dict[str, str]) -> str:
    """The bits of a tag, as C."""
    return " | ".join(bit for bit, names in table.items() if name in names.split()) or "0"


def names(tags: tuple[str, ...], attributes: tuple[str, ...]) -> Iterator[str]:
    """The names with numbers, and what the rules have to know of tags."""
    kinds = {name: kind for kind, listed in KINDS.items() for name in listed.split()}
    unknown = (kinds.keys() | {name for table in (BITS, SVG_BITS, MATH_BITS) for text in table.values()
                               for name in text.split()}) - set(tags)  # fmt: skip
    if unknown:
        raise ValueError(f"names.TAGS has no {sorted(unknown)}")
    yield "enum { " + ", ".join(f"{'TEXT_NODE' if name == '#text' else 'TAG_' + name.upper().replace('-', '_')} = {k}"
                                for k, name in enumerate(tags)) + " };"  # fmt: skip
    yield "enum { " + ", ".join(f"KIND_{kind} = {k}" for k, kind in enumerate(KINDS)) + " };"
    yield "enum { " + ", ".join(f"{bit} = {1 << k}" for k, bit in enumerate(BITS)) + " };"
    yield f"enum {{ TAG_COUNT = {len(tags)}, ATTRIBUTE_COUNT = {len(attributes)} }};"
    yield from array("char *const", "TAG_NAMES", (f'"{name}"' for name in tags))
    yield from array("char *const", "ATTRIBUTE_NAMES", (f'"{name}"' for name in attributes))
    yield "/* The tags whose names are longer than sixteen bytes. */"
    yield from array("uint16_t", "LONG_TAGS", (str(k) for k, name in enumerate(tags) if len(name) > 16))
    yield from array("uint8_t", "TAG_KINDS", ("KIND_" + kinds.get(name, "OTHER") for name in tags))
    for kind, table in (("HTML", BITS), ("SVG", SVG_BITS), ("MATH", MATH_BITS)):
        yield from array("uint32_t", f"{kind}_BITS", (bits_of(name, table) for name in tags))
    for name in ("type", "encoding", "color", "face", "size", "name", "action", "selected"):
        if name in attributes:
            yield f"enum {{ ATTRIBUTE_{name.upper()} = {attributes.index(name)} }};"


def formatting(tags: tuple[str, ...], names_of: dict[str, frozenset[str]], goes_on: dict[str, bytes]) -> Iterator[str]:
    """What tags and signs are between two texts: see `names.FORMATTING`, `JOINTS`, `GOES_ON` and `GOES_ON_BEFORE`."""
    roles = (
        "0x80" if name not in names_of["FORMATTING"] else "4" if name in names_of["JOINTS"] else "0" for name in tags
    )
    yield from array("uint8_t", "TAG_ROLES", roles)
    signs = (str((byte in goes_on["GOES_ON"]) + 2 * (byte in goes_on["GOES_ON_BEFORE"])) for byte in range(256))
    yield from array("uint8_t", "SIGNS", signs)


def written(known: dict[str, object]) -> str:
    """`tables.h`, by the names of the module `fastwrap.page.names`."""
    tags, attributes, in_line = known["TAGS"], known["ATTRIBUTES"], known["INLINE_NAMES"]
    assert isinstance(tags, tuple)
    assert isinstance(attributes, tuple)
    assert isinstance(in_line, frozenset)
    BITS["IN_LINE"] = " ".join(sorted({*in_line, "td", "th", "tbody", "thead", "tfoot"} & set(tags)))
    lines = ["/* Written by tables.py, at every build. */", "#include <stdint.h>", *names(tags, attributes)]
    sets = {name: known[name] for name in ("FORMATTING", "JOINTS")}
    signs = {name: known[name] for name in ("GOES_ON", "GOES_ON_BEFORE")}
    lines += [*formatting(tags, sets, signs), *references()]  # type: ignore[arg-type]
    lines += array("char *const", "QUIRKS", (f'"{line}"' for line in QUIRKS.split("\n") if line))
    return "\n".join(lines) + "\n"
