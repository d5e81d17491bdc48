from collections.abc import Iterable

Reading = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
"""For each element of a string its position, -1 if it is left out; and the repeats that it begins an iteration of."""

STEP_LIMITS: tuple[int, int]
"""With more threads than the first, what follows each position is not kept; it is kept for as many visited states as
the second says."""

class Simulation:
    """An automaton, ready to be sent over strings. What follows its positions is found out once, and kept."""

    def __init__(
        self,
        operations: list[int],
        arguments: list[int],
        symbols: list[int],
        repeats: list[tuple[int, int]],
        limits: tuple[int, int] = ...,
    ) -> None:
        """ValueError for states that lead out of the automaton; the lists are those of `fastwrap.grammar.Automaton`."""

    def exact(self, string: Iterable[int], budget: float) -> tuple[Reading | None, float]:
        """The preferred reading of the whole string, None if it does not match; and what is left of the budget: if that
        is negative, it is not known whether the string matches."""

    def cheapest(
        self, string: Iterable[int], bound: int, budget: int, width: int = -1
    ) -> tuple[tuple[tuple[int, ...], tuple[tuple[int, ...], ...], tuple[tuple[int, int], ...]] | None, int, int]:
        """The cheapest reading within a bound, and the symbols that it leaves out (Dijkstra, element by element); its
        cost, and the steps taken. At most `width` states before each element are followed, the cheapest ones; all of
        them if it is below 0."""
