"""The scan of `fastwrap._core.page.nesting` in plain Python: its twin.
Same rules, same names, same figures; a hundred times slower."""

from __future__ import annotations

import re
from dataclasses import dataclass

import fastwrap.page.nesting_rules as rules
from fastwrap.page.nesting_rules import PROPERTIES

TABLE_SCOPE = rules.TABLE | rules.TEMPLATE | rules.HTML
ROWS = rules.TABLE | rules.SECTION | rules.ROW
POINTS = rules.SVG_POINT | rules.TEXT_POINT | rules.ANNOTATION

NAME = re.compile(rb"</?([a-zA-Z][^ \t\n\f\r/>]*+)")
ATTRIBUTE = re.compile(
    rb"""[ \t\n\f\r/]*+(?:
        (?P<close>>)
        | =?+(?P<name>[^ \t\n\f\r/>=]*+)[ \t\n\f\r]*+(?:
            =[ \t\n\f\r]*+(?: "(?P<double>[^"]*)" | '(?P<single>[^']*)'
                            | (?P<plain>(?!["'])[^ \t\n\f\r>]*+)(?P<last>>?) )
            | (?!=)))""",
    re.VERBOSE,
)
FORMATTING_NAME = re.compile(
    rb"<(/?)(%s)(?=[ \t\n\f\r/>])" % b"|".join(name for name, bits in PROPERTIES.items() if bits & rules.FORMATTING),
    re.IGNORECASE,
)
SCRIPT_LANDMARK = re.compile(rb"<!--|-->|<(/?)script(?=[ \t\n\f\r/>])", re.IGNORECASE)
DOCTYPE = re.compile(rb"<!doctype html>", re.IGNORECASE)
BLANKS = b" \t\n\f\r"


@dataclass(slots=True)
class Tag:
    """The tag being read."""

    name: bytes
    bits: int
    is_end: bool = False
    source: bytes = b""
    attributes: int = 0
    self_closing: bool = False
    matches: bool = False


@dataclass(slots=True, eq=False)
class Element:
    """An element that is, or was, on the stack of open elements."""

    name: bytes
    bits: int
    mode: int
    depth: int
    is_open: bool = True
    text: int = 0


@dataclass(slots=True, eq=False)
class Entry:
    """A formatting element to be re-opened; a marker has no element."""

    element: Element | None
    source: bytes = b""


def number_of(name: bytes) -> int:
    """The number by which the native scan knows a name."""
    letters = name.lower().replace(b"\0", b"\xff")
    number = int.from_bytes(letters[:8], "big")
    for letter in letters[8:]:
        number = (number ^ letter) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return number


