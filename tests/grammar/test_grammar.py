"""Grammars: expressions and their text, matching against brute force, induction that accepts what it came from."""

from __future__ import annotations

import pickle
import random
import re
from itertools import chain, islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap.grammar import (
    SKIPPED,
    Automaton,
    Expression,
    Induction,
    Match,
    Matcher,
    folding,
    induce,
    induction,
    parse_expression,
)
from fastwrap.grammar.alignment import Assembly, Described, align
from fastwrap.grammar.automaton import BEGIN, READ
from fastwrap.grammar.expression import (
    EMPTY,
    MAX_DEPTH,
    MAX_TEXT,
    Alternative,
    Optional,
    Repeat,
    Sequence,
    Symbol,
    alternative,
    optional,
    repeat,
    sequence,
)
from fastwrap.grammar.folding import Folder, String, key_of
from tests.reference.grammar.grammar import accepts, least_cost, longest_common, parts_of, readings

symbols = st.integers(0, 3)
PLENTY = 10**9


def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=2, max_size=4)
    return st.one_of(
        several.map(lambda parts: sequence(*parts)),
        several.map(lambda parts: alternative(*parts)),
        inner.map(optional),
        inner.map(repeat),
    )


expressions = st.recursive(st.builds(Symbol, symbols), extend, max_leaves=8)


def sample(expression: Expression, choose: random.Random) -> list[int]:
    """A string that matches."""
    match expression:
        case Symbol(number=number):
            return [number]
        case Sequence(parts=parts):
            return [symbol for part in parts for symbol in sample(part, choose)]
        case Alternative(parts=parts):
            return sample(choose.choice(parts), choose)
        case Optional(part=part):
            return sample(part, choose) if choose.random() < 0.5 else []
        case Repeat(part=part):
            return [symbol for _ in range(choose.choice([1, 1, 2, 3])) for symbol in sample(part, choose)]
    raise TypeError(expression)


@st.composite
def pairs(draw: st.DrawFn, longest: int = 8) -> tuple[Expression, list[int]]:
    """An expression, and a string that matches, or nearly, or not at all."""
    expression = draw(expressions)
    string = sample(expression, draw(st.randoms(use_true_random=False)))
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        where = draw(st.integers(0, len(string)))
        string[where : where + draw(st.integers(0, 1))] = draw(st.lists(symbols, max_size=1))
    return expression, string[:longest]


def nodes(expression: Expression) -> list[Expression]:
    return [expression, *(node for part in parts_of(expression) for node in nodes(part))]


def loops_on_nothing(expression: Expression) -> bool:
    """Whether an iteration may be empty: then which reading is preferred is a matter of definition."""
    return any(isinstance(node, Repeat) and node.nullable for node in nodes(expression))


# Text


@given(expressions)
def test_text_and_back(expression: Expression) -> None:
    assert parse_expression(str(expression)) == expression


