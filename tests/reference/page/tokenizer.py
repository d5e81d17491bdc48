"""The tokenizer of the HTML standard (13.2.5), state by state and character by character: the twin of `tokenizer.h`.
Written for reading: a state is a method that takes one character, "" at the end, and returns the next state."""

from __future__ import annotations

import html.entities
from collections.abc import Callable
from typing import Any, TypeAlias

State: TypeAlias = Callable[[str], Any]

SPACE = "\t\n\f "
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALPHANUMERIC = LETTERS + "0123456789"
LOWER = str.maketrans(LETTERS[26:], LETTERS[:26])
SHOWN = str.maketrans("\0", "\ufffd")


class Tokenizer:
    """The tokens of a text, as the tests of html5lib write them."""

    def __init__(self, text: str, state: str = "data", element: str = "-") -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.at = 0
        self.element = element
        """The name of the last start tag: that of the end tag that is looked for."""
        self.tokens: list[list[Any]] = []
        self.name, self.buffer = "", ""
        self.attributes: dict[str, str] = {}
        self.closes = self.ends = False
        self.attribute: list[str] = []
        self.comment = ""
        self.doctype: list[Any] = []
        self.quote, self.part = "", 0
        self.content: State = self.data
        self.content = next_state = getattr(self, state)
        while next_state is not None:
            character = self.text[self.at : self.at + 1]
            self.at += 1
            next_state = next_state(character)

    def again(self, state: State) -> State:
        """The state, with the same character once more."""
        self.at -= 1
        return state

    def emit(self, text: str) -> None:
        """Characters; those that follow each other are one token."""
        if text and self.tokens and self.tokens[-1][0] == "Character":
            self.tokens[-1][1] += text
        elif text:
            self.tokens.append(["Character", text])

    def looking_at(self, text: str) -> bool:
        """Whether a word stands here, in any case; if so, it is passed."""
        if self.text[self.at : self.at + len(text)].translate(LOWER) != text:
            return False
        self.at += len(text)
        return True

    # Texts

    def data(self, c: str) -> Any:
        if c == "&":
            self.emit(self.reference(False))
            return self.data
        if c == "<":
            return self.tag_open
        self.emit(c)
        return self.data if c else None

    def rcdata(self, c: str) -> Any:
        if c == "&":
            self.emit(self.reference(False))
            return self.rcdata
        return self.rawtext(c)

    def rawtext(self, c: str) -> Any:
        if c == "<":
            return self.raw_less_than
        self.emit(c.translate(SHOWN))
        return self.content if c else None

    def plaintext(self, c: str) -> Any:
        self.emit(c.translate(SHOWN))
        return self.plaintext if c else None

    def cdata(self, c: str) -> Any:
        if self.text.startswith("]]>", self.at - 1):
            self.at += 2
            self.content = self.data
            return self.data
        self.emit(c)
        return self.cdata if c else None

    def raw_less_than(self, c: str) -> Any:
        if c == "/":
            return self.raw_end_tag_open
        self.emit("<")
        return self.again(self.content)

    def raw_end_tag_open(self, c: str) -> Any:
        self.name = ""
        if c and c in LETTERS:
            return self.again(self.raw_end_tag_name)
        self.emit("</")
        return self.again(self.content)

    def raw_end_tag_name(self, c: str) -> Any:
        if c and c in LETTERS:
            self.name += c
            return self.raw_end_tag_name
        if c and c in SPACE + "/>" and self.name.translate(LOWER) == self.element:
            name = self.name
            self.begin_tag(True)
            self.name = name
            return self.again(self.tag_name)
        self.emit("</" + self.name)
        return self.again(self.content)

    # Scripts

    def script(self, c: str) -> Any:
        if c == "<":
            if self.looking_at("!--"):
                self.emit("<!--")
                self.content = self.script_data_escaped
                return self.script_data_escaped_dash_dash
            return self.raw_less_than
        self.emit(c.translate(SHOWN))
        return self.script if c else None

    def script_data_escaped(self, c: str) -> Any:
        if c == "<":
            return self.script_data_escaped_less_than
        self.emit(c.translate(SHOWN))
        if not c:
            return None
        return self.script_data_escaped_dash if c == "-" else self.script_data_escaped

    def script_data_escaped_dash(self, c: str) -> Any:
        if c == "-":
            self.emit(c)
            return self.script_data_escaped_dash_dash
        return self.again(self.script_data_escaped)

    def script_data_escaped_dash_dash(self, c: str) -> Any:
        if c == "-":
            self.emit(c)
            return self.script_data_escaped_dash_dash
        if c == ">":
            self.emit(c)
            self.content = self.script
            return self.script
        return self.again(self.script_data_escaped)

    def script_data_escaped_less_than(self, c: str) -> Any:
        if c == "/":
            return self.raw_end_tag_open
        self.emit("<")
        if c and c in LETTERS:
            self.buffer = ""
            return self.again(self.script_data_double_escape_start)
        return self.again(self.script_data_escaped)

    def script_data_double_escape_start(self, c: str) -> Any:
        if c and c in SPACE + "/>":
            self.emit(c)
            return self.script_data_double_escaped if self.buffer == "script" else self.script_data_escaped
        if c and c in LETTERS:
            self.buffer += c.translate(LOWER)
            self.emit(c)
            return self.script_data_double_escape_start
        return self.again(self.script_data_escaped)

    def script_data_double_escaped(self, c: str) -> Any:
        self.emit(c.translate(SHOWN))
        if c == "-":
            return self.script_data_double_escaped_dash
        if c == "<":
            return self.script_data_double_escaped_less_than
        return self.script_data_double_escaped if c else None

    def script_data_double_escaped_dash(self, c: str) -> Any:
        if c == "-":
            self.emit(c)
            return self.script_data_double_escaped_dash_dash
        return self.again(self.script_data_double_escaped)

    def script_data_double_escaped_dash_dash(self, c: str) -> Any:
        if c == "-":
            self.emit(c)
            return self.script_data_double_escaped_dash_dash
        if c == ">":
            self.emit(c)
            self.content = self.script
            return self.script
        return self.again(self.script_data_double_escaped)

    def script_data_double_escaped_less_than(self, c: str) -> Any:
        if c == "/":
            self.buffer = ""
            self.emit(c)
            return self.script_data_double_escape_end
        return self.again(self.script_data_double_escaped)

    def script_data_double_escape_end(self, c: str) -> Any:
        if c and c in SPACE + "/>":
            self.emit(c)
            return self.script_data_escaped if self.buffer == "script" else self.script_data_double_escaped
        if c and c in LETTERS:
            self.buffer += c.translate(LOWER)
            self.emit(c)
            return self.script_data_double_escape_end
        return self.again(self.script_data_double_escaped)

    # Tags

    def begin_tag(self, ends: bool) -> None:
        self.name, self.attributes, self.closes, self.ends = "", {}, False, ends

    def tag_open(self, c: str) -> Any:
        if c == "!":
            return self.markup_declaration_open()
        if c == "/":
            return self.end_tag_open
        if c and c in LETTERS:
            self.begin_tag(False)
            return self.again(self.tag_name)
        if c == "?":
            self.comment = ""
            return self.again(self.bogus_comment)
        self.emit("<")
        return self.again(self.data)

    def end_tag_open(self, c: str) -> Any:
        if c and c in LETTERS:
            self.begin_tag(True)
            return self.again(self.tag_name)
        if c == ">":
            return self.data
        if not c:
            self.emit("</")
            return None
        self.comment = ""
        return self.again(self.bogus_comment)

    def tag_name(self, c: str) -> Any:
        if not c:
            return None
        if c in SPACE:
            return self.before_attribute_name
        if c == "/":
            return self.self_closing
        if c == ">":
            return self.emit_tag()
        self.name += c.translate(LOWER).translate(SHOWN)
        return self.tag_name

    def emit_tag(self) -> State:
        name = self.name.translate(LOWER)
        if self.ends:
            self.tokens.append(["EndTag", name])
        else:
            self.tokens.append(["StartTag", name, self.attributes, *[True] * self.closes])
        self.content = self.data
        return self.data

    def keep_attribute(self) -> None:
        if self.attribute:
            self.attributes.setdefault(*self.attribute)
        self.attribute = []

    def before_attribute_name(self, c: str) -> Any:
        if c and c in SPACE:
            return self.before_attribute_name
        if not c or c in "/>":
            return self.again(self.after_attribute_name)
        self.attribute = ["", ""]
        if c == "=":
            self.attribute[0] = c
            return self.attribute_name
        return self.again(self.attribute_name)

    def attribute_name(self, c: str) -> Any:
        if not c or c in SPACE + "/>":
            return self.again(self.after_attribute_name)
        if c == "=":
            return self.before_attribute_value
        self.attribute[0] += c.translate(LOWER).translate(SHOWN)
        return self.attribute_name

    def after_attribute_name(self, c: str) -> Any:
        if not c:
            return None
        if c in SPACE:
            return self.after_attribute_name
        if c == "=" and self.attribute:
            return self.before_attribute_value
        self.keep_attribute()
        if c == "/":
            return self.self_closing
        if c == ">":
            return self.emit_tag()
        self.attribute = ["", ""]
        return self.again(self.attribute_name)

    def before_attribute_value(self, c: str) -> Any:
        if c and c in SPACE:
            return self.before_attribute_value
        if c and c in "\"'":
            self.quote = c
            return self.attribute_value_quoted
        self.quote = ""
        return self.again(self.attribute_value_unquoted)

    def attribute_value_quoted(self, c: str) -> Any:
        if c == self.quote:
            self.keep_attribute()
            return self.after_attribute_value
        self.attribute[1] += self.reference(True) if c == "&" else c.translate(SHOWN)
        return self.attribute_value_quoted if c else None

    def attribute_value_unquoted(self, c: str) -> Any:
        if not c:
            return None
        if c in SPACE or c == ">":
            self.keep_attribute()
            return self.emit_tag() if c == ">" else self.before_attribute_name
        self.attribute[1] += self.reference(True) if c == "&" else c.translate(SHOWN)
        return self.attribute_value_unquoted

    def after_attribute_value(self, c: str) -> Any:
        if c == "/":
            return self.self_closing
        return self.again(self.before_attribute_name) if c else None

    def self_closing(self, c: str) -> Any:
        if c == ">":
            self.closes = True
            return self.emit_tag()
        return self.again(self.before_attribute_name) if c else None

    # Comments and the like

    def bogus_comment(self, c: str) -> Any:
        if c and c != ">":
            self.comment += c.translate(SHOWN)
            return self.bogus_comment
        return self.emit_comment(c)

    def emit_comment(self, c: str) -> Any:
        self.tokens.append(["Comment", self.comment])
        return self.data if c else None

    def markup_declaration_open(self) -> State:
        self.comment = ""
        if self.looking_at("--"):
            return self.comment_start
        if self.looking_at("doctype"):
            return self.before_doctype_name
        return self.bogus_comment

    def comment_start(self, c: str) -> Any:
        if c == "-":
            return self.comment_start_dash
        return self.emit_comment(c) if c == ">" else self.again(self.inside_comment)

    def comment_start_dash(self, c: str) -> Any:
        if c == "-":
            return self.comment_end
        if not c or c == ">":
            return self.emit_comment(c)
        self.comment += "-"
        return self.again(self.inside_comment)

    def inside_comment(self, c: str) -> Any:
        if not c:
            return self.emit_comment(c)
        if c == "-":
            return self.comment_end_dash
        self.comment += c.translate(SHOWN)
        return self.inside_comment

    def comment_end_dash(self, c: str) -> Any:
        if c == "-":
            return self.comment_end
        if not c:
            return self.emit_comment(c)
        self.comment += "-"
        return self.again(self.inside_comment)

    def comment_end(self, c: str) -> Any:
        if not c or c == ">":
            return self.emit_comment(c)
        if c == "!":
            return self.comment_end_bang
        self.comment += "-" if c == "-" else "--"
        return self.comment_end if c == "-" else self.again(self.inside_comment)

    def comment_end_bang(self, c: str) -> Any:
        if not c or c == ">":
            return self.emit_comment(c)
        self.comment += "--!"
        return self.comment_end_dash if c == "-" else self.again(self.inside_comment)

    # Document types

    def before_doctype_name(self, c: str) -> Any:
        if c and c in SPACE:
            return self.before_doctype_name
        self.doctype = ["DOCTYPE", None, None, None, True]
        if not c or c == ">":
            return self.emit_doctype(c, False)
        self.doctype[1] = ""
        return self.again(self.doctype_name)

    def emit_doctype(self, c: str, correct: bool = True) -> Any:
        self.doctype[4] &= correct
        self.tokens.append(self.doctype)
        return self.data if c else None

    def doctype_name(self, c: str) -> Any:
        if c and c in SPACE:
            return self.after_doctype_name
        if not c or c == ">":
            return self.emit_doctype(c, bool(c))
        self.doctype[1] += c.translate(LOWER).translate(SHOWN)
        return self.doctype_name

    def after_doctype_name(self, c: str) -> Any:
        if c and c in SPACE:
            return self.after_doctype_name
        if not c or c == ">":
            return self.emit_doctype(c, bool(c))
        self.at -= 1
        for self.part, word in ((2, "public"), (3, "system")):
            if self.looking_at(word):
                return self.before_identifier
        return self.bogus_doctype_with_quirks

    def bogus_doctype_with_quirks(self, c: str) -> Any:
        self.doctype[4] = False
        return self.again(self.bogus_doctype)

    def bogus_doctype(self, c: str) -> Any:
        return self.emit_doctype(c) if not c or c == ">" else self.bogus_doctype

    def before_identifier(self, c: str) -> Any:
        if c and c in SPACE:
            return self.before_identifier
        if c and c in "\"'":
            self.quote, self.doctype[self.part] = c, ""
            return self.identifier
        if not c or c == ">":
            return self.emit_doctype(c, False)
        return self.again(self.bogus_doctype_with_quirks)

    def identifier(self, c: str) -> Any:
        if c == self.quote:
            return self.after_public_identifier if self.part == 2 else self.after_system_identifier
        if not c or c == ">":
            return self.emit_doctype(c, False)
        self.doctype[self.part] += c.translate(SHOWN)
        return self.identifier

    def after_public_identifier(self, c: str) -> Any:
        if c and c in SPACE:
            return self.after_public_identifier
        self.part = 3
        return self.emit_doctype(c) if c == ">" else self.again(self.before_identifier)

    def after_system_identifier(self, c: str) -> Any:
        if c and c in SPACE:
            return self.after_system_identifier
        return self.emit_doctype(c, bool(c)) if not c or c == ">" else self.again(self.bogus_doctype)

    # Character references

    def reference(self, in_value: bool) -> str:
        """What the reference behind an ampersand stands for; it is passed."""
        if self.text[self.at : self.at + 1] == "#":
            return self.numeric()
        for length in range(min(40, len(self.text) - self.at), 0, -1):
            name = self.text[self.at : self.at + length]
            if name in html.entities.html5:
                following = self.text[self.at + length : self.at + length + 1]
                if in_value and name[-1] != ";" and following and following in ALPHANUMERIC + "=":
                    return "&"
                self.at += length
                return html.entities.html5[name]
        return "&"

    def numeric(self) -> str:
        start = self.at + 1
        is_hex = self.text[start : start + 1] in ("x", "X")
        end = start = start + is_hex
        while self.text[end : end + 1] in tuple("0123456789abcdefABCDEF" if is_hex else "0123456789"):
            end += 1
        if end == start:
            return "&"
        digits = self.text[start:end].lstrip("0") or "0"
        number = int(digits, 16 if is_hex else 10) if len(digits) < 9 else 0x110000
        self.at = end + (self.text[end : end + 1] == ";")
        if number == 0 or number > 0x10FFFF or 0xD800 <= number < 0xE000:
            return "\ufffd"
        if 0x80 <= number < 0xA0:
            return bytes([number]).decode("cp1252", "replace").replace("\ufffd", chr(number))
        return chr(number)


def tokens(text: str, state: str = "data", element: str = "-") -> list[list[Any]]:
    """The tokens of a text, from a state on.

    >>> tokens("<p class=a>x &lt; y<br/><!-- z -->")
    [['StartTag', 'p', {'class': 'a'}], ['Character', 'x < y'], ['StartTag', 'br', {}, True], ['Comment', ' z ']]
    """
    return Tokenizer(text, state, element).tokens