class _Scan:
    """One page being read; the methods are the functions of the native scan, where they are explained."""

    def __init__(self, html: bytes) -> None:
        self.html = html
        self.root = Element(b"html", PROPERTIES[b"html"], rules.IN_BODY, 1)
        self.stack = [self.root, Element(b"body", PROPERTIES[b"body"], rules.IN_BODY, 2)]
        self.entries: list[Entry] = []
        self.deepest, self.work, self.nodes = 2, 0, 3
        self.paragraphs = self.templates = 0
        self.form: Element | None = None
        self.begun = False
        self.in_head = self.frameset_ok = self.quirks = True
        self.root_attributes = self.attributes = self.declarations = 0
        self.ended = False
        self.text = self.text_nodes = self.text_values = self.text_place = 0
        self.names: set[int] = set()

    # The stack of open elements, and the list of formatting elements.

    def count_element(self, depth: int) -> None:
        self.nodes += 1
        self.deepest = max(self.deepest, depth)

    def exceeded(self) -> bool:
        return self.deepest > rules.MAX_DEPTH or self.work > rules.MAX_WORK or self.nodes > rules.MAX_NODES

    def push(self, name: bytes, bits: int) -> None:
        parent = self.stack[-1]
        inside = (mode for bit, mode in rules.MODE_INSIDE.items() if bits & bit)
        self.stack.append(Element(name, bits, next(inside, parent.mode), parent.depth + 1))
        self.count_element(parent.depth + 1)
        self.paragraphs += bits & rules.P != 0
        self.templates += bits & rules.TEMPLATE != 0

    def forget(self, element: Element) -> None:
        element.is_open = False
        self.paragraphs -= element.bits & rules.P != 0
        self.templates -= element.bits & rules.TEMPLATE != 0

    def pop(self) -> None:
        if len(self.stack) > 1:
            self.forget(self.stack.pop())

    def pop_to(self, place: int | None) -> None:
        while place is not None and len(self.stack) > max(place, 1):
            self.pop()

    def find(self, wanted: int, name: bytes | None, stops: int) -> int | None:
        for place in range(len(self.stack) - 1, -1, -1):
            self.work += 1
            element = self.stack[place]
            if element.bits & wanted and name in (None, element.name):
                return place
            if element.bits & stops:
                return None
        return None

    def close_paragraph(self) -> None:
        if self.paragraphs:
            self.pop_to(self.find(rules.P, None, rules.SCOPE | rules.BUTTON))
        else:
            self.work += len(self.stack)

    def close_implied(self, but: int) -> None:
        while self.stack[-1].bits & rules.IMPLIED and not self.stack[-1].bits & but:
            self.pop()

    def remove_element(self, place: int) -> None:
        self.work += len(self.stack) - place
        self.forget(self.stack.pop(place))

    def remove_entry(self, k: int) -> None:
        self.work += len(self.entries) - k
        del self.entries[k]

    def insert_entry(self, k: int, entry: Entry) -> None:
        self.entries.insert(k, entry)
        self.work += len(self.entries) - k

    def insert_marker(self) -> None:
        self.insert_entry(len(self.entries), Entry(None))

    def clear_to_marker(self) -> None:
        while self.entries and self.entries.pop().element is not None:
            pass

    def entry_of(self, element: Element) -> int | None:
        return next((k for k, entry in enumerate(self.entries) if entry.element is element), None)

    def remember(self, tag: Tag) -> None:
        alike = []
        for k in range(len(self.entries) - 1, -1, -1):
            other = self.entries[k]
            if other.element is None:
                break
            self.work += 1
            if other.element.name == tag.name:
                self.work += 1 + len(other.source) // rules.BYTES_A_NODE
                if other.source == tag.source:
                    alike.append(k)
        if len(alike) >= 3:
            self.remove_entry(alike[-1])
        self.insert_entry(len(self.entries), Entry(self.stack[-1], tag.source))

    def count_copy(self, entry: Entry) -> None:
        self.nodes += len(entry.source) // rules.BYTES_A_NODE

    def reopen(self) -> None:
        k = len(self.entries)
        while k and (element := self.entries[k - 1].element) is not None and not element.is_open:
            k -= 1
        if k == len(self.entries):
            if k and (element := self.entries[-1].element) is not None:
                self.work += (len(self.stack) - 1 - self.place_of(element)) // rules.ADDRESSES_A_STEP
            return
        self.work += (len(self.entries) - k) * len(self.stack) // rules.ADDRESSES_A_STEP
        for entry in self.entries[k:]:
            if self.exceeded():
                return
            assert entry.element is not None
            self.push(entry.element.name, entry.element.bits)
            self.count_copy(entry)
            entry.element = self.stack[-1]

    def place_of(self, element: Element) -> int:
        place = len(self.stack) - 1
        while self.stack[place] is not element:
            place -= 1
        return place

    def last_entry(self, name: bytes) -> int | None:
        for k in range(len(self.entries) - 1, -1, -1):
            element = self.entries[k].element
            if element is None:
                return None
            self.work += 1
            if element.name == name:
                return k
        return None

    def adopt(self, name: bytes) -> None:
        current = self.stack[-1]
        if current.name == name and not current.bits & rules.FOREIGN and self.entry_of(current) is None:
            self.pop()
            return
        for _ in range(8):
            formatting = self.last_entry(name)
            if formatting is None or not self.adopt_once(formatting) or self.exceeded():
                return

    def adopt_once(self, formatting: int) -> bool:
        entry = self.entries[formatting]
        element = entry.element
        assert element is not None
        if not element.is_open:
            self.work += len(self.stack)
            self.remove_entry(formatting)
            return False
        place = self.place_of(element)
        self.work += 2 * (len(self.stack) - place)
        inside = self.stack[place + 1 :]
        if any(other.bits & rules.SCOPE for other in inside):
            return False
        furthest = next((other for other in inside if other.bits & rules.SPECIAL), None)
        if furthest is None:
            self.pop_to(place)
            self.remove_entry(formatting)
            return False
        bookmark = formatting
        first = True
        between = self.stack[place + 1 : self.place_of(furthest)]
        for inner, other in enumerate(reversed(between), 1):
            self.work += len(self.entries) // rules.ADDRESSES_A_STEP
            k = self.entry_of(other)
            if k is not None and inner > 3:
                self.remove_entry(k)
                k = None
            if k is None:
                self.remove_element(self.place_of(other))
                continue
            self.count_element(other.depth)
            self.count_copy(self.entries[k])
            if first:
                bookmark = k + 1
                first = False
        self.count_element(element.depth + 1)
        self.count_copy(entry)
        self.remove_element(place)
        if formatting < len(self.entries):
            self.remove_entry(formatting)
        copy = Element(element.name, element.bits, element.mode, element.depth)
        after = self.place_of(furthest) + 1
        self.stack.insert(after, copy)
        self.work += len(self.stack) - after
        self.insert_entry(min(bookmark, len(self.entries)), Entry(copy, entry.source))
        for k in range(place, len(self.stack)):
            self.stack[k].depth = self.stack[k - 1].depth + 1
        return True

    # Start tags.

    def open_foreign(self, tag: Tag, mathml: bool) -> bool:
        bits = rules.FOREIGN | tag.bits & rules.OF_FOREIGN
        if mathml:
            bits = (bits | rules.MATHML) & ~rules.SVG_POINT
            if bits & rules.ANNOTATION and tag.matches:
                bits |= rules.HTML_POINT
        else:
            bits &= ~(rules.TEXT_POINT | rules.ANNOTATION)
            if bits & rules.SVG_POINT:
                bits |= rules.HTML_POINT
        if bits & POINTS:
            bits |= rules.SCOPE | rules.SPECIAL
        self.push(tag.name, bits)
        if tag.self_closing:
            self.pop()
        return False

    def break_out(self) -> None:
        points = rules.HTML_POINT | rules.TEXT_POINT
        while self.stack[-1].bits & rules.FOREIGN and not self.stack[-1].bits & points:
            self.pop()

    def start_in_foreign(self, tag: Tag) -> bool:
        inside = self.stack[-1].bits
        if (
            inside & rules.HTML_POINT
            or (inside & rules.TEXT_POINT and not tag.bits & rules.GLYPH)
            or (inside & rules.ANNOTATION and tag.bits & rules.SVG)
        ):
            return True
        if tag.bits & rules.BREAKS_OUT or (tag.bits & rules.FONT and tag.matches):
            self.break_out()
            return True
        return self.open_foreign(tag, inside & rules.MATHML != 0)

    def clear_back(self, context: int) -> None:
        while not self.stack[-1].bits & (context | rules.TEMPLATE | rules.HTML):
            self.pop()

    def close_in_table(self, wanted: int, name: bytes | None) -> bool:
        place = self.find(wanted, name, TABLE_SCOPE & ~wanted)
        if place is None:
            return False
        marked = self.stack[place].bits & rules.MARKS
        self.pop_to(place)
        if marked:
            self.clear_to_marker()
        return True

    def apply_rules(self, tag: Tag, by_mode: dict[int, tuple[rules.Rule, ...]]) -> bool:
        while not self.exceeded():
            matching = (rule for rule in by_mode[self.stack[-1].mode] if not rule[0] or tag.bits & rule[0])
            _, action, wanted, implied = next(matching)
            if action == rules.AS_IN_BODY:
                return True
            if action == rules.AS_IN_BODY_BEFORE_TABLE:
                self.work += len(self.stack)
                return True
            if action in (rules.CLOSE, rules.CLOSE_OWN, rules.CLOSE_FOR):
                parts = rules.TABLE | rules.TABLE_PART
                if action == rules.CLOSE_FOR and self.find(parts, tag.name, TABLE_SCOPE & ~tag.bits) is None:
                    return False
                own = action == rules.CLOSE_OWN
                if not self.close_in_table(wanted, tag.name if own else None) or own:
                    return False
            elif action == rules.IMPLY:
                self.clear_back(wanted)
                self.push(implied, PROPERTIES[implied])
            elif action == rules.BECOME:
                self.stack[-1].mode = wanted
            elif action == rules.OPEN:
                self.clear_back(wanted)
                self.push(tag.name, tag.bits)
                if tag.bits & rules.MARKS:
                    self.insert_marker()
                return False
            else:
                if action == rules.INSERT_FORM:
                    self.work += len(self.stack)
                    if self.form is not None or self.templates:
                        return False
                    self.form = Element(tag.name, tag.bits, rules.IN_BODY, 0, is_open=False)
                if action != rules.IGNORE:
                    self.count_element(self.stack[-1].depth + 1)
                return False
        return False

    def close_item(self, wanted: int) -> None:
        for place in range(len(self.stack) - 1, -1, -1):
            self.work += 1
            bits = self.stack[place].bits
            if bits & wanted:
                self.pop_to(place)
                return
            if bits & rules.SPECIAL and not bits & rules.PASSED:
                return

    def before_insertion(self, tag: Tag) -> bool:
        bits = tag.bits
        if bits & rules.IGNORED:
            if bits & (rules.HTML | rules.BODY):
                self.work += len(self.stack) + tag.attributes * self.root_attributes
                self.root_attributes += tag.attributes
            return False
        if bits & rules.FRAMESET:
            if self.frameset_ok:
                self.pop_to(1)
                self.root.mode = rules.AFTER_FRAMESET
                self.push(tag.name, bits)
            return False
        if bits & (rules.SELECT | rules.INPUT):
            place = self.find(rules.SELECT, None, rules.SCOPE)
            self.pop_to(place)
            return place is None or bits & rules.INPUT != 0
        if bits & rules.FORM:
            self.work += len(self.stack)
            return self.form is None or self.templates > 0
        if bits & (rules.LI | rules.DD_DT):
            self.close_item(bits & (rules.LI | rules.DD_DT))
        elif bits & rules.BUTTON:
            self.pop_to(self.find(rules.BUTTON, None, rules.SCOPE))
        elif bits & rules.TABLE and not self.quirks:
            self.close_paragraph()
        elif bits & rules.A and (k := self.last_entry(tag.name)) is not None:
            self.replace_anchor(self.entries[k])
        return True

    def replace_anchor(self, anchor: Entry) -> None:
        element = anchor.element
        assert element is not None
        self.adopt(element.name)
        k = self.entry_of(element)
        if k is not None:
            self.remove_entry(k)
            if element.is_open:
                self.remove_element(self.place_of(element))

    def start_in_body(self, tag: Tag) -> bool:
        bits = tag.bits
        if bits & rules.NO_FRAMESET:
            self.frameset_ok = False
        if not self.before_insertion(tag):
            return False
        if bits & rules.CLOSES_P:
            self.close_paragraph()
            if bits & self.stack[-1].bits & rules.HEADING:
                self.pop()
        if bits & (rules.OPTION | rules.OPTGROUP | rules.HR):
            if self.find(rules.SELECT, None, rules.SCOPE) is not None:
                self.close_implied(rules.OPTGROUP if bits & rules.OPTION else 0)
            elif not bits & rules.HR and self.stack[-1].bits & rules.OPTION:
                self.pop()
        elif bits & (rules.RUBY_BASE | rules.RUBY_TEXT) and self.find(rules.RUBY, None, rules.SCOPE) is not None:
            self.close_implied(rules.RTC if bits & rules.RUBY_TEXT else 0)
        if not bits & rules.PLAIN:
            self.reopen()
            if bits & rules.NOBR and self.find(rules.NOBR, None, rules.SCOPE) is not None:
                self.adopt(tag.name)
                self.reopen()
        if bits & rules.VOID:
            self.count_element(self.stack[-1].depth + 1)
            return False
        if bits & (rules.SVG | rules.MATH):
            return self.open_foreign(tag, bits & rules.MATH != 0)
        self.push(tag.name, bits)
        if bits & rules.FORMATTING:
            self.remember(tag)
        elif bits & rules.MARKS:
            self.insert_marker()
        elif bits & rules.FORM and not self.templates:
            self.form = self.stack[-1]
        return bits & rules.RAW != 0

    # End tags.

    def end_in_foreign(self, tag: Tag) -> bool:
        if tag.bits & (rules.BR | rules.P):
            self.break_out()
            return True
        for place in range(len(self.stack) - 1, 0, -1):
            if not self.stack[place].bits & rules.FOREIGN:
                break
            self.work += 1
            if self.stack[place].name == tag.name:
                self.pop_to(place)
                return False
        return True

    def end_form(self) -> None:
        self.work += len(self.stack)
        if self.templates:
            self.pop_to(self.find(rules.FORM, None, rules.SCOPE))
            return
        form, self.form = self.form, None
        if form is None or not form.is_open:
            return
        place = self.place_of(form)
        self.work += len(self.stack) - place
        if not any(element.bits & rules.SCOPE for element in self.stack[place + 1 :]):
            self.close_implied(0)
            self.remove_element(place)

    def end_in_body(self, tag: Tag) -> None:
        bits = tag.bits
        if bits & rules.BLOCK:
            self.pop_to(self.find(rules.BLOCK, tag.name, rules.SCOPE))
        elif bits & rules.FORMATTING:
            self.adopt(tag.name)
        elif bits & rules.P:
            place = self.find(rules.P, None, rules.SCOPE | rules.BUTTON)
            if place is None:
                self.count_element(self.stack[-1].depth + 1)
            self.pop_to(place)
        elif bits & rules.LI:
            self.pop_to(self.find(rules.LI, None, rules.SCOPE | rules.LIST_SCOPE))
        elif bits & rules.DD_DT:
            self.pop_to(self.find(rules.DD_DT, tag.name, rules.SCOPE))
        elif bits & rules.HEADING:
            self.pop_to(self.find(rules.HEADING, None, rules.SCOPE))
        elif bits & rules.FORM:
            self.end_form()
        elif bits & rules.TEMPLATE:
            self.work += len(self.stack)
            if self.templates:
                self.pop_to(self.find(rules.TEMPLATE, None, 0))
                self.clear_to_marker()
        elif bits & rules.MARKS and not bits & rules.TABLE_PART:
            place = self.find(rules.MARKS, tag.name, rules.SCOPE)
            if place is not None:
                self.pop_to(place)
                self.clear_to_marker()
        elif bits & rules.BR:
            self.frameset_ok = False
            self.reopen()
            self.count_element(self.stack[-1].depth + 1)
        elif bits & (rules.BODY | rules.HTML):
            self.work += len(self.stack)
        else:
            self.end_other(tag.name)

    def end_other(self, name: bytes) -> None:
        for place in range(len(self.stack) - 1, -1, -1):
            self.work += 1
            element = self.stack[place]
            if element.name == name and not element.bits & rules.FOREIGN:
                self.pop_to(place)
                return
            if element.bits & rules.SPECIAL:
                return

    # The tokenizer.

    def reopen_for_text(self, text: bytes) -> bool:
        current = self.stack[-1]
        blank = not text.strip(BLANKS)
        if not blank:
            self.frameset_ok = False
        if self.in_head and not self.templates:
            if blank:
                return False
            self.in_head = False
        if current.bits & rules.FOREIGN and not current.bits & (rules.HTML_POINT | rules.TEXT_POINT):
            return False
        if current.mode == rules.IN_COLGROUP:
            if blank or not current.bits & rules.COLGROUP:
                return False
            self.pop()
            self.reopen()
            return True
        if current.mode >= rules.IN_FRAMESET or (current.bits & ROWS and blank):
            return False
        is_before_table = current.bits & ROWS != 0
        if is_before_table:
            self.work += len(self.stack)
        self.reopen()
        return is_before_table

    def count_text(self, length: int) -> None:
        values = self.attributes + self.declarations
        if (self.text_nodes, self.text_place) != (self.nodes, len(self.stack)):
            self.text = 0
        elif self.text_values != values:
            self.work += self.text // rules.BYTES_A_STEP
        self.text += length
        self.text_nodes, self.text_values, self.text_place = self.nodes, values, len(self.stack)

    def count_text_before_table(self, length: int) -> None:
        tables = (element for element in reversed(self.stack) if element.bits & (rules.TABLE | rules.TEMPLATE))
        table = next(tables, self.root)
        self.work += table.text // rules.BYTES_A_STEP
        table.text += length

    def read_text(self, text: bytes) -> None:
        if text and self.reopen_for_text(text):
            self.count_text_before_table(len(text))
        elif text:
            self.count_text(len(text))

    def count_name(self, name: bytes) -> None:
        product = number_of(name) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        self.names.add(product >> (64 - rules.NAME_BITS))
        self.work += len(self.names) >> rules.NAME_STEPS

    def read_attributes(self, tag: Tag, at: int) -> int | None:
        thorough = self.attributes > rules.FREE_NAMES or tag.bits & (rules.FONT | rules.ANNOTATION)
        while at < len(self.html):
            attribute = ATTRIBUTE.match(self.html, at)
            if attribute is None:
                return None
            at = attribute.end()
            if attribute["close"]:
                tag.self_closing = self.html[at - 2] == b"/"[0]
                break
            name = attribute["name"].lower()
            if thorough:
                self.count_name(name)
            tag.attributes += 1
            if tag.bits & rules.FONT and name in (b"color", b"face", b"size"):
                tag.matches = True
            elif tag.bits & rules.ANNOTATION and name == b"encoding":
                value = attribute["double"] or attribute["single"] or attribute["plain"] or b""
                tag.matches = tag.matches or value.lower() in (b"text/html", b"application/xhtml+xml")
            if attribute["last"]:
                break
        else:
            return None
        self.attributes += tag.attributes
        self.work += tag.attributes**2
        return at

    def raw_text_end(self, tag: Tag, at: int) -> int | None:
        end = re.compile(rb"</%s(?=[ \t\n\f\r/>])" % tag.name, re.IGNORECASE).search(self.html, at)
        return end.start() if end else None

    def script_end(self, at: int) -> int | None:
        escaped = nested = False
        while landmark := SCRIPT_LANDMARK.search(self.html, at):
            at = landmark.end()
            if landmark[0] == b"<!--":
                escaped = True
                at -= 2  # its dashes may be those of "-->", too
            elif landmark[0] == b"-->":
                escaped = nested = False
            elif landmark[1]:
                if not nested:
                    return landmark.start()
                nested = False
            elif escaped:
                nested = True
        return None

    def read_raw_text(self, tag: Tag, start: int) -> int:
        place = len(self.stack) - 1
        at = None
        if tag.bits & rules.SCRIPT:
            at = self.script_end(start)
        elif not tag.bits & rules.PLAINTEXT:
            at = self.raw_text_end(tag, start)
        if tag.bits & (rules.PLAINTEXT | rules.TEXTAREA):
            self.read_text(self.html[start:at])
        if at is None:
            return len(self.html)
        after = self.read_attributes(Tag(tag.name, 0), at + 2 + len(tag.name))
        self.pop_to(place)
        return len(self.html) if after is None else after

    def behind(self, letters: bytes, at: int) -> int:
        found = self.html.find(letters, at)
        return len(self.html) if found < 0 else found + len(letters)

    def read_declaration(self, less: int) -> int:
        if self.html.startswith(b"<![CDATA[", less) and self.stack[-1].bits & rules.FOREIGN:
            at = self.behind(b"]]>", less + 9)
            self.count_text(at - less)
            return at
        self.declarations += 1
        if not self.ended and not self.html.startswith((b"<!d", b"<!D"), less):
            self.text = 0
        if self.html.startswith(b"<!--", less):
            return min(self.behind(b"-->", less + 2), self.behind(b"--!>", less + 4))
        if not self.begun and self.frameset_ok and DOCTYPE.match(self.html, less):
            self.quirks = False
        return self.behind(b">", less + 2)

    def goes_on(self, tag: Tag) -> bool:
        if tag.is_end:
            if tag.bits & rules.TEMPLATE:
                return True
            if not tag.bits & (rules.BODY | rules.HTML | rules.BR):
                return False
        elif tag.bits & rules.STAYS_IN_HEAD:
            return True
        self.in_head = False
        if tag.bits & rules.FRAMESET:
            self.frameset_ok = True
        return True

    def read_tag(self, letters: re.Match[bytes]) -> int:
        self.begun = True
        name = letters[1].lower()
        tag = Tag(name, PROPERTIES.get(name, 0), self.html[letters.start() + 1] == b"/"[0])
        if not tag.bits:
            self.count_name(name)
        end = self.read_attributes(tag, letters.end())
        if end is None:
            return len(self.html)
        if tag.is_end and tag.bits & (rules.BODY | rules.HTML):
            self.ended = True
        if tag.bits & rules.SKIPS_NEWLINE and not tag.is_end:
            end += self.html.startswith(b"\r", end)
            end += self.html.startswith(b"\n", end)
        tag.source = self.html[letters.start() : end]
        if self.in_head and not self.templates and not self.goes_on(tag):
            return end
        foreign = self.stack[-1].bits & rules.FOREIGN
        if tag.is_end:
            if (not foreign or self.end_in_foreign(tag)) and self.apply_rules(tag, rules.END_RULES):
                self.end_in_body(tag)
        elif (
            (not foreign or self.start_in_foreign(tag))
            and self.apply_rules(tag, rules.START_RULES)
            and self.start_in_body(tag)
        ):
            return self.read_raw_text(tag, end)
        return end

    def read_page(self) -> None:
        at = text = 0
        while not self.exceeded():
            less = self.html.find(b"<", at)
            if less < 0 or less + 1 == len(self.html):
                self.read_text(self.html[text:])
                return
            letters = NAME.match(self.html, less)
            following = self.html[less + 1 : less + 3]
            if letters:
                self.read_text(self.html[text:less])
                at = text = self.read_tag(letters)
            elif following[:1] in b"!?" or (following[:1] == b"/" and len(following) == 2):
                self.read_text(self.html[text:less])
                at = text = self.read_declaration(less)
            else:
                at = less + 1


