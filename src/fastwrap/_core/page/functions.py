"""Finds Lexbor's functions in selectolax's module, and verifies what the parse reads besides nodes.
No pointer is followed before the words around it agree with what Lexbor's own functions say."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import selectolax.lexbor

from fastwrap._core.page import construction, parsing
from fastwrap._core.page.layout import STATIC_NAMES, Layout, LayoutError, Memory, expect, read_name
from fastwrap._core.page.parsing import OFFSETS
from fastwrap.page.names import ATTRIBUTE_NUMBER

NAMES = (
    "lxb_html_document_create",
    "lxb_html_document_destroy",
    "lxb_html_document_clean",
    "lxb_html_document_mraw_noi",
    "lxb_html_document_mraw_text_noi",
    "lxb_html_document_dom_opt_set_noi",
    "lxb_dom_document_scripting_set_noi",
    "lxb_html_parser_create",
    "lxb_html_parser_init",
    "lxb_html_parser_destroy",
    "lxb_html_parser_clean",
    "lxb_html_parser_tokenizer_noi",
    "lxb_html_parser_tree_noi",
    "lxb_html_tokenizer_callback_token_done_set_noi",
    "lxb_html_parse_chunk_prepare",
    "lxb_html_parse_chunk_process",
    "lxb_html_parse_chunk_end",
    "lexbor_mraw_destroy",
    "lexbor_mraw_init",
    "lexbor_mraw_alloc",
    "lxb_html_tokenizer_set_state_by_tag",
    "lxb_html_tag_is_category",
)

WORD = 8
SEARCHED_WORDS = 16
"""Of the tokenizer: its callback is among the first."""

KNOWN = (
    b"<?p?><!--c--><div id=a class=bc title='d&amp;f' data-x-y hidden>one<!doctype html><p><b><i>two &amp; three</i>"
    b"<table><tr><td>four<tr> <script>5 + 6</script><x-y/>"
)
# The texts of the page: each with what follows, and how many elements and formatting elements are open.
KNOWN_TEXTS = (
    (b"one", b"<!d", 3, 0),
    (b"two & three", b"</i", 6, 2),
    (b"four", b"<tr", 9, 2),
    (b" ", b"<script", 8, 1),
    (b"5 + 6", b"</script", 9, 1),
)
# All of its tokens: a name, or what it is if it is no tag; "/" before an end tag, and behind one that closes itself.
KNOWN_TOKENS = "? ! div # doctype p b i # /i table tr td # tr # script # /script x-y/".split()
KNOWN_ATTRIBUTES = {"id": b"a", "class": b"bc", "title": b"d&f", "data-x-y": None, "hidden": None}

RAW = b"<title>a<b>c&lt;</title><script>1<b>2&lt;</script>\0"
RAW_TOKENS: tuple[str | bytes, ...] = ("title", b"a<b>c<", "/title", "script", b"1<b>2&lt;", "/script", b"\0")

CATEGORIES = (
    ("div", construction.HTML_NAMESPACE, "special", True),
    ("span", construction.HTML_NAMESPACE, "special", False),
    ("td", construction.HTML_NAMESPACE, "scope", True),
    ("td", construction.HTML_NAMESPACE, "table scope", False),
    ("table", construction.HTML_NAMESPACE, "table scope", True),
    ("button", construction.HTML_NAMESPACE, "scope", False),
    ("button", construction.HTML_NAMESPACE, "button scope", True),
    ("ol", construction.HTML_NAMESPACE, "list scope", True),
    ("ol", construction.HTML_NAMESPACE, "button scope", False),
    ("foreignobject", construction.SVG_NAMESPACE, "scope", True),
    ("foreignobject", construction.SVG_NAMESPACE, "table scope", False),
    ("svg", construction.SVG_NAMESPACE, "special", False),
)
"""What is known of categories of tags, and of Lexbor's numbers of these and of namespaces."""

