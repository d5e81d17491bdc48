"""The literals of plain data in a script, in plain Python: a parser by recursive descent.
Arguments are those of `fastwrap._core.structured.literals.find`; values come as Python has them, not as strict JSON."""

from __future__ import annotations

import json
import re
from typing import Any

DEEPEST = 200
SPACE = re.compile(rb"(?:[ \t\n\r\v\f]|\xc2\xa0|\xef\xbb\xbf|\xe2\x80[\xa8\xa9]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
WORD = re.compile(rb"[\w$\x80-\xff]+")
NUMBER = re.compile(rb"([-+]?)(?:(\d+)(\.(\d*))?|(\.)(\d+))(?:[eE]([-+]?)(\d+))?")
VALUES = {
    b"true": True, b"false": False, b"null": None, b"undefined": None, b"NaN": None, b"Infinity": None
}  # fmt: skip
ESCAPES = {
    b'"': '"', b"\\": "\\", b"/": "/", b"b": "\b", b"f": "\f", b"n": "\n", b"r": "\r", b"t": "\t", b"v": "\v",
    b"0": "\0", b"\n": "",
}  # fmt: skip
HEX = re.compile(rb"[0-9a-fA-F]+")


class NoDataError(Exception):
    """What is here is no data, or cannot be told to be."""

    def __init__(self, place: int, is_deep: bool = False) -> None:
        self.place, self.is_deep = place, is_deep


class Parser:
    """Reads one literal after the other."""

    def __init__(self, data: bytes, place: int, end: int) -> None:
        self.data, self.place, self.end = data[:end], place, end

    def byte(self) -> bytes:
        return self.data[self.place : self.place + 1]

    def skip_space(self) -> None:
        found = SPACE.match(self.data, self.place)
        assert found
        self.place = found.end()
        if self.data.startswith(b"/*", self.place):
            raise NoDataError(self.end)
        if self.place == self.end:
            raise NoDataError(self.end)

    def literal(self, depth: int = 1) -> Any:
        """An object or array."""
        if depth > DEEPEST:
            raise NoDataError(self.place, is_deep=True)
        opening, found = self.byte(), []
        closing = b"}" if opening == b"{" else b"]"
        self.place += 1
        self.skip_space()
        while self.byte() != closing:
            key = None
            if opening == b"{":
                key = self.key()
                self.skip_space()
                self.expect(b":")
                self.skip_space()
            found.append((key, self.value(depth)))
            self.skip_space()
            if self.byte() != closing:
                self.expect(b",")
                self.skip_space()
        self.place += 1
        return dict(found) if opening == b"{" else [value for _, value in found]

    def expect(self, byte: bytes) -> None:
        if self.byte() != byte:
            raise NoDataError(self.place)
        self.place += 1

    def key(self) -> str:
        if self.byte() in (b'"', b"'"):
            return self.string()
        found = WORD.match(self.data, self.place)
        if found is None:
            raise NoDataError(self.place)
        self.place = found.end()
        return found[0].decode("utf-8", "replace")

    def value(self, depth: int) -> Any:
        byte = self.byte()
        if byte in (b"{", b"["):
            return self.literal(depth + 1)
        if byte in (b'"', b"'"):
            return self.string()
        if byte in b"-+.0123456789" and self.data[self.place + 1 : self.place + 2] != b"I":
            return self.number()
        for written, value in ((b"!0", True), (b"!1", False), (b"void 0", None)):
            end = self.place + len(written)
            if self.data.startswith(written, self.place) and not WORD.match(self.data, end):
                self.place = end
                return value
        found = WORD.match(self.data, self.place + (byte in (b"-", b"+")))
        word = found[0] if found else b""
        if word not in VALUES or (byte in (b"-", b"+") and word != b"Infinity"):
            raise NoDataError(self.place)
        assert found
        self.place = found.end()
        return VALUES[word]

    def number(self) -> Any:
        found = NUMBER.match(self.data, self.place)
        if found is None or WORD.match(self.data, found.end()) or self.data[found.end() : found.end() + 1] == b".":
            raise NoDataError(self.place)
        self.place = found.end()
        sign, whole, point, parts, _, alone, small, exponent = found.groups()
        digits = (whole or b"").lstrip(b"0") or (b"0" if whole else b"")
        parts = alone or parts or b""
        power = int(exponent or 0)
        if len(digits) + len(parts) > 300 or (small != b"-" and len(digits) + power > 308):
            return None
        text = (b"-" if sign == b"-" else b"") + (digits or b"0")
        if parts or point or alone:
            text += b"." + (parts or b"0")
        if exponent:
            text += b"e" + small + exponent
        return json.loads(text)

    def string(self) -> str:
        quote, found = self.byte(), bytearray()
        self.place += 1
        while self.place < self.end:
            byte = self.byte()
            if byte == quote:
                self.place += 1
                return found.decode("utf-8", "surrogatepass")
            if byte == b"\\":
                found += self.escape().encode("utf-8", "surrogatepass")
            elif byte < b" " and quote == b"'":
                raise NoDataError(self.place)
            else:
                found += byte
                self.place += 1
        raise NoDataError(self.end)

    def digits(self, place: int, count: int) -> int | None:
        text = self.data[place : place + count]
        return int(text, 16) if len(text) == count and HEX.fullmatch(text) else None

    def escape(self) -> str:
        place = self.place
        byte = self.data[place + 1 : place + 2]
        if not byte:
            raise NoDataError(place)
        if byte == b"u" and (number := self.digits(place + 2, 4)) is not None:
            self.place = place + 6
            if not 0xD800 <= number <= 0xDFFF:
                return chr(number)
            low = self.digits(place + 8, 4) if self.data[place + 6 : place + 8] == b"\\u" else None
            if number <= 0xDBFF and low is not None and 0xDC00 <= low <= 0xDFFF:
                self.place = place + 12
                return chr(0x10000 + ((number & 0x3FF) << 10) + (low & 0x3FF))
            return "\ufffd"
        if byte == b"x" and (number := self.digits(place + 2, 2)) is not None:
            self.place = place + 4
            return chr(number)
        if byte in ESCAPES:
            self.place = place + 2
            return ESCAPES[byte]
        if byte < b" ":
            self.place = place + 1
            return ""
        self.place = place + 1  # the character stands for itself, with all its bytes
        if byte == b"'":
            self.place = place + 2
            return "'"
        if byte < b"\x80":
            self.place = place + 2
            return byte.decode()
        return ""


def find(data: bytes, start: int, end: int, least: int, fruitless: int) -> tuple[list[tuple[int, int, Any]], bool]:
    """The literals of plain data in a part of a script, each with its value; whether any was nested too deeply."""
    parser = Parser(data, start, end)
    found: list[tuple[int, int, Any]] = []
    is_deep, stop = False, min(end, start + fruitless)
    while True:
        begin = next((k for k in range(parser.place, stop) if data[k : k + 1] in (b"{", b"[", b"J")), None)
        if begin is None:
            return found, is_deep
        parser.place = begin
        least_place = begin + 1
        try:
            if data[begin : begin + 1] == b"J":
                if not data.startswith(b"JSON.parse(", begin) or begin + 12 > end:
                    raise NoDataError(begin + 1)
                parser.place = begin + 11
                while parser.byte() in (b" ", b"\t", b"\n", b"\r"):
                    parser.place += 1
                begin = parser.place
                if parser.byte() not in (b'"', b"'"):
                    raise NoDataError(begin)
                value: Any = parser.string()
            else:
                value = parser.literal()
        except NoDataError as error:
            is_deep = is_deep or error.is_deep
            parser.place = max(error.place, least_place)
            continue
        stop = min(end, parser.place + fruitless)
        if parser.place - begin >= least:
            found.append((begin, parser.place, value))