@given(expressions)
def test_pickled_and_measured(expression: Expression) -> None:
    again = pickle.loads(pickle.dumps(expression))  # noqa: S301
    assert (again, again.size, again.depth) == (expression, len(nodes(expression)), expression.depth)
    assert expression.nullable == accepts(expression, [])
    assert hash(again) == hash(expression)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("(3 5? (7|8))+ 2", "(3 5? (7|8))+ 2"),
        (" ( (1) 2 )3 ", "1 2 3"),
        ("(1|(2|3))", "1|2|3"),
        ("1?? 2++ 3?+ 4+? 5**", "1? 2+ 3* 4* 5*"),
        ("(1?|2)", "(1|2)?"),
        ("(1|())", "1?"),
        ("(1? 2?)?", "1? 2?"),
        ("(1? 2?)+", "(1? 2?)+"),
        ("()", "()"),
        ("()+ 1 ()?", "1"),
        ("-5 007\t\n8", "-5 7 8"),
        ("999999999999999999", "999999999999999999"),
    ],
)
def test_one_form(text: str, canonical: str) -> None:
    assert str(parse_expression(text)) == canonical
    assert str(parse_expression(canonical)) == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing at"),
        (" \n", "nothing at"),
        ("(1", "not closed"),
        ("1)", "not opened"),
        ("1|", "one side"),
        ("|1", "one side"),
        ("(1||2)", "one side"),
        ("?", "nothing before ?"),
        ("1 (+2)", "nothing before +"),
        ("1|*", "nothing before *"),
        ("1 a", "'a' at character 2"),
        ("1-", "'-'"),
        ("1.5", "'.'"),
        ("٣", "'٣'"),
        ("\x00", "x00"),
        ("9" * 19, "18 digits"),
        ("(" * 1_000_000, "open parentheses"),
        ("(1 " * 60 + "|" * 9, "one side"),
        ("((1 2?)+ 3|4 " * 100 + ")" * 100, "open parentheses|not closed|levels"),
        ("1 " * (MAX_TEXT // 2 + 1), "characters"),
        ("1 " * 250_001, "nodes"),
        ("1|" * 250_001 + "1", "nodes"),
    ],
    ids=lambda text: text[:9],
)
def test_text_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("?", r"\?").replace("+", r"\+").replace("*", r"\*")):
        parse_expression(text)


@given(st.text(st.sampled_from("0123 ()|?+*-x"), max_size=30))
@settings(max_examples=500)
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    try:
        expression = parse_expression(text)
    except ValueError:
        return
    assert parse_expression(str(expression)) == expression


