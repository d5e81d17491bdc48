"""The names of the features of a block, in the order in which kernels write them and trees ask for them.
Lengths are in bytes of UTF-8; shares and rates are of a block unless the name says otherwise."""

from __future__ import annotations

from fastwrap.noise.vocabulary import FLAGS

TEXT = """
    length words bytes_per_word linked links digits capitals not_ascii commas sentences ending beginning separators bold
    pressed owner heading depth
""".split()
"""What its text looks like: `linked`, `bold` and `pressed` (buttons, labels) are shares."""
PLACE = """
    blocks_before_share length_before_share nodes_before_share blocks_left blocks_before blocks_since_title
    length_since_title title_overlap title_words
""".split()
"""Where on the page it stands, and how it goes with the title."""
LEVEL = """
    length_share linked blocks bytes_per_block prose prose_share before alike images levels_up
""".split()
"""What an element around it holds; of four elements, each with more blocks than the one before."""
LEVELS = 4
GROUP = "blocks length_share bytes_per_block linked prose different".split()
"""What the blocks of its tag path are like."""
RELATIVE = """
    in_prose levels_from_prose nodes_since_prose blocks_since_heading heading_before length_since_heading copies
""".split()
"""How it stands to the element with most of the prose, and to the heading before it."""
SCORES = "above near words heading_words".split()
"""What the linear part of a model says: of the names above, the names near by, its words, the words of its heading."""
NEIGHBOUR = ["length", "words", "linked", "sentences", "owner", "heading", *(f"score_{name}" for name in SCORES)]
"""What it knows of the blocks before and after it."""
NEIGHBOURS = ("previous", "previous_2", "next", "next_2")
PAGE = """
    blocks length linked prose_share prose titles headings paragraphs items cells articles most_alike images in_forms
    address_parts address_length address_hyphens address_query
""".split()
"""What the page is like; all of its blocks have the same."""

NAMES = (
    *TEXT, *(f"in_{flag}" for flag in FLAGS), "hidden", *PLACE,
    *(f"level_{level}_{name}" for level in range(1, LEVELS + 1) for name in LEVEL), "alike",
    *(f"path_{name}" for name in GROUP), *RELATIVE, *(f"score_{name}" for name in SCORES),
    *(f"{which}_{name}" for which in NEIGHBOURS for name in NEIGHBOUR), "previous_same_path", "next_same_path",
    *(f"path_score_{name}" for name in SCORES), *(f"page_{name}" for name in PAGE),
    *(f"page_score_{name}" for name in SCORES), *(f"page_score_{name}_by_words" for name in SCORES),
)  # fmt: skip
"""By number."""
