"""What the HTML standard says about each tag, as bits, and the limits of the guard: `_core/page/nesting.pyx`
and its twin in the tests scan by this one description (WHATWG HTML, 13.2.6 Tree construction)."""

from __future__ import annotations

from typing import TypeAlias

# Measured with selectolax 1.0.2 on one core: a step of a search costs 3 to 5 ns, an element 200 to 600 ns and
# 190 bytes, its text 130 bytes more. A page inside all three limits is parsed within about two seconds.
MAX_DEPTH = 12_000
"""Elements inside one another. Real pages stay below 500; parsing time grows with the square of the depth."""
MAX_WORK = 500_000_000
"""Steps of the parser: of its searches (through open elements, attributes and names), and of copying texts that go on
behind something else: about 2 seconds."""
MAX_NODES = 4_000_000
"""Elements of the tree, with an allowance for the attributes of re-opened ones: about 1.3 GB."""

HARMLESS_TAGS = 5_500
"""A page with no more than this many `<` cannot pass MAX_DEPTH (`<table><td>` opens two elements a tag), nor
MAX_WORK by the depth of its elements."""
HARMLESS_LENGTH = 64 * 1024
"""A page up to this length has room for 17,000 attributes in one tag: half a second, since the parser compares each
with all before it."""

NAME_BITS = 18
"""Different names are counted by a bit map of 2 ** NAME_BITS bits."""
NAME_STEPS = 3
"""The parser's tables of names have a fixed number of chains: a look-up is charged one step for every
2 ** NAME_STEPS different names met so far."""
FREE_NAMES = 4_096
"""The names of so many attributes are not looked at: they are too few to matter."""
ADDRESSES_A_STEP = 8
"""Where the parser looks for one element rather than a kind, so many comparisons are charged as one step."""
BYTES_A_NODE = 8
"""A re-opened element repeats its attributes: so many bytes of its tag are charged as one more node."""
BYTES_A_STEP = 8
"""Where the parser copies a text to add to it, so many bytes are charged as one step. A copy is faster than that, but
the parser keeps the memory of one in eight: 500 MB where all work is of this kind."""

# What a tag name means, as bits.
(
    # What its start tag does in the body of a page:
    VOID,  # is inserted, but has no content
    RAW,  # its content is text up to its end tag
    SKIPS_NEWLINE,  # a newline behind it is dropped
    PLAIN,  # does not re-open formatting elements first
    CLOSES_P,  # closes an open paragraph first
    FORMATTING,  # is re-opened in the next block unless its end tag came before
    MARKS,  # starts a list of formatting elements of its own
    IGNORED,  # does nothing there
    TABLE_PART,  # belongs into a table
    HEAD,  # may come first in a template without making it one of body content
    STAYS_IN_HEAD,  # does not end the head of the page
    NO_FRAMESET,  # no frameset may come after it
    BREAKS_OUT,  # ends svg and math
    # How searches through the open elements take it:
    SPECIAL,  # stops the search of any other end tag
    SCOPE,  # stops the searches of end tags with rules of their own
    LIST_SCOPE,  # stops the search for li, too
    PASSED,  # special, but does not stop the search of a li, dd or dt for the one before it
    BLOCK,  # its end tag closes whatever is open inside
    IMPLIED,  # its end tag may be left out
    # Names with rules of their own:
    P, LI, DD_DT, HEADING, A, NOBR, BUTTON, SELECT, OPTION, OPTGROUP, RUBY, RUBY_BASE, RUBY_TEXT, RTC, FORM,
    TABLE, CAPTION, COLGROUP, COL, SECTION, ROW, CELL, TEMPLATE, HTML, BODY, FRAMESET, FRAME, NOFRAMES,
    BR, HR, INPUT, TEXTAREA, SCRIPT, PLAINTEXT, FONT, SVG, MATH,
    SVG_POINT,  # inside svg: its content is HTML again
    TEXT_POINT,  # inside math: its content is HTML again
    ANNOTATION,  # inside math: its content is HTML again with one of two values of `encoding`
    GLYPH,  # inside math: stays MathML even in a TEXT_POINT
    # What an open element is beyond its name:
    FOREIGN,  # of svg or math
    MATHML,  # of math
    HTML_POINT,  # its content is HTML again
) = (1 << bit for bit in range(63))  # fmt: skip

