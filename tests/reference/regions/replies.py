"""Threads in which replies stand below what they reply to: part of the twin of `record_sets`."""

from __future__ import annotations

import itertools
from collections import defaultdict

from fastwrap.page.names import TAG_NUMBER, TEXT
from tests.reference.regions.chosen import ChosenSet, Search
from tests.reference.regions.siblings import LONGEST_CLASS, class_tokens

THREADS = 4
"""Those with most posts are looked at."""
FEWEST, FEWEST_REPLIES, FEW = 3, 2, 6
"""Posts of a thread, and replies among them that begin a level: one is enough where posts are few."""
LEAST_ITEMS, LEAST_LETTERS = 3, 50
"""Nodes with content of a post, and its content, on average."""
LEAST_HELD = 0.6
"""Of the content of the records of a set, what a thread has."""
COMPARED = 12
ITEM, LISTS = TAG_NUMBER["li"], (TAG_NUMBER["ul"], TAG_NUMBER["ol"])


class Threads:
    """The threads of a page, each as the nodes of its posts, which a set may take once."""

    def __init__(self, search: Search) -> None:
        styled: dict[int, list[int]] = defaultdict(list)
        for node in range(search.body, search.end(search.body)):
            if search.style[node]:
                styled[search.style[node]].append(node)
        found = [nodes for _, nodes in sorted(styled.items()) if may_be_thread(search, nodes)]
        found.sort(key=lambda nodes: -len(nodes))
        self.left = [nodes for nodes in found[:THREADS] if has_enough(search, nodes)]


def may_be_thread(search: Search, nodes: list[int]) -> bool:
    """Whether elements of one class may be the posts of a thread."""
    pairs = list(itertools.pairwise(nodes))
    if any(search.tag[one] != search.tag[other] or other < search.end(one) for one, other in pairs):
        return False
    replies = sum(
        search.parent[other] != search.parent[one] and other < search.end(search.parent[one]) for one, other in pairs
    )
    return len(nodes) >= FEWEST and replies >= (1 if len(nodes) < FEW else FEWEST_REPLIES)


def has_enough(search: Search, nodes: list[int]) -> bool:
    """Whether posts have something to say."""
    items, letters = sum(map(search.items_of, nodes)), sum(map(search.letters_of, nodes))
    return items >= LEAST_ITEMS * len(nodes) and letters >= LEAST_LETTERS * len(nodes)


def is_meant(search: Search, nodes: list[int], chosen: ChosenSet) -> bool:
    """Whether the records of a set hold posts or are in one each, most of them, and these have most of the content."""
    touched, held, last = 0, 0.0, -1
    for start, end in chosen.spans:
        around = next((node for node in nodes if node <= start < search.end(node)), None)
        if around is not None:
            touched += around != last
            last = around
            held += search.letters(start, end)
            continue
        inside = [node for node in nodes if start < node < end]
        touched += bool(inside)
        held += sum(map(search.letters_of, inside))
    total = sum(search.letters(*span) for span in chosen.spans)
    return 2 * touched >= len(chosen.spans) and held >= LEAST_HELD * total


def list_posts(search: Search, nodes: list[int]) -> list[int]:
    """The posts that are free, and what has their class and more among them."""
    own, above = search.classes[nodes[0]], search.scope([(node, search.end(node)) for node in nodes])
    tokens = set(class_tokens(search, nodes[0]))
    found: list[int] = []
    node = above + 1
    while node < search.end(above):
        classes, end = search.classes[node], search.end(node)
        wider = (
            own is not None
            and classes is not None
            and search.tag[node] == search.tag[nodes[0]]
            and not any(node < post < end for post in nodes)
            and len(own) < len(classes) <= LONGEST_CLASS
            and tokens <= set(class_tokens(search, node))
            and search.letters_of(node) > 0
        )
        if node not in nodes and not wider:
            node += 1
            continue
        if search.is_free(node, end):
            found.append(node)
        node = end
    return found


def are_alike(search: Search, nodes: list[int]) -> bool:
    """Whether neighbours are alike on average."""
    pairs = min(len(nodes) - 1, COMPARED)
    alike = 0.0
    for k in range(pairs):
        one, other = (nodes[k * (len(nodes) - 1) // pairs + more] for more in (0, 1))
        sizes = search.size[one], search.size[other]
        if 2 * min(sizes) / sum(sizes) > 0.5:
            alike += search.alike((one, search.end(one)), (other, search.end(other)))
    return alike >= search.nodes.options.similarity * pairs


def post_of(search: Search, item: int) -> tuple[int | None, int | None]:
    """The one child of an item that has content, and the list of replies behind it; None for what there is not."""
    said = [child for child in search.children(item) if search.letters_of(child) > 0]
    if len(said) == 1:
        return said[0], None
    if len(said) == 2 and search.tag[said[1]] in LISTS:
        return said[0], said[1]
    return None, None


def outermost(search: Search, item: int) -> int | None:
    """The list around all items of a thread, of which one is given."""
    around = None
    while search.tag[item] == ITEM and search.tag[search.parent[item]] in LISTS:
        around = search.parent[item]
        item = search.parent[around]
    return around


def held(search: Search, around: int) -> tuple[list[int], int]:
    """The posts of the items of a list, and of the lists below them; and how many lists are below posts."""
    posts: list[int] = []
    lists = 0
    for item in search.children(around):
        post, below = post_of(search, item) if search.tag[item] == ITEM else (None, None)
        posts += [post] if post is not None else []
        if below is not None:
            further, deeper = held(search, below)
            posts += further
            lists += 1 + deeper
    return posts, lists


def nested(search: Search, chosen: ChosenSet) -> list[int]:
    """The posts of the lists within lists that the first record of a set is an item of, or a post."""
    first = chosen.spans[0][0]
    around = outermost(search, first if search.tag[first] == ITEM else search.parent[first])
    if around is None:
        return []
    posts, lists = held(search, around)
    posts = [post for post in posts if search.tag[post] != TEXT and search.is_free(post, search.end(post))]
    posts = [post for post in posts if search.tag[post] == search.tag[posts[0]]]
    enough = len(posts) >= FEWEST and lists >= (1 if len(posts) < FEW else FEWEST_REPLIES) and has_enough(search, posts)
    return posts if enough and is_meant(search, posts, chosen) and are_alike(search, posts) else []


def gather_replies(search: Search, threads: Threads, chosen: ChosenSet) -> bool:
    """Give a set the posts of a thread, if these are meant; whether they were."""
    for nodes in threads.left:
        if not is_meant(search, nodes, chosen):
            continue
        posts = list_posts(search, nodes)
        if len(posts) < FEWEST or not are_alike(search, posts):
            continue
        threads.left = [other for other in threads.left if other is not nodes]
        break
    else:
        posts = nested(search, chosen)
    if posts:
        search.give(chosen, [(node, search.end(node)) for node in posts])
        search.measure(chosen, odd_record=0.0)
    return bool(posts)