def nested(levels: int) -> Expression:
    deep: Expression = Symbol(1)
    for number in range(levels // 2):
        deep = sequence(Symbol(number), repeat(deep))
    return deep


def doubled(times: int) -> Expression:
    """As many nodes as a power of two, a few objects."""
    part: Expression = Symbol(1)
    for _ in range(times):
        part = repeat(sequence(part, part))
    return part


def test_depth_and_size_are_limited() -> None:
    deep = nested(MAX_DEPTH - 1)
    assert parse_expression(str(deep)) == deep
    assert Matcher(deep).match([]) is None
    with pytest.raises(ValueError, match="levels"):
        nested(MAX_DEPTH + 2)
    with pytest.raises(ValueError, match="nodes"):
        doubled(50)
    with pytest.raises(ValueError, match="at least one part"):
        alternative()


# Matching


@given(expressions)
def test_the_automaton_is_linear_in_the_expression(expression: Expression) -> None:
    automaton = Automaton.of(expression)
    assert len(automaton.operations) == len(automaton.arguments) <= 3 * expression.size
    assert automaton.operations.count(READ) == len(automaton.symbols)
    assert automaton.operations.count(BEGIN) == len(automaton.repeats)


@given(pairs())
@settings(max_examples=500)
def test_match_is_the_preferred_reading(pair: tuple[Expression, list[int]]) -> None:
    expression, string = pair
    match = Matcher(expression).match(string)
    assert (match is not None) == accepts(expression, string)
    if match is None:
        return
    assert (match.skipped_elements, match.skipped_symbols, match.cost) == ((), (), 0)
    all_readings = readings(expression, string)
    if loops_on_nothing(expression):
        assert (match.positions, match.begun) in islice(all_readings, 20_000)
    else:
        assert (match.positions, match.begun) == next(all_readings)


@given(expressions, st.lists(st.lists(symbols, max_size=6), max_size=20))
def test_match_accepts_as_regular_expressions_do(expression: Expression, strings: list[list[int]]) -> None:
    matcher = Matcher(expression)
    assert [matcher.match(string) is not None for string in strings] == [accepts(expression, s) for s in strings]


@pytest.mark.parametrize(
    ("text", "string", "positions"),
    [
        ("1+ 1 2", [1, 1, 1, 2], (0, 0, 1, 2)),
        ("(1 2|1 3)+ 1", [1, 2, 1, 3, 1], (0, 1, 2, 3, 4)),
        ("(1 2 3|1 2 4) 5", [1, 2, 4, 5], (3, 4, 5, 6)),
        ("(1+ 2?)+ 1", [1, 1, 2, 1, 1], (0, 0, 1, 0, 2)),
        ("1? 1? 1", [1, 1], (0, 2)),
        ("(1? 2?)+", [2, 1], (1, 0)),
        ("()", [], ()),
        ("1", [2], None),
        ("1", [], None),
        ("1 2", [1], None),
    ],
)
def test_matches(text: str, string: list[int], positions: tuple[int, ...] | None) -> None:
    match = Matcher(parse_expression(text)).match(string)
    assert (match and match.positions) == positions


def test_iterations() -> None:
    match = Matcher(parse_expression("9 (1 (2 3?)* (4|5)+)+ 1?")).match([9, 1, 2, 3, 2, 4, 1, 5, 4, 5, 1, 2, 5, 1])
    assert match is not None
    assert match.iterations(0) == [(1, 6), (6, 10), (10, 13)]
    assert match.iterations(1) == [(2, 4), (4, 5), (11, 12)]
    assert match.iterations(2) == [(5, 6), (7, 8), (8, 9), (9, 10), (12, 13)]


def test_an_iteration_of_nothing_begins_nothing() -> None:
    match = Matcher(parse_expression("(1? 2?)+ 3")).match([3])
    assert match is not None
    assert (match.begun, match.iterations(0)) == (((),), [])


@pytest.mark.parametrize("text", ["((1+)+ 2?)+ 3", "(1|1 1|1 1 1)* 3", "(1* 1*)* 3", "(((1? 1)+ 1?)+ 1?)+ 3"])
def test_no_catastrophe(text: str) -> None:
    matcher = Matcher(parse_expression(text))
    string = [1] * 3000
    assert matcher.match(string) is None
    assert matcher.match([*string, 3]) is not None
    assert matcher.tolerant(string).skipped_symbols == ((3000, len(matcher.automaton.symbols) - 1),)


def test_wide_expressions() -> None:
    """Expressions whose position automaton has millions of edges."""
    many = [Symbol(number) for number in range(3000)]
    any_order = Matcher(repeat(alternative(*many)))
    string = random.Random(1).choices(range(3000), k=3000)
    match = any_order.match(string)
    assert match is not None
    assert match.positions == tuple(string)
    optionals = Matcher(sequence(*(optional(symbol) for symbol in [*many, *[Symbol(0)] * 3000])))
    match = optionals.match([1, 5, 2999, 0, 0])
    assert match is not None
    assert match.positions == (1, 5, 2999, 3000, 3001)
    assert optionals.match([5, 1]) is None


# Tolerant matching


def check_match(expression: Expression, string: list[int], match: Match) -> None:
    """Without what the string has too much, and with what it lacks, it matches, at the cost told."""
    assert len(match.positions) == len(match.begun) == len(string)
    assert match.cost == 3 * len(match.skipped_elements) + 2 * len(match.skipped_symbols)
    read = Automaton.of(expression).symbols
    mended: list[int] = []
    positions: list[int] = []
    missing = list(match.skipped_symbols)
    assert missing == sorted(missing, key=lambda skip: skip[0])
    for index in range(len(string) + 1):
        while missing and missing[0][0] == index:
            positions.append(missing.pop(0)[1])
            mended.append(read[positions[-1]])
        if index < len(string) and match.positions[index] != SKIPPED:
            positions.append(match.positions[index])
            mended.append(string[index])
            assert read[positions[-1]] == string[index]
    assert not missing
    assert any(tuple(positions) == reading for reading, _ in islice(readings(expression, mended), 20_000))
    for number, (first, after) in enumerate(match.repeats):
        inside = [index for index, position in enumerate(match.positions) if first <= position < after]
        spans = match.iterations(number)
        assert [index for start, end in spans for index in range(start, end) if match.positions[index] >= 0] == inside
        assert all(first <= match.positions[at] < after for start, end in spans for at in (start, end - 1))


@given(pairs(longest=7))
@settings(max_examples=400)
def test_tolerant_is_the_cheapest(pair: tuple[Expression, list[int]]) -> None:
    expression, string = pair
    matcher = Matcher(expression)
    match = matcher.tolerant(string, PLENTY)
    assert match.cost == least_cost(expression, string)
    exact = matcher.match(string)
    assert exact is None or exact == match
    check_match(expression, string, match)


@given(pairs(longest=7), st.integers(0, 200))
def test_tolerant_on_a_small_budget(pair: tuple[Expression, list[int]], budget: int) -> None:
    expression, string = pair
    match = Matcher(expression).tolerant(string, budget)
    assert match.cost >= least_cost(expression, string)
    check_match(expression, string, match)
    # It is the cheapest, unless it says that it may not be.
    assert match.limits == ("grammar.expression",) or match.cost == least_cost(expression, string)


@given(pairs(longest=7), st.integers(0, 50), st.integers(0, 50))
def test_tolerant_without_knowing_whether_it_matches(
    pair: tuple[Expression, list[int]], budget: int, exact_budget: int
) -> None:
    expression, string = pair
    match = Matcher(expression).tolerant(string, budget, exact_budget)
    check_match(expression, string, match)
    whole = Matcher(expression).tolerant(string, PLENTY, PLENTY)
    assert whole.limits == ()
    assert match.limits == ("grammar.expression",) or match == whole
    assert match.cost >= whole.cost


@pytest.mark.parametrize("parts", [100, 400, 800])
def test_the_steps_of_a_match_are_bounded(parts: int) -> None:
    """Everything may be absent, and all is the same: as many ways to read on as can be, at every element."""
    matcher = Matcher(parse_expression("(" + "0? " * parts + ")+ 1"))
    states = len(matcher.automaton.operations)
    for string in ([0] * 300, [0, 2] * 150, [0] * 300 + [1]):
        match = matcher.tolerant(string, budget=10_000, exact_budget=10_000)
        assert match.limits in ((), ("grammar.expression",))
        assert 0 < match.steps <= 3 * 10_000 + 16 * len(string) + 40 * states
    assert matcher.tolerant([0] * 300 + [1], exact_budget=PLENTY).cost == 0
    assert matcher.tolerant([0] * 300 + [1], 10_000, 10_000).limits == ("grammar.expression",)


def test_long_strings_have_no_limits() -> None:
    matcher = Matcher(parse_expression("7 (1 2? 3)+ 8"))
    match = matcher.tolerant([7, *[1, 2, 3, 1, 3] * 20_000, 8], budget=0, exact_budget=100)
    assert (match.cost, match.limits) == (0, ())


@pytest.mark.parametrize(
    ("text", "string", "positions", "missing"),
    [
        ("(1 2 3)+", [1, 2, 3, 9, 1, 2, 3], (0, 1, 2, -1, 0, 1, 2), ()),
        ("(1 2 3)+", [1, 2, 3, 1, 3, 1, 2, 3], (0, 1, 2, 0, 2, 0, 1, 2), ((4, 1),)),
        ("(1 2 3)+", [1, 2, 3, 2, 3], (0, 1, 2, 1, 2), ((3, 0),)),
        ("(1 2)+", [1, 2, 1], (0, 1, 0), ((3, 1),)),
        ("7 1+ 8", [1, 1, 1], (1, 1, 1), ((0, 0), (3, 2))),
        ("()", [4, 4], (-1, -1), ()),
        ("1 2", [], (), ((0, 0), (0, 1))),
    ],
)
def test_tolerates(
    text: str, string: list[int], positions: tuple[int, ...], missing: tuple[tuple[int, int], ...]
) -> None:
    match = Matcher(parse_expression(text)).tolerant(string)
    assert (match.positions, match.skipped_symbols) == (positions, missing)


def test_one_stranger_does_not_lose_a_list() -> None:
    matcher = Matcher(parse_expression("7 (1 2? 3)+ 8"))
    string = [7, *[1, 2, 3, 1, 3] * 1000, 9, *[1, 3] * 500, 8]
    match = matcher.tolerant(string)
    assert match.skipped_elements == (5001,)
    assert len(match.iterations(0)) == 2500


def test_nothing_in_common() -> None:
    expression = parse_expression("(1 2 (3|4)+)+ 5")
    match = Matcher(expression).tolerant([8] * 5000)
    assert match.cost == 3 * 5000 + 2 * 4
    assert set(match.positions) == {SKIPPED}


# Induction

strings = st.lists(symbols, max_size=25)
examples = st.lists(strings, min_size=1, max_size=6)


@st.composite
def planted(draw: st.DrawFn) -> list[list[int]]:
    """Strings of one expression, which may use a symbol in several places."""
    expression = draw(expressions)
    choose = draw(st.randoms(use_true_random=False))
    return [
        [symbol for _ in range(draw(st.integers(1, 3))) for symbol in sample(expression, choose)]
        for _ in range(draw(st.integers(1, 8)))
    ]


def check_induced(expression: Expression, accepted: list[list[int]]) -> None:
    matcher = Matcher(expression)
    for string in accepted:
        match = matcher.match(string)
        assert match is not None, (str(expression), string)
        assert [matcher.automaton.symbols[position] for position in match.positions] == string
    assert parse_expression(str(expression)) == expression


@given(st.one_of(examples, planted()))
@settings(max_examples=500)
def test_what_it_came_from_is_accepted(accepted: list[list[int]]) -> None:
    check_induced(induce(accepted), accepted)


@given(st.lists(st.lists(st.integers(-(2**40), 2**40), max_size=12), min_size=1, max_size=4), st.integers(0, 300))
def test_any_symbols_and_any_budget(accepted: list[list[int]], budget: int) -> None:
    check_induced(induce(accepted, budget=budget), accepted)


@given(planted())
def test_induction_is_deterministic(accepted: list[list[int]]) -> None:
    assert induce(accepted) == induce(iter(tuple(string) for string in accepted))


@st.composite
def with_lists(draw: st.DrawFn) -> tuple[list[list[int]], list[list[list[int]]]]:
    """Strings, and lists in them: bounds of items."""
    accepted = draw(examples)
    lists = []
    for string in accepted:
        bounds = sorted(draw(st.sets(st.integers(0, len(string)), max_size=8)))
        middle = draw(st.integers(0, len(bounds)))
        lists.append([part for part in (bounds[:middle], bounds[middle:]) if len(part) > 1])
    return accepted, lists


@given(with_lists())
@settings(max_examples=500)
def test_known_lists(case: tuple[list[list[int]], list[list[list[int]]]]) -> None:
    """The strings are accepted, and so they are if the items of a list come in any number and order."""
    accepted, lists = case
    expression = induce(accepted, lists)
    check_induced(expression, accepted)
    choose = random.Random(1)
    for string, known in zip(accepted, lists, strict=True):
        for bounds in known:
            items = [string[start:end] for start, end in pairwise(bounds)]
            other = chain.from_iterable(choose.choices(items, k=choose.randint(1, 9)))
            check_induced(expression, [[*string[: bounds[0]], *other, *string[bounds[-1] :]]])


def words(text: str) -> list[list[int]]:
    return [[ord(letter) for letter in word] for word in text.split()]


def spelled(expression: Expression) -> str:
    """The text with letters for symbols."""
    return re.sub(r"\d+", lambda number: chr(int(number[0])), str(expression)).replace(" ", "")


@pytest.mark.parametrize(
    ("examples", "expression"),
    [
        ("a", "a"),
        ("aaaa", "a+"),
        ("abababc", "(ab)+c"),
        ("ababcab", "(abc?)+"),
        ("ababcab abcab", "(abc?)+"),
        ("abc ac", "ab?c"),
        ("abd acd ad", "a(b|c)?d"),
        ("aabaaabaab", "(a+b)+"),
        ("hpphppphpp", "(hp+)+"),
        ("hliilllhlllhl", "(h(li*)+)+"),
        ("rrrrxrrrxrr", "(rx?)+"),
        ("xrrrxrrxrrrr", "(xr+)+"),
        ("abcabc bcabc", "(a?bc)+"),
        ("hnrrrrrrrrrrf hnrrrrrrrrrrrrrrrrrrrrrrrrrpf hnrf", "hnr+p?f"),
        ("tktltltltltft tktltltltltltltft", "tk(tl)+tft"),
        # Records more often begin alike than they end alike.
        ("dtdddtddddtddt", "(dt?)+"),
        # What comes twice may come more often (Moura 2018, figure 8), ...
        ("abccd abbcc", "ab+c+d?"),
        ("hpphpphpphpphpp", "(hp+)+"),
        ("tbtbth " * 5, "(tb)+th"),
        ("cccc " * 19, "c+"),
        ("cccc " * 20 + "c", "c+"),
        # ... unless it is there equally often in very many strings: cells of a row, and not the rows of a page.
        ("hpp" * 20, "(hpp)+"),
        ("tbtbth " * 20, "tbtbth"),
        ("cccc " * 20, "cccc"),
        ("rrrrrrrrrr " * 2, "r+"),
        ("rrrrrrrrrr " * 50, "r+"),
        # A part that came with another by chance is optional for itself.
        ("acx bc ac bc", "(a|b)cx?"),
        ("axc bc ac bc", "(a|b)x?c"),
        ("axc bc ac bc " * 9, "(ax?|b)c"),
    ],
)
def test_induces(examples: str, expression: str) -> None:
    assert spelled(induce(words(examples))) == expression


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=8),
    st.integers(0, 3),
    st.integers(1, 5),
)
def test_a_few_equal_counts_are_no_fixed_number(counts: list[list[int]], symbol: int, more: int) -> None:
    """Strings such as abbccc, whatever their counts: what comes twice in a row in one may come more often in it."""
    strings = [[k for k, count in enumerate(string) for _ in range(count)] for string in counts]
    matcher = Matcher(induce(strings))
    for string, times in zip(strings, counts, strict=True):
        assert matcher.match(string) is not None
        if times[symbol] > 1:
            place = string.index(symbol)
            assert matcher.match([*string[:place], *[symbol] * more, *string[place:]]) is not None