_NAMES = {
    VOID: "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr",
    RAW: "iframe noembed noframes noscript plaintext script style textarea title xmp",
    SKIPS_NEWLINE: "listing pre textarea",
    PLAIN: """address article aside base basefont bgsound blockquote center dd details dialog dir div dl dt
        fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr iframe li link listing
        main menu meta nav noembed noframes noscript ol p param plaintext pre rb rp rt rtc script search section
        source style summary table template textarea title track ul
        caption col colgroup tbody td tfoot th thead tr""",
    CLOSES_P: """address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption
        figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search
        section summary ul xmp""",
    FORMATTING: "a b big code em font i nobr s small strike strong tt u",
    MARKS: "applet caption marquee object td template th",
    IGNORED: "body caption col colgroup frame head html tbody td tfoot th thead tr",
    TABLE_PART: "caption col colgroup tbody td tfoot th thead tr",
    HEAD: "base basefont bgsound link meta noframes script style template title",
    STAYS_IN_HEAD: "base basefont bgsound head html link meta noframes noscript script style template title",
    NO_FRAMESET: """applet area body br button dd dt embed hr iframe image img input keygen li listing marquee
        object pre select table template textarea wbr xmp""",
    BREAKS_OUT: """b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
        listing menu meta nobr ol p pre ruby s small span strike strong sub table tt u ul var""",
    SPECIAL: """address applet area article aside base basefont bgsound blockquote body br button caption center
        col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3
        h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav
        noembed noframes noscript object ol p param plaintext pre script search section select source style
        summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp""",
    SCOPE: "applet caption html marquee object select table td template th",
    LIST_SCOPE: "ol ul",
    PASSED: "address div p",
    BLOCK: """address article aside blockquote button center details dialog dir div dl fieldset figcaption figure
        footer header hgroup listing main menu nav ol pre search section select summary ul""",
    IMPLIED: "dd dt li optgroup option p rb rp rt rtc",
    DD_DT: "dd dt",
    HEADING: "h1 h2 h3 h4 h5 h6",
    RUBY_BASE: "rb rtc",
    RUBY_TEXT: "rp rt",
    SECTION: "tbody tfoot thead",
    ROW: "tr",
    CELL: "td th",
    SVG_POINT: "desc foreignobject title",
    TEXT_POINT: "mi mn mo ms mtext",
    ANNOTATION: "annotation-xml",
    GLYPH: "malignmark mglyph",
}
_OF_ONE_NAME = {
    P: "p", LI: "li", A: "a", NOBR: "nobr", BUTTON: "button", SELECT: "select", OPTION: "option",
    OPTGROUP: "optgroup", RUBY: "ruby", RTC: "rtc", FORM: "form", TABLE: "table", CAPTION: "caption",
    COLGROUP: "colgroup", COL: "col", TEMPLATE: "template", HTML: "html", BODY: "body", FRAMESET: "frameset",
    FRAME: "frame", NOFRAMES: "noframes", BR: "br", HR: "hr", INPUT: "input", TEXTAREA: "textarea",
    SCRIPT: "script", PLAINTEXT: "plaintext", FONT: "font", SVG: "svg", MATH: "math",
}  # fmt: skip

PROPERTIES: dict[bytes, int] = {}
"""The bits of every name that has any; a name that is not here is an ordinary element, such as a custom one."""
for _bit, _names in (_NAMES | _OF_ONE_NAME).items():
    for _name in _names.split():
        PROPERTIES[_name.encode()] = PROPERTIES.get(_name.encode(), 0) | _bit

OF_FOREIGN = IMPLIED | SVG_POINT | TEXT_POINT | ANNOTATION
"""The properties that a name keeps inside svg and math (the parser pops rt or option there, too)."""

# Insertion modes, as far as they differ in what is pushed and popped; an open element keeps the one inside it.
(IN_BODY, IN_TABLE, IN_SECTION, IN_ROW, IN_CELL, IN_CAPTION, IN_COLGROUP, IN_TEMPLATE, IN_FRAMESET, AFTER_FRAMESET) = (
    MODES := range(10)
)
MODE_INSIDE = {
    TABLE: IN_TABLE,
    SECTION: IN_SECTION,
    ROW: IN_ROW,
    CELL: IN_CELL,
    CAPTION: IN_CAPTION,
    COLGROUP: IN_COLGROUP,
    TEMPLATE: IN_TEMPLATE,
    FRAMESET: IN_FRAMESET,
}
"""The insertion mode inside an element; inside any other it is that of the parent."""

# What a mode does with a tag, before or instead of the rules for body content.
(
    AS_IN_BODY,  # nothing: the rules for body content apply
    AS_IN_BODY_BEFORE_TABLE,  # the same, but what is inserted goes before the table, which has to be found
    IGNORE,
    INSERT,  # an element without content
    OPEN,  # clear the stack back to the elements given, then open the element
    IMPLY,  # clear the stack back to the elements given, then open the one that was left out, and once more
    CLOSE,  # close the innermost of the elements given, if it is in table scope, and once more
    CLOSE_OWN,  # close the innermost of the elements given that has the tag's name
    CLOSE_FOR,  # as CLOSE, but only if an element of the tag's name is in table scope
    INSERT_FORM,  # an element without content, unless a form is open
    BECOME,  # the template's mode becomes the one given; once more
) = range(11)

