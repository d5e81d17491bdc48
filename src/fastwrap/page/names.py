"""Numbers for tag and attribute names: the same on every page, process, version and machine.
Known names have small numbers (their place in a table that only ever grows), others a hash of the name."""

from __future__ import annotations

import zlib
from collections.abc import MutableMapping

TEXT = 0
"""The tag number of a text node."""

NO_NODE = -1
"""In place of a node where there is none, such as the parent of the root."""

CUSTOM = 1 << 30
"""Numbers from here on are hashes of names that are not in the tables."""

# A saved wrapper or a pickled page holds these numbers: append, never reorder.
TAGS = tuple(
    """
    #text html head body title meta link base script style noscript template div span a p br img ul ol li dl dt dd
    table caption colgroup col thead tbody tfoot tr td th h1 h2 h3 h4 h5 h6 hgroup b i u s em strong small big sub
    sup tt font center code pre kbd samp var form input button select option optgroup textarea label fieldset legend
    datalist output progress meter header footer nav main section article aside address search figure figcaption
    picture source video audio track iframe object param embed canvas map area svg path g use circle rect line
    polygon polyline ellipse text tspan defs symbol image clippath mask pattern filter lineargradient radialgradient
    stop foreignobject desc animate animatetransform animatemotion animatecolor set mpath view switch marker
    textpath tref glyphref altglyph altglyphdef altglyphitem feblend fecolormatrix fecomponenttransfer fecomposite
    feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg
    fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset fepointlight fespecularlighting
    fespotlight fetile feturbulence math mi mo mn ms mtext mrow mfrac msup msub mglyph malignmark annotation-xml
    abbr acronym bdi bdo cite data del details dfn dialog hr ins mark menu q rb rp rt rtc ruby slot summary time wbr
    applet basefont bgsound blink command dir frame frameset isindex keygen listing marquee menuitem multicol nextid
    nobr noembed noframes plaintext spacer strike xmp selectedcontent portal fencedframe blockquote mfenced
    """.split()
)

# Tags that change how text looks, not where one thing ends and another begins. Edits (del, ins, s, strike) are none of
# them: what stands beside a struck price is another price. A quote (q) shows quotation marks that are no text.
FORMATTING = frozenset(
    """
    abbr acronym b bdi bdo big cite code dfn em font i kbd mark nobr samp small strong sub sup tt u var wbr
    """.split()
)
# Of these, what joins the texts of two elements side by side; of other two (<b>Name</b><i>author</i>), each is a thing.
JOINTS = frozenset(("sub", "sup", "wbr"))
# Unless what ends or begins there says that it goes on.
GOES_ON, GOES_ON_BEFORE = b"$([#@/_", b".,:;!?)]%'"

# Elements within a line; every other one begins a line, and ends it.
INLINE_NAMES = FORMATTING | frozenset(
    """
    #text span a font label time data del ins s strike q img picture source svg path g use input output ruby rt rb rp
    audio video canvas object embed track map area meter progress noscript script style template blink basefont
    """.split()
)

# Attribute numbers, by the same rules.
ATTRIBUTES = tuple(
    """
    class style hidden id href src alt title name value type rel content property itemprop itemscope itemtype
    datetime target width height align valign bgcolor border cellpadding cellspacing colspan rowspan color face size
    lang dir role aria-label aria-hidden tabindex for action method charset http-equiv media sizes srcset selected
    checked disabled readonly required placeholder maxlength active data event focus html hreflang is pool public
    scheme slot span system loading onclick onload onmouseover onmouseout background nowrap data-id data-src
    data-url data-href data-price data-name data-title alink clear compact cite code coords accept autocomplete
    autofocus defer async download draggable enctype headers integrity crossorigin label language link list max min
    multiple noresize noshade novalidate pattern poster preload rows cols rules sandbox scope scrolling shape start
    step summary text usemap vlink vspace hspace wrap xmlns version viewBox fill d x y r cx cy stroke points
    transform xlink:href accept-charset axis codetype declare direction frame hover nohref rev valuetype
    """.split()
)

# HTML spells these tags of SVG in mixed case; the tables, and pages, have them in lower case.
SVG_CASE = {
    name.lower(): name
    for name in """
    altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix
    feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
    feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
    fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient
    radialGradient textPath
    """.split()
}

# And these attributes of SVG, which pages have in mixed case.
SVG_ATTRIBUTE_CASE = {
    name.lower().encode(): name.encode()
    for name in """
    attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode
    filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes
    lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves
    pathLength patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha
    preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures
    specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage
    tableValues targetX targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan
    """.split()
}

TAG_NUMBER = {name: number for number, name in enumerate(TAGS)}
ATTRIBUTE_NUMBER = {name: number for number, name in enumerate(ATTRIBUTES)}


def number_of(name: str, known: dict[str, int], custom: MutableMapping[int, str]) -> int:
    """The number of a tag or attribute name; a name that is not `known` is entered into `custom`.

    The hash makes numbers comparable between pages that never met. Two names of one page never share a
    number: the second takes the next free one.

    >>> number_of("div", TAG_NUMBER, {}) == TAG_NUMBER["div"]
    True
    >>> custom = {}
    >>> number = number_of("x-card", TAG_NUMBER, custom)
    >>> number >= CUSTOM, custom[number]
    (True, 'x-card')
    """
    number = known.get(name)
    if number is None:
        number = CUSTOM | (zlib.crc32(name.encode("utf-8", "replace")) & (CUSTOM - 1))
        while custom.setdefault(number, name) != name:
            number = CUSTOM | ((number + 1) & (CUSTOM - 1))
    return number
