"""The API reference and the code say the same: what is public is documented, what is documented is there, with these
signatures, and can be called in a fresh process; the documents link to files that are there."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import fastwrap
from fastwrap import fetching
from fastwrap.cli import VERBS
from fastwrap.types import TYPES

ROOT = Path(__file__).parent.parent
REFERENCE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
CODE = " ".join(re.findall(r"`([^`\n]+)`", REFERENCE))
SECTIONS: dict[str, str] = {
    name.strip("`"): text
    for name, text in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", REFERENCE, re.MULTILINE | re.DOTALL)
}

OBJECTS = {
    "Extraction": "x", "Region": "x.regions[0]", "Record": "x[1]", "Column": "x.columns[0]", "Content": "content",
    "Model": "model",
    "Joined": "joined", "Matched": "matched", "Wrapper": "wrapper",
    "WrapperSet": "wrappers", "Page": "page", "ReversedPaths": "paths",
    "fastwrap.output": "fastwrap.output", "fastwrap.show": "fastwrap.show",
    "fastwrap.types": "fastwrap.types", "fastwrap.similarity": "fastwrap.similarity",
    "fastwrap.grammar": "fastwrap.grammar", "fastwrap.limits": "fastwrap.limits",
    "fastwrap.structured": "fastwrap.structured",
}  # fmt: skip
"""By section of the reference, what its names are attributes of."""

CLASSES = [name for name in OBJECTS if not name.startswith("fastwrap")]
MODULES = [
    "fastwrap.client", "fastwrap.output", "fastwrap.show", "fastwrap.similarity", "fastwrap.grammar", "fastwrap.limits",
    "fastwrap.structured",
]  # fmt: skip
"""Those that are documented as a whole."""

SETUP = """
import fastwrap
items = "".join(f"<li><a href=/{k}>Pan {k}</a> <i>{k}.90 EUR</i></li>" for k in range(1, 6))
html = f"<html lang=en><ul class=pans>{items}</ul><a rel=next href='?page=2'>next</a>"
"""

GIVEN = {
    "x": "x = fastwrap.extract(html, url='https://shop.example/')",
    "region": "region = fastwrap.extract(html).regions[0]",
    "record": "record = fastwrap.extract(html)[1]",
    "content": "content = fastwrap.content(html)",
    "model": "model = fastwrap.Model.shipped(); model.save('own.model')",
    "joined": "joined = fastwrap.join(html, ['<h1>Pan 2</h1>'])",
    "matched": "matched = fastwrap.match([html, html])",
    "page": "page = fastwrap.Page(html)",
    "paths": "paths = fastwrap.Page(html).retps()",
    "wrapper": "wrapper = fastwrap.learn(html); wrapper.save('wrapper.json')",
    "wrappers": "wrappers = fastwrap.WrapperSet([fastwrap.learn(html)])",
    "saved": "import pathlib; saved = pathlib.Path('saved.html'); saved.write_text(html)",
    "pages_batch": "import pyarrow; pages_batch = pyarrow.record_batch({'html': [html]})",
    "LIMITS": "from fastwrap.fetching import LIMITS",
    "Decimal": "from decimal import Decimal",
}
"""What the calls below need, made only for those that need it: so each call shows that it needs nothing else."""

ARGUMENTS = {
    "first": "fastwrap.Page(html)", "listing": "html", "detail_pages": "[html]", "tables": "[html, html]",
    "html": "html", "pages": "[html, html]", "url": "'http://127.0.0.1:9/'", "node": "4", "number": "3", "start": "3",
    "end": "9", "name": "'price'", "wrapper": "wrapper", "wrappers": "[wrapper]", "path": "'wrapper.json'",
    "data": "model.dumps()",
    "inputs": "[saved]", "out": "'rows'", "names": "[saved]", "batch": "pages_batch",
    "text": "wrapper.dumps()", "where": "'records.csv'", "extraction": "x", "source": "x", "page": "page", "left": "3",
    "right": "4", "strings": "[[1, 2], [1]]", "expression": "fastwrap.grammar.induce([[1, 2]])",
    "key": "6", "amount": "Decimal('1.90')", "currency": "'EUR'",
}  # fmt: skip
"""By name, what is given for parameters that have no default."""


class Documented(NamedTuple):
    """Something that can be called or looked up, as the reference has it."""

    section: str
    code: str

    @property
    def path(self) -> str:
        """What comes before the parameters, from something that there is after `import fastwrap` or in GIVEN."""
        name = self.code.partition("(")[0]
        if name.startswith("fastwrap.") or not self.section or "[" in name or name in ("len", "iter"):
            return name
        if name.split(".")[0] in CLASSES:
            return f"fastwrap.{name}"
        return f"{OBJECTS[self.section]}.{name}"

    @property
    def parameters(self) -> ast.arguments | None:
        """The parameters; None for what is looked up."""
        name, bracket, rest = self.code.partition("(")
        if not bracket or name in ("len", "iter"):
            return None
        function = ast.parse(f"def function({rest}: pass").body[0]
        assert isinstance(function, ast.FunctionDef)
        return function.args

    @property
    def call(self) -> str:
        """Code that uses it: a call with every parameter by its name."""
        parameters = self.parameters
        if parameters is None:
            return self.path + ("" if "(" not in self.code else "(" + self.code.partition("(")[2])
        defaults = [None] * (len(parameters.args) - len(parameters.defaults)) + list(
            map(ast.unparse, parameters.defaults)
        )
        given = [*zip(parameters.args, defaults, strict=True)]
        given += [
            (name, None if value is None else ast.unparse(value))
            for name, value in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
        ]
        values = {name.arg: default or ARGUMENTS[name.arg] for name, default in given}
        if self.code.startswith("Page.of"):
            values["source"] = "html"
        if self.code.startswith("Model.load"):
            values = {name: "'own.model'" if name == "path" else value for name, value in values.items()}
        if self.code.startswith("parse_expression"):
            values["text"] = "'(1 2?)+'"
        return f"{self.path}({', '.join(f'{name}={value}' for name, value in values.items())})"


def first_cells(text: str) -> list[str]:
    """The code in the first cells of tables."""
    rows = re.findall(r"^\| (`[^|]*?) \|", text, re.MULTILINE)
    return [code for row in rows for code in re.findall(r"`([^`]+)`", row)]


DOCUMENTED = [
    *(Documented("", code) for code in re.findall(r"`(fastwrap\.[\w.]+\([^`]*\))`", REFERENCE)),
    *(Documented(section, code) for section in OBJECTS for code in first_cells(SECTIONS[section])),
]
CALLED = list(dict.fromkeys(each for each in DOCUMENTED if re.search(r"[(\[]", each.code)))


def namespace() -> dict[str, Any]:
    made: dict[str, Any] = {}
    exec(SETUP, made)  # noqa: S102
    for line in GIVEN.values():
        exec(line, made)  # noqa: S102
    return made


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("made"))
        return namespace()


# From the code to the reference


def test_every_public_name_is_there() -> None:
    for name in fastwrap.__all__:
        assert re.search(rf"\b{name}\b", CODE), name
    for name in dir(fastwrap):
        assert f"fastwrap.{name}" in CODE or name in CODE, name


@pytest.mark.parametrize("section", CLASSES)
def test_every_public_attribute_is_in_the_section_of_its_class(section: str, made: dict[str, Any]) -> None:
    told = {re.split(r"[(.\[]", code.removeprefix(f"{section}."))[0] for code in first_cells(SECTIONS[section])}
    there = {name for name in dir(eval(OBJECTS[section], made)) if not name.startswith("_")}  # noqa: S307
    assert there - told == set()


@pytest.mark.parametrize("section", MODULES)
def test_every_public_name_of_a_module_is_in_its_section(section: str) -> None:
    module = importlib.import_module(section)
    public = getattr(module, "__all__", [name for name in vars(module) if name.isupper()])
    told = re.findall(r"`(\w+)", SECTIONS[section])
    assert set(public) - set(told) == set()


def test_kernels_are_those_of_similarity() -> None:
    assert fastwrap.kernels.__all__ == fastwrap.similarity.__all__
    for name in fastwrap.kernels.__all__:
        assert getattr(fastwrap.kernels, name) is getattr(fastwrap.similarity, name)


def test_types_and_commands_are_there() -> None:
    assert ", ".join(TYPES) in REFERENCE
    assert set(re.findall(r"`fastwrap (\w+)[^`]*` \|", SECTIONS["The command line"])) == set(VERBS)


# From the reference to the code


def test_the_reference_is_read() -> None:
    assert len(CALLED) > 60
    codes = [each.code for each in CALLED]
    assert "fastwrap.methods()" in codes
    assert 'record["price"]' in codes
    for name in ("extract", "learn", "clean", "fetch", "Page", "methods"):
        assert any(code.startswith(f"fastwrap.{name}(") for code in codes), name


@pytest.mark.parametrize("each", DOCUMENTED, ids=lambda each: f"{each.section} {each.code}")
def test_what_is_documented_is_there(each: Documented, made: dict[str, Any]) -> None:
    found = eval(each.path, made)  # noqa: S307
    parameters = each.parameters
    if parameters is None:
        return
    assert callable(found)
    wanted = list(inspect.signature(found).parameters.values())
    names = [*parameters.args, *parameters.kwonlyargs, *([parameters.kwarg] if parameters.kwarg else [])]
    assert [name.arg for name in names] == [parameter.name for parameter in wanted]
    kinds = [parameter.name for parameter in wanted if parameter.kind is parameter.KEYWORD_ONLY]
    assert [name.arg for name in parameters.kwonlyargs] == kinds
    told = [*parameters.defaults, *parameters.kw_defaults]
    values = [eval(ast.unparse(value), {**vars(fetching)}) for value in told if value is not None]  # noqa: S307
    assert values == [parameter.default for parameter in wanted if parameter.default is not parameter.empty]


@pytest.mark.parametrize("each", CALLED, ids=lambda each: f"{each.section} {each.code}")
def test_every_signature_is_called_in_a_fresh_process(each: Documented, tmp_path: Path) -> None:
    used = {name: line for name, line in GIVEN.items() if re.search(rf"\b{name}\b", each.call)}
    code = "\n".join([SETUP, *used.values(), each.call])
    if each.code.startswith("fastwrap.fetch("):  # no test leaves the machine: this one is refused
        code = code.replace(
            each.call, f"try: {each.call}\nexcept fastwrap.FastwrapError as error: assert '9' in str(error)"
        )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), code


# Links, and what has moved


@pytest.mark.parametrize(
    "path", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("wheels/*.md")]), ids=str
)
def test_links_lead_to_files(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / link).exists(), link


def test_links_within_the_reference_lead_to_headings() -> None:
    headings = re.findall(r"^#+ (.+)$", REFERENCE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", REFERENCE)) <= anchors


def test_a_module_that_moved_says_where_to() -> None:
    with pytest.raises(ImportError, match=r"fastwrap\.arrays is fastwrap\.page\.arrays now"):
        importlib.import_module("fastwrap.arrays")