def is_harmless(html: bytes) -> bool:
    """Whether a page is too small to pass a limit, by an upper bound on the elements that are created twice.

    >>> is_harmless(b"<div>" * 1_000), is_harmless(b"<div>" * 10_000)
    (True, False)
    """
    tags = html.count(b"<")
    if len(html) > rules.HARMLESS_LENGTH or tags > rules.HARMLESS_TAGS:
        return False
    unread = len(html)
    formatting_tags = 0
    anchors, others = [0], [0]
    for letters in FORMATTING_NAME.finditer(html):
        formatting_tags += 1
        if letters[1]:
            continue
        end = _Scan(html).read_attributes(Tag(b"", 0), letters.end())
        unread -= (len(html) if end is None else end) - letters.start() - 1
        if unread < 0:
            return False
        if end is not None:
            (anchors if letters[2] in b"aA" else others).append(end - letters.start())
    repeated = 1 + len(others) + (sum(others) + max(anchors)) // rules.BYTES_A_NODE
    copied = 32 + (8 * max(*anchors, *others) + 24 * max(others)) // rules.BYTES_A_NODE
    return tags * repeated + formatting_tags * copied <= rules.MAX_NODES


def scan(html: bytes) -> tuple[int, int, int]:
    """How deep, laborious and large the tree of a page would become: the elements inside one another, the steps of
    the parser's searches, the elements. The scan ends where one of them passes its limit.

    >>> scan(b"<ul><li>one<li>two")
    (4, 10, 6)
    """
    state = _Scan(html)
    state.read_page()
    return state.deepest, state.work, state.nodes