Rule: TypeAlias = tuple[int, int, int, bytes]
"""Tags with one of these properties (0: any tag); what to do; with which elements or mode; the name implied."""

_TABLE_STARTS: tuple[Rule, ...] = (
    (TABLE, CLOSE, TABLE, b""),
    (FORM, INSERT_FORM, 0, b""),
    (0, AS_IN_BODY_BEFORE_TABLE, 0, b""),
)
START_RULES: dict[int, tuple[Rule, ...]] = {
    IN_BODY: ((0, AS_IN_BODY, 0, b""),),
    IN_TABLE: (
        (CAPTION | COLGROUP | SECTION, OPEN, TABLE, b""),
        (COL, IMPLY, TABLE, b"colgroup"),
        (ROW | CELL, IMPLY, TABLE, b"tbody"),
        *_TABLE_STARTS,
    ),
    IN_SECTION: (
        (ROW, OPEN, SECTION, b""),
        (CELL, IMPLY, SECTION, b"tr"),
        (TABLE_PART, CLOSE, SECTION, b""),
        *_TABLE_STARTS,
    ),
    IN_ROW: ((CELL, OPEN, ROW, b""), (TABLE_PART, CLOSE, ROW, b""), *_TABLE_STARTS),
    IN_CELL: ((TABLE_PART, CLOSE, CELL, b""), (0, AS_IN_BODY, 0, b"")),
    IN_CAPTION: ((TABLE_PART, CLOSE, CAPTION, b""), (0, AS_IN_BODY, 0, b"")),
    IN_COLGROUP: (
        (COL, INSERT, 0, b""),
        (TEMPLATE, AS_IN_BODY, 0, b""),
        (HTML, IGNORE, 0, b""),
        (0, CLOSE, COLGROUP, b""),
    ),
    IN_TEMPLATE: (
        (HEAD, AS_IN_BODY, 0, b""),
        (CAPTION | COLGROUP | SECTION, BECOME, IN_TABLE, b""),
        (COL, BECOME, IN_COLGROUP, b""),
        (ROW, BECOME, IN_SECTION, b""),
        (CELL, BECOME, IN_ROW, b""),
        (0, BECOME, IN_BODY, b""),
    ),
    IN_FRAMESET: (
        (NOFRAMES, AS_IN_BODY, 0, b""),
        (FRAMESET, OPEN, FRAMESET, b""),
        (FRAME, INSERT, 0, b""),
        (0, IGNORE, 0, b""),
    ),
    AFTER_FRAMESET: ((NOFRAMES, AS_IN_BODY, 0, b""), (0, IGNORE, 0, b"")),
}
"""By mode, the rules for start tags: the first that matches holds."""

_TABLE_ENDS: tuple[Rule, ...] = ((TABLE_PART | BODY | HTML, IGNORE, 0, b""), (0, AS_IN_BODY, 0, b""))
END_RULES: dict[int, tuple[Rule, ...]] = {
    IN_BODY: ((0, AS_IN_BODY, 0, b""),),
    IN_TABLE: ((TABLE, CLOSE_OWN, TABLE, b""), *_TABLE_ENDS),
    IN_SECTION: ((SECTION, CLOSE_OWN, SECTION, b""), (TABLE, CLOSE, SECTION, b""), *_TABLE_ENDS),
    IN_ROW: ((ROW, CLOSE_OWN, ROW, b""), (TABLE, CLOSE, ROW, b""), (SECTION, CLOSE_FOR, ROW, b""), *_TABLE_ENDS),
    IN_CELL: ((CELL, CLOSE_OWN, CELL, b""), (TABLE | SECTION | ROW, CLOSE_FOR, CELL, b""), *_TABLE_ENDS),
    IN_CAPTION: ((CAPTION, CLOSE_OWN, CAPTION, b""), (TABLE, CLOSE, CAPTION, b""), *_TABLE_ENDS),
    IN_COLGROUP: (
        (COLGROUP, CLOSE_OWN, COLGROUP, b""),
        (COL, IGNORE, 0, b""),
        (TEMPLATE, AS_IN_BODY, 0, b""),
        (0, CLOSE, COLGROUP, b""),
    ),
    IN_TEMPLATE: ((TEMPLATE, AS_IN_BODY, 0, b""), (0, IGNORE, 0, b"")),
    IN_FRAMESET: ((FRAMESET, CLOSE_OWN, FRAMESET, b""), (0, IGNORE, 0, b"")),
    AFTER_FRAMESET: ((0, IGNORE, 0, b""),),
}
"""By mode, the rules for end tags."""