TokenCallback = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class Trial:
    """One parse of a known page, watched at every token through the kernel (see `Memory`)."""

    def __init__(self, memory: Memory, addresses: dict[str, int], layout: Layout) -> None:
        self.memory = memory
        self.addresses = addresses
        self.layout = layout
        self.names: dict[int, str] = {number: name for name, number in construction.TOKENS.items()}
        self.names |= {layout.tag_numbers[name]: name for name in "div p b i table tr td script title".split()}
        self.document = self.call("lxb_html_document_create")
        self.parser = self.call("lxb_html_parser_create")
        expect(self.call("lxb_html_parser_init", self.parser) & 0xFFFFFFFF, 0, "status of a new parser")
        self.tokenizer = self.call("lxb_html_parser_tokenizer_noi", self.parser)
        self.tree = self.call("lxb_html_parser_tree_noi", self.parser)

    def call(self, name: str, *given: int) -> int:
        """Call one of the functions with addresses or numbers."""
        function = ctypes.CFUNCTYPE(ctypes.c_void_p, *[ctypes.c_void_p] * len(given))(self.addresses[name])
        return function(*given) or 0

    def close(self) -> None:
        """Free both, also after a parse that was given up."""
        self.call("lxb_html_parser_destroy", self.parser)
        self.call("lxb_html_document_destroy", self.document)

    def find_callback(self) -> int:
        """The function that the tokenizer hands its tokens to, before another is set: that which builds the tree."""
        words = [self.memory.word(self.tokenizer + k * WORD) for k in range(SEARCHED_WORDS)]
        marks = (0x1234567, 0x89ABCDE)
        self.call("lxb_html_tokenizer_callback_token_done_set_noi", self.tokenizer, *marks)
        after = [self.memory.word(self.tokenizer + k * WORD) for k in range(SEARCHED_WORDS)]
        changed = [k for k in range(SEARCHED_WORDS) if words[k] != after[k]]
        expect([after[k] for k in changed], list(marks), "the callback of the tokenizer")
        function, context = (words[k] for k in changed)
        expect(context, self.tree, "what the callback is called with")
        return function

    def length(self, field: str) -> int:
        """The length of one of the tree's stacks."""
        return self.memory.word(self.memory.word(self.tree + OFFSETS[field]) + OFFSETS["array_length"])

    def quirks(self) -> int:
        """The document's mode of compatibility."""
        return int.from_bytes(self.memory.read(self.document + OFFSETS["quirks"], 4), "little")

    def check_new(self) -> None:
        """The tree before any token: stacks that are empty, one block of memory each."""
        expect(self.quirks(), 0, "quirks")
        for field in ("open_elements", "active_formatting"):
            expect(self.length(field), 0, field)
        for pool in ("lxb_html_document_mraw_noi", "lxb_html_document_mraw_text_noi"):
            self.check_memory(self.call(pool, self.document))

    def check_memory(self, pool: int) -> None:
        """A pool of memory has one block, and a second, linked with the first, once more is asked for."""
        memory = self.memory.word(pool + OFFSETS["memory"])
        block = self.memory.word(memory + OFFSETS["chunk"])
        expect(self.memory.word(memory + OFFSETS["chunk"] + WORD), block, "first block of memory")
        asked = self.memory.word(memory + OFFSETS["chunk"] + 2 * WORD)
        expect(asked <= self.memory.word(block + OFFSETS["chunk_size"]) < 2 * asked, True, "chunk_size")
        expect(self.memory.word(block + OFFSETS["chunk_prev"]), 0, "chunk_prev")
        for _ in range(2):
            self.call("lexbor_mraw_alloc", pool, asked * 3 // 4)
        second = self.memory.word(memory + OFFSETS["chunk"])
        expect(second != block and self.memory.word(second + OFFSETS["chunk_prev"]) == block, True, "chunk_prev")
        expect(asked <= self.memory.word(second + OFFSETS["chunk_size"]) < 3 * asked, True, "chunk_size")

    def attributes(self, token: int) -> list[int]:
        """The attributes of a token."""
        found: list[int] = []
        attribute = self.memory.word(token + OFFSETS["token_first_attribute"])
        while attribute and len(found) < 9:
            found.append(attribute)
            attribute = self.memory.word(attribute + OFFSETS["token_attribute_next"])
        last = self.memory.word(token + OFFSETS["token_last_attribute"])
        expect(last, found[-1] if found else 0, "token_last_attribute")
        return found

    def check_attribute(self, attribute: int, name: str, value: bytes | None) -> None:
        """Compare the name and the value of an attribute with what they are."""
        entry = self.memory.word(attribute + OFFSETS["token_attribute_name"])
        number = self.memory.word(entry + OFFSETS["attribute_name_number"])
        if number < STATIC_NAMES:
            expect(self.layout.attributes[number], ATTRIBUTE_NUMBER.get(name), "attribute_name_number")
        else:
            expect(number, entry, "attribute_name_number")
            expect(read_name(self.memory, number), name, "token_attribute_name")
        begin = self.memory.word(attribute + OFFSETS["token_attribute_value_begin"])
        expect(bool(begin), value is not None, "token_attribute_value_begin")
        if value is not None:
            expect(self.memory.read(begin, 1), value[:1], "token_attribute_value_begin")
            length = self.memory.word(attribute + OFFSETS["token_attribute_value_length"])
            expect(length, len(value), "token_attribute_value_length")
            start = self.memory.word(attribute + OFFSETS["token_attribute_value"])
            expect(self.memory.read(start, length), value, "token_attribute_value")

    def name_of(self, token: int) -> str:
        """A token as KNOWN_TOKENS has it."""
        number = self.memory.word(token + OFFSETS["token_tag"])
        kind = self.memory.read(token + OFFSETS["token_type"], 1)[0]
        if number in self.names:
            name = self.names[number]
        else:
            name = read_name(self.memory, number) if number >= STATIC_NAMES else f"number {number}"
        return "/" * bool(kind & construction.CLOSING) + name + "/" * bool(kind & construction.SELF_CLOSING)

    def text_of(self, token: int) -> bytes:
        """The text of a token that is one."""
        start = self.memory.word(token + OFFSETS["token_text_start"])
        length = self.memory.word(token + OFFSETS["token_text_end"]) - start
        expect(0 <= length < 99, True, "length of a token")
        return self.memory.read(start, length)

    def check_token(self, token: int, tokens: list[str], texts: list[tuple[bytes, bytes, int, int]]) -> None:
        """Compare one token of the known page, and the tree under construction, with what is known."""
        name = self.name_of(token)
        expect(name, tokens.pop(0) if tokens else "end", "token_tag or token_type")
        attributes = self.attributes(token)
        if name != "doctype":  # whose parts are attributes, too
            expect(len(attributes), len(KNOWN_ATTRIBUTES) if name == "div" else 0, "attributes of a token")
            for attribute, (own, value) in zip(attributes, KNOWN_ATTRIBUTES.items(), strict=False):
                self.check_attribute(attribute, own, value)
        if name == "!":
            expect(self.text_of(token), b"c", "text of a comment")
        if name == "#":
            text, behind, opened, formatting = texts.pop(0)
            expect(self.text_of(token), text, "text of a token")
            expect(self.memory.word(token + OFFSETS["token_null_count"]), 0, "token_null_count")
            end = self.memory.word(token + OFFSETS["token_end"])
            expect(self.memory.read(end, len(behind)), behind, "what is behind a token")
            for field, wanted in (("open_elements", opened), ("active_formatting", formatting)):
                expect(self.length(field), wanted, field)

    def check_raw(self, token: int, tokens: list[str | bytes]) -> None:
        """Compare one token of a page with raw texts, having told the tokenizer of these."""
        name = self.name_of(token)
        if name == "#":
            expect(self.text_of(token), tokens.pop(0), "raw text")
            count = self.memory.word(token + OFFSETS["token_null_count"])
            expect(count, 0 if tokens else 1, "token_null_count")
        elif tokens:
            expect(name, tokens.pop(0), "tag of a raw text")
            tag = self.memory.word(token + OFFSETS["token_tag"])
            if not name.startswith("/"):
                self.call("lxb_html_tokenizer_set_state_by_tag", self.tokenizer, 1, tag, construction.HTML_NAMESPACE)
        else:
            expect(name, "end", "last token")

    def check_categories(self) -> None:
        """Compare what Lexbor says of tags with what is known."""
        is_category = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int)(
            self.addresses["lxb_html_tag_is_category"]
        )
        for name, namespace, category, wanted in CATEGORIES:
            found = is_category(self.layout.tag_numbers[name], namespace, construction.CATEGORIES[category])
            expect(found, wanted, f"{category} of {name}")

    def parse(self, html: bytes, watch: Callable[[int], None], build: bool) -> None:
        """Parse a page, watching every token; raises what that raises first."""
        build_tree = TokenCallback(self.addresses["build_tree"])
        raised: list[Exception] = []

        def take(tokenizer: int, token: int, _: int) -> int | None:
            try:
                watch(token)
            except (LayoutError, OSError, IndexError, UnicodeDecodeError) as error:
                raised.append(error)
                return None
            return build_tree(tokenizer, token, self.tree) if build else token

        callback = TokenCallback(take)
        self.call("lxb_html_parse_chunk_prepare", self.parser, self.document)
        address = ctypes.cast(callback, ctypes.c_void_p).value or 0
        self.call("lxb_html_tokenizer_callback_token_done_set_noi", self.tokenizer, address, 0)
        page = ctypes.create_string_buffer(html)
        self.call("lxb_html_parse_chunk_process", self.parser, ctypes.addressof(page), len(html))
        if not raised:
            self.call("lxb_html_parse_chunk_end", self.parser)
        if raised:
            raise LayoutError(str(raised[0]))

    def run(self) -> None:
        """Parse known pages; raises LayoutError at the first difference."""
        self.check_categories()
        tokens, texts = list(KNOWN_TOKENS), list(KNOWN_TEXTS)
        self.parse(KNOWN, lambda token: self.check_token(token, tokens, texts), build=True)
        expect(self.quirks(), 1, "quirks")  # the document type comes too late
        expect((tokens, texts), ([], []), "tokens of the known page")
        self.call("lxb_html_parser_clean", self.parser)
        self.call("lxb_html_document_clean", self.document)
        raw = list(RAW_TOKENS)
        self.parse(RAW, lambda token: self.check_raw(token, raw), build=False)
        expect(raw, [], "tokens of raw texts")


def find_addresses() -> dict[str, int]:
    """Where each of the functions is."""
    library = ctypes.CDLL(selectolax.lexbor.__file__)
    try:
        return {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in NAMES}
    except AttributeError as error:
        raise LayoutError(f"selectolax keeps the function to itself: {error}") from error


@cache
def ready(layout: Layout) -> LayoutError | None:
    """Make the parse ready, once a process; the reason where it cannot be."""
    try:
        addresses = find_addresses()
        with Memory() as memory:
            trial = Trial(memory, addresses, layout)
            try:
                addresses["build_tree"] = trial.find_callback()
                trial.check_new()
                trial.run()
            finally:
                trial.close()
    except (LayoutError, OSError) as error:
        return LayoutError(str(error))
    try:
        numbers = {name: layout.tag_numbers[name] for name in (*construction.KINDS, *construction.BITS)}
    except KeyError as error:
        return LayoutError(f"the parser has no number for the tag {error}")
    parsing.use(addresses, layout.tags, layout.attributes, layout.type_name, numbers)
    return None
