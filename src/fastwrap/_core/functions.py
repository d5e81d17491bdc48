"""Finds Lexbor's functions in selectolax's module, and verifies what the parse reads besides nodes.
No pointer is followed before the words around it agree with what Lexbor's own functions say."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
import selectolax.lexbor
from selectolax.lexbor import create_tag

from fastwrap._core import parsing
from fastwrap._core.layout import STATIC_NAMES, Layout, LayoutError, Memory, expect
from fastwrap._core.parsing import OFFSETS

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
    "lxb_html_tree_active_formatting_marker",
    "lxb_html_tree_insertion_mode_initial",
    *(
        f"lxb_html_tree_insertion_mode_{mode}"
        for mode in ("in_body", "in_cell", "in_caption", "in_table", "in_table_body", "in_row", "text")
    ),
)

WORD = 8
SEARCHED_WORDS = 16
"""Of the tokenizer: its callback is among the first."""

KNOWN = (
    b"<div id=a class=bc title=def>one<p><b><i>two &amp; three</i><table><tr><td>four<tr> <script>5 + 6</script><x-y>"
)
# What is known at each of its texts: the text, what follows, open elements, formatting elements, insertion mode.
KNOWN_TEXTS = (
    (b"one", b"<p", 3, 0, "in_body"),
    (b"two & three", b"</i", 6, 2, "in_body"),
    (b"four", b"<tr", 9, 2, "in_cell"),
    (b" ", b"<script", 8, 1, "in_row"),
    (b"5 + 6", b"</script", 9, 1, "text"),
)

TokenCallback = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class Trial:
    """One parse of a known page, watched at every token through the kernel (see `Memory`)."""

    def __init__(self, memory: Memory, addresses: dict[str, int]) -> None:
        self.memory = memory
        self.addresses = addresses
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

    def array(self, field: str) -> tuple[int, int]:
        """Address of the entries and length of one of the tree's stacks."""
        array = self.memory.word(self.tree + OFFSETS[field])
        length = self.memory.word(array + OFFSETS["array_length"])
        return self.memory.word(array + OFFSETS["array_list"]), length

    def quirks(self) -> int:
        """The document's mode of compatibility."""
        return int.from_bytes(self.memory.read(self.document + OFFSETS["quirks"], 4), "little")

    def check_new(self) -> None:
        """The tree before any token: stacks that are empty, the first insertion mode, one block of memory each."""
        mode = self.memory.word(self.tree + OFFSETS["mode"])
        expect(mode, self.addresses["lxb_html_tree_insertion_mode_initial"], "mode")
        expect(self.quirks(), 0, "quirks")
        for field in ("open_elements", "active_formatting"):
            expect(self.array(field)[1], 0, field)
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

    def attributes(self, token: int) -> int:
        """How many attributes a token has."""
        count, attribute, last = 0, self.memory.word(token + OFFSETS["token_first_attribute"]), 0
        while attribute and count < 9:
            count, last = count + 1, attribute
            attribute = self.memory.word(attribute + OFFSETS["token_attribute_next"])
        expect(last, self.memory.word(token + OFFSETS["token_last_attribute"]), "token_last_attribute")
        return count

    def check_token(self, token: int, texts: list[tuple[bytes, bytes, int, int, str]]) -> None:
        """Compare one token of the known page, and the tree under construction, with what is known."""
        tag = self.memory.word(token + OFFSETS["token_tag"])
        if tag == create_tag("div").tag_id:
            expect(self.attributes(token), 3, "attributes of a token")
        if tag != parsing.TEXT_TOKEN:
            return
        expect(self.attributes(token), 0, "attributes of a text")
        text, behind, opened, formatting, mode = texts.pop(0)
        start = self.memory.word(token + OFFSETS["token_text_start"])
        expect(self.memory.word(token + OFFSETS["token_text_end"]) - start, len(text), "length of a token")
        expect(self.memory.read(start, len(text)), text, "text of a token")
        end = self.memory.word(token + OFFSETS["token_end"])
        expect(self.memory.read(end, len(behind)), behind, "what is behind a token")
        expect(self.array("open_elements")[1], opened, "open_elements")
        entries, length = self.array("active_formatting")
        expect(length, formatting, "active_formatting")
        if mode == "in_cell":
            expect(self.memory.word(entries + (length - 1) * WORD), self.addresses["marker"], "marker")
        wanted = self.addresses[f"lxb_html_tree_insertion_mode_{mode}"]
        expect(self.memory.word(self.tree + OFFSETS["mode"]), wanted, "mode")

    def run(self) -> None:
        """Parse the known page; raises LayoutError at the first difference."""
        build = TokenCallback(self.addresses["build_tree"])
        texts = list(KNOWN_TEXTS)
        raised: list[Exception] = []

        def watch(tokenizer: int, token: int, _: int) -> int | None:
            try:
                self.check_token(token, texts)
            except (LayoutError, OSError, IndexError) as error:
                raised.append(error)
                return None
            return build(tokenizer, token, self.tree)  # type: ignore[no-any-return]

        callback = TokenCallback(watch)
        self.call("lxb_html_parse_chunk_prepare", self.parser, self.document)
        address = ctypes.cast(callback, ctypes.c_void_p).value or 0
        self.call("lxb_html_tokenizer_callback_token_done_set_noi", self.tokenizer, address, 0)
        page = ctypes.create_string_buffer(KNOWN)
        self.call("lxb_html_parse_chunk_process", self.parser, ctypes.addressof(page), len(KNOWN))
        if raised:
            raise LayoutError(str(raised[0]))
        self.call("lxb_html_parse_chunk_end", self.parser)
        expect(self.quirks(), 1, "quirks")  # the known page has no doctype
        expect(texts, [], "texts of the known page")


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
            trial = Trial(memory, addresses)
            try:
                addresses["marker"] = trial.call("lxb_html_tree_active_formatting_marker")
                addresses["build_tree"] = trial.find_callback()
                trial.check_new()
                trial.run()
            finally:
                trial.close()
    except (LayoutError, OSError) as error:
        return LayoutError(str(error))
    kinds = np.zeros(STATIC_NAMES, dtype=np.uint8)
    for name, kind in parsing.KINDS.items():
        kinds[create_tag(name).tag_id] = kind
    parsing.use(addresses, layout.tags, layout.attributes, layout.type_name, kinds)
    return None