def test_records_of_a_page_hold_for_longer_pages() -> None:
    """Ten records teach what a page of a hundred needs: optional parts, alternatives, lists inside."""
    choose = random.Random(4)
    template = parse_expression("10 11? 12 13* (14|15)")
    page = [1, 2, *chain.from_iterable(sample(template, choose) for _ in range(10)), 3]
    expression = induce([page])
    assert str(expression) in ("1 2 (10 11? 12 13* (14|15))+ 3", "1 2 (10 11? 12 13* (15|14))+ 3")
    longer = [1, 2, *chain.from_iterable(sample(template, choose) for _ in range(100)), 3]
    match = Matcher(expression).match(longer)
    assert match is not None
    assert len(match.iterations(0)) == 100


def test_lists_in_lists_in_lists() -> None:
    template = parse_expression("(1 (2 (3 4*)+)+)+")
    choose = random.Random(5)
    page = list(chain.from_iterable(sample(template, choose) for _ in range(12)))
    assert str(induce([page])) == str(template)


def test_a_list_that_is_known_stays_one() -> None:
    rows = [[1, 5, 5, 6]] * 20
    assert str(induce(rows)) == "1 5 5 6"
    assert str(induce(rows, [[(1, 2, 3)]] * 20)) == "1 5+ 6"
    # a count is kept where nothing else tells where an item ends, however few there are
    assert str(induce([[5, 5, 5, 5, 5, 5]], [[(0, 2, 4, 6)]])) == "(5 5)+"
    assert str(induce([[7, 5, 5, 7, 5, 5]], [[(0, 3, 6)]])) == "(7 5+)+"
    # a page with a single record, which nobody can see to be a list
    assert str(induce([[1, 7, 5, 7, 5, 6], [1, 7, 5, 6]], [[(1, 3, 5)], []])) == "1 (7 5)+ 6"
    # a record outside of the list that is known is not in it
    assert str(induce([[5, 5, 5, 9, 5]], [[(0, 1, 2, 3)]])) == "5+ 9 5"
    # two lists of the same records, one of others
    assert str(induce([[8, 5, 5, 9, 5, 5, 5, 4, 4]], [[(1, 2, 3), (4, 5, 6, 7), (7, 8, 9)]])) == "8 5+ 9 5+ 4+"


