from fastwrap.page.arrays import Int32Array

def cut(
    children: Int32Array,
    ends: Int32Array,
    readings: list[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]],
    position_roles: bytes,
    repeat: tuple[int, int, int],
) -> tuple[Int32Array, Int32Array]:
    """The spans of records among the children of elements, of which `ends` are the nodes after them; and the children
    that are left out, or of an unknown role.

    `readings` say for each element in order what the children are read as: the positions of an expression (-1: left
    out), and the repeats that each begins an iteration of. `position_roles` are the roles of the positions, `repeat` is
    the number of the one whose iterations are records, its first position and the one after its last. Children at the
    end of an iteration that are outside of records, or unknown, are between two records. ValueError for readings that
    are not of the children.
    """
