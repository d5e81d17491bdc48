"""The rules of the house: small files, short signatures, one name per room, imports in one direction, private names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.helpers.paths import ROOT

PACKAGE = ROOT / "src" / "fastwrap"
CORE = PACKAGE / "_core"

MAX_LINES = 900
MAX_PARAMETERS = 8
FRONT_DOOR = ("src/fastwrap/extraction.py", "extract", 10)
"""The one function with more: each of its keywords is something that a caller may want to say."""
LIMITS = {".h": 1_500}
"""The rules of the HTML standard for trees are one file, as they are one chapter there."""

ROOMS: dict[str, set[str]] = {
    "types": {"page"},
    "grammar": set(),
    "page": set(),
    "similarity": {"page"},
    "structured": {"page"},
    "paging": {"page"},
    "regions": {"page", "similarity", "structured", "paging"},
    "columns": {"page", "similarity", "types", "structured"},
    "noise": {"page", "regions", "structured", "detail"},
    "detail": {"page", "columns", "types", "structured"},
}  # fmt: skip
"""By room, the rooms that it may import; each may also import itself and SHARED."""

ENGINE = set(ROOMS)
LATER = {"wrapper", "template"}
RESULTS = {"extraction", "output"}
SHARED = {"common", "errors", "limits", "schema", "_version"}
NO_ROOM = {"_core", "_numba", "common", "schema"}
"""Folders of the package that are no rooms."""


def sources(*endings: str) -> list[Path]:
    found = [path for path in PACKAGE.rglob("*") if path.suffix in endings and path.is_file()]
    assert found
    return sorted(found)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_file_is_too_long() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in sources(".py", ".pyx", ".pxd", ".pyi", ".h")
        if (lines := path.read_text(encoding="utf-8").count("\n")) > LIMITS.get(path.suffix, MAX_LINES)
    }
    assert not long


# Parameters


def python_signatures(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            yield node.name, sum(argument.arg not in ("self", "cls") for argument in given)


SIGNATURE = re.compile(r"^[ \t]*(?:def|cdef|cpdef)\b[^()=\n]*?(\w+)\(", re.MULTILINE)


def cython_signatures(path: Path) -> Iterator[tuple[str, int]]:
    text = path.read_text(encoding="utf-8")
    for start in SIGNATURE.finditer(text):
        depth, parts = 1, [""]
        for letter in text[start.end() :]:
            depth += (letter in "([{") - (letter in ")]}")
            if not depth:
                break
            if letter == "," and depth == 1:
                parts.append("")
            else:
                parts[-1] += letter
        named = [" ".join(part.split()) for part in parts]
        yield start[1], sum(bool(part) and part not in ("self", "cls", "*", "/") for part in named)


def test_no_function_has_too_many_parameters() -> None:
    found = [
        (str(path.relative_to(ROOT)), name, count)
        for path in sources(".py", ".pyi", ".pyx", ".pxd")
        for name, count in (cython_signatures if path.suffix in (".pyx", ".pxd") else python_signatures)(path)
    ]
    assert len(found) > 1000
    assert ("src/fastwrap/fetching/__init__.py", "fetch", 4) in found
    many = [each for each in found if each[2] > MAX_PARAMETERS and each != FRONT_DOOR]
    assert "\n".join(f"{path}: {name} has {count}" for path, name, count in many) == ""


def test_parameters_are_counted(tmp_path: Path) -> None:
    source = tmp_path / "some.pyx"
    source.write_text(
        "cdef int32_t *one(const int32_t *a, dict b={1: 2, 3: 4}, (int, int) c=(5, 6)) noexcept nogil:\n    pass\n"
        "cdef class Some:\n    def two(self, *,\n            int a,\n            b):\n        return three(1, 2)\n"
    )
    assert list(cython_signatures(source)) == [("one", 3), ("two", 2)]


# Rooms


def folders(above: Path) -> set[str]:
    return {path.name for path in above.iterdir() if path.is_dir() and any(path.glob("*.py*"))} - {"__pycache__"}


def test_a_room_has_one_name_everywhere() -> None:
    rooms = folders(PACKAGE) - NO_ROOM
    assert rooms >= ENGINE
    assert folders(CORE) - {"common"} <= rooms
    assert folders(PACKAGE / "_numba") <= folders(CORE)
    assert rooms <= folders(ROOT / "tests")
    assert folders(ROOT / "tests" / "reference") - {"common"} <= rooms
    table, map_ = (path.read_text(encoding="utf-8") for path in (CORE / "README.md", ROOT / "docs" / "how-it-works.md"))
    assert not [room for room in folders(CORE) if f"`{room}" not in table]
    assert not [room for room in rooms if f"`{room}" not in map_]


def test_every_kernel_has_a_stub_if_python_can_call_it() -> None:
    for module in CORE.glob("*/*.pyx"):
        # A module of C functions alone is declared by its .pxd.
        assert module.with_suffix(".pyi").exists() or module.with_suffix(".pxd").exists(), module
    for stub in CORE.glob("*/*.pyi"):
        assert stub.with_suffix(".pyx").exists(), stub


def room_of(module: str) -> str:
    """The room of a module of the package, or of its kernels."""
    parts = module.split(".")[1:]
    return parts[1] if parts and parts[0] in ("_core", "_numba") and len(parts) > 1 else parts[0] if parts else ""


def may_import(room: str) -> set[str] | None:
    """The rooms that a room may import; None for those that may import all."""
    if room in ENGINE:
        return ROOMS[room] | SHARED | {room}
    if room in SHARED:
        return SHARED
    if room in LATER:
        return ENGINE | LATER | SHARED | {"extraction"}
    if room in RESULTS:
        return ENGINE | LATER | RESULTS | SHARED
    return None


def imported_by(path: Path) -> Iterator[str]:
    """The modules of fastwrap that a module imports, wherever in it."""
    if path.suffix in (".pyx", ".pxd"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if found := re.match(r"\s*(?:from|cimport|import)\s+(fastwrap[\w.]*)", line):
                yield found[1]
        return
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.split(".")[0] == "fastwrap")
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} imports relatively"
            if node.module == "fastwrap":
                yield from (f"fastwrap.{name.name}" for name in node.names)
            elif node.module and node.module.startswith("fastwrap."):
                yield node.module


def test_rooms_import_in_one_direction() -> None:
    wrong = set()
    for path in sources(".py", ".pyx", ".pxd"):
        if path == PACKAGE / "__init__.py":
            continue  # the public face has everything
        room = room_of(module_of(path))
        allowed = may_import(room)
        for module in imported_by(path):
            if allowed is not None and (target := room_of(module)) and target not in allowed:
                wrong.add(f"{path.relative_to(PACKAGE)} imports {module}: {room} may not know {target}")
    assert not sorted(wrong)


# Private names


def private(names: set[str]) -> set[str]:
    named_tuple = {"_replace", "_asdict", "_make", "_fields"}  # its documented methods
    return {name for name in names if name.startswith("_") and not name.startswith("__")} - named_tuple - {"_"}


def private_names(tree: ast.Module) -> tuple[set[str], set[str]]:
    """The private names that a module defines, and those that it uses as attributes or imports from fastwrap."""
    defined: set[str] = set()
    used: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            defined.add(node.id)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, ast.Attribute):
            (defined if isinstance(node.ctx, ast.Store) else used).add(node.attr)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fastwrap."):
            used.update(name.name for name in node.names)
    return private(defined), private(used)


def test_private_names_stay_in_their_modules() -> None:
    names = {path: private_names(tree_of(path)) for path in sources(".py")}
    ours = {name for defined, _ in names.values() for name in defined}
    wrong = {
        str(path.relative_to(PACKAGE)): sorted(foreign)
        for path, (defined, used) in names.items()
        if (foreign := (used - defined) & ours)
    }
    assert not wrong
    for path in sources(".pyx", ".pxd"):
        cimported = re.findall(r"^from fastwrap\S* c?import (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert not [name for names in cimported for name in re.findall(r"\b_[a-z]\w*", names)], path


def test_no_test_imports_another_test() -> None:
    wrong = {
        f"{path.relative_to(ROOT)} imports {node.module}"
        for path in (ROOT / "tests").rglob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1].startswith("test_")
    }
    assert not sorted(wrong)