def test_empty_strings() -> None:
    assert induce([[]]) == EMPTY
    assert str(induce([[], [1, 2]])) == "(1 2)?"
    assert str(induce([[], [1, 1, 1]])) == "1*"


def test_more_symbols_than_an_expression_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(induction, "MAX_SIZE", 20)
    assert str(induce([[1, 2, 3, 1, 2, 3], [1, 2, 4], [1, 2, 3, 1, 2, 3]])) == "(1|2|3|4)+"
    assert str(induce([[1, 2, 3, 1, 2, 3], []])) == "(1|2|3)*"


@pytest.mark.parametrize(
    ("accepted", "lists", "message"),
    [
        ([], None, "no strings"),
        ([[1]], [], "1 strings, but lists for 0"),
        ([[1, 1]], [[(0,)]], "one after the other"),
        ([[1, 1]], [[(0, 3)]], "one after the other"),
        ([[1, 1]], [[(-1, 1)]], "one after the other"),
        ([[1, 1]], [[(1, 1, 2)]], "one after the other"),
        ([[1, 1]], [[(0, 2), (1, 2)]], "do not overlap"),
    ],
)
def test_bad_examples(accepted: list[list[int]], lists: list[list[tuple[int, ...]]] | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        induce(accepted, lists)


def fibonacci(length: int) -> list[int]:
    before, word = [1], [1, 2]
    while len(word) < length:
        before, word = word, word + before
    return word[:length]


def long_strings() -> dict[str, list[list[int]]]:
    choose = random.Random(2)
    shuffled = [*range(2500), *range(2500)]
    choose.shuffle(shuffled)
    return {
        "one symbol": [[1] * 10_000],
        "all different": [list(range(10_000))],
        "every symbol twice": [shuffled],
        "forth and back": [shuffled[:1500], shuffled[1500::-1]],
        "random": [choose.choices(range(5), k=10_000)],
        "fibonacci": [fibonacci(10_000)],
        "nested periods": [[1] * k + [2] for k in range(1, 140)],
        "one after the other": [[k] for k in range(3000)],
        "shrinking": [list(range(k, 150)) for k in range(150)],
        "sliding": [list(range(k, k + 20)) for k in range(300)],
        "many random": [choose.choices(range(30), k=choose.randint(0, 20)) for _ in range(1000)],
    }


@pytest.mark.parametrize("name", long_strings())
def test_long_strings(name: str) -> None:
    """Each ends, and holds, whatever it is made of."""
    accepted = long_strings()[name]
    expression = induce(accepted)
    assert expression.depth <= MAX_DEPTH
    check_induced(expression, accepted)


# The parts of induction


@given(examples)
def test_folding_keeps_the_symbols(accepted: list[list[int]]) -> None:
    def flat(string: String) -> list[int]:
        return [
            symbol
            for element in string
            for symbol in ([element] if isinstance(element, int) else flat(tuple(chain.from_iterable(element.items))))
        ]

    folded = Folder().fold([tuple(string) for string in accepted])
    assert [flat(string) for string in folded] == accepted


@given(examples)
def test_columns_hold_the_strings_in_order(accepted: list[list[int]]) -> None:
    columns = align([(tuple(string), 1) for string in accepted], most=10_000)
    assert columns is not None
    for number, string in enumerate(accepted):
        assert [column.key for column in columns if column.strings >> number & 1] == string
    assert sum(column.elements.total() for column in columns) == sum(map(len, accepted))
    assert all(key_of(element) == column.key for column in columns for element in column.elements)


@given(strings, strings)
def test_two_strings_share_what_they_can(a: list[int], b: list[int]) -> None:
    columns = align([(tuple(a), 1), (tuple(b), 1)], most=10_000)
    assert columns is not None
    assert sum(column.strings == 0b11 for column in columns) == longest_common(a, b)


@given(st.integers(1, 5).flatmap(lambda n: st.tuples(
    st.lists(st.integers(1, 9), min_size=n, max_size=n), st.lists(st.integers(1, 2**n - 1), max_size=10)
)))  # fmt: skip
def test_columns_assembled_hold_the_strings(case: tuple[list[int], list[int]]) -> None:
    weights, presence = case
    columns = [(Described(Symbol(number), 6, 0), strings) for number, strings in enumerate(presence)]
    matcher = Matcher(Assembly(weights).assemble(columns).expression)
    for number in range(len(weights)):
        assert matcher.match([column for column, inside in enumerate(presence) if inside >> number & 1]) is not None


# Limits


def test_usual_inductions_have_no_limits() -> None:
    for texts in ("12123129 123129", "124 134 14", "7", "1111 11"):
        given = [[int(digit) for digit in text] for text in texts.split()]
        made = Induction()
        assert made.run(given) == induce(given)
        assert made.limits == ()


@pytest.mark.parametrize("budget", [0, 20, 200])
def test_an_induction_says_that_it_met_its_budget(budget: int) -> None:
    source = random.Random(budget)
    examples = [[source.randrange(12) for _ in range(60)] for _ in range(6)]
    made = Induction(budget)
    matcher = Matcher(made.run(examples))
    assert made.limits == ("grammar.induction",)
    assert all(matcher.match(string) is not None for string in examples)


def test_strings_too_long_to_look_into() -> None:
    made = Induction()
    assert str(made.run([[1, 2] * 40_000])) == "(1|2)+"
    assert made.limits == ("grammar.induction",)


@pytest.mark.parametrize("count", [40, 200])
def test_alternatives_that_take_too_long_to_find(count: int) -> None:
    """Each string has a column of the first half, and one of the second, where the other half is between them."""
    columns = [(Described(Symbol(number), 6, 0), 1 << number % count) for number in range(2 * count)]
    assembly = Assembly([1] * count)
    matcher = Matcher(assembly.assemble(columns).expression)
    assert assembly.limits == (() if count == 40 else ("grammar.alternatives",))
    assert all(matcher.match([number, number + count]) is not None for number in range(count))


def test_known_lists_that_are_too_many_to_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    """All lists have one symbol in common, and no others: each is compared with all before."""
    examples = [[0, *range(9 * k + 1, 9 * k + 10)] for k in range(120)]
    lists = [[(0, 5, 10)] for _ in examples]
    whole = Induction()
    assert whole.run(examples, lists) == induce(examples, lists)
    assert whole.limits == ()
    monkeypatch.setattr(folding, "MOST_COMPARED_LISTS", 1_000)
    some = Induction()
    matcher = Matcher(some.run(examples, lists))
    assert some.limits == ("grammar.folding",)
    assert some.folder.compared_lists <= 1_000 + len(examples)
    assert all(matcher.match(string) is not None for string in examples)


def test_lone_units_that_take_too_long_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other element begins like a unit, and ends like it."""
    unit = [0, *range(2, 40), 1]
    string = [*unit, *unit, *chain.from_iterable((0, k) for k in range(100, 160)), *[0, 1] * 3, 99, *unit, 98]
    whole = Folder()
    (folded,) = whole.fold([tuple(string)])
    assert whole.limits == ()
    monkeypatch.setattr(folding, "MOST_COMPARED_ELEMENTS", 0)
    some = Folder()
    (less,) = some.fold([tuple(string)])
    assert some.limits == ("grammar.folding",)
    assert len(less) > len(folded)


def test_very_many_lone_units_of_one_list() -> None:
    """Items of a known list that are all different, in a string whose list is not known."""
    known = tuple(range(20_000))
    folder = Folder()
    given, (other, run) = folder.fold_known([known, (30_000, *known)], [[range(0, 20_001, 2)], []])
    assert given == (run,)
    assert other == 30_000
    assert folder.limits == ()
