"""fastwrap in engines too heavy for every run of the tests: `make test-engines` installs them, and runs this with them.
Each is skipped, with a message, where it is absent."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import fastwrap
from fastwrap.arrow import extract_batch
from tests.helpers.batches import shop_page

pytestmark = pytest.mark.filterwarnings("default")  # engines warn of what is theirs

WANT: dict[str, Any] = {"title": str, "price": float, "link": str}
PAGES: dict[str, list[Any]] = {
    "html": [shop_page(k).decode() if k % 5 else None for k in range(40)],
    "url": [f"https://a.example/{k}" for k in range(40)],
    "id": list(range(40)),
}


def wanted(want: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = extract_batch(pyarrow.record_batch(PAGES), want, keep=["id"]).to_pylist()
    return rows


def in_order(rows: list[dict[str, Any]], but: str = "page") -> list[str]:
    """Rows in an order that does not depend on the engine; `page` is the number within a batch."""
    return sorted(json.dumps({name: row[name] for name in sorted(row) if name != but}) for row in rows)


@pytest.mark.parametrize("want", [None, WANT])
def test_ray_data(want: Any) -> None:
    ray = pytest.importorskip("ray")
    data = pytest.importorskip("ray.data")
    from fastwrap.integrations.ray import extract

    ray.init(num_cpus=2, include_dashboard=False, configure_logging=False, ignore_reinit_error=True)
    dataset = data.from_arrow(pyarrow.table(PAGES)).repartition(4)
    rows = extract(dataset, want, keep=["id"], batch_size=7).take_all()
    assert in_order(rows) == in_order(wanted(want))


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # or it takes what python3 is on PATH
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "7").getOrCreate()
    yield session
    session.stop()


@pytest.mark.parametrize("want", [None, WANT])
def test_spark(spark: Any, want: Any) -> None:
    from fastwrap.integrations.spark import extract

    rows = list(zip(*PAGES.values(), strict=True))
    frame = spark.createDataFrame(rows, "html string, url string, id long").repartition(3)
    found = extract(frame, want, keep=["id"])
    collected = [row.asDict(recursive=True) for row in found.collect()]
    assert in_order(collected) == in_order(wanted(want))


@pytest.mark.parametrize("want", [None, WANT])
def test_daft(want: Any) -> None:
    daft = pytest.importorskip("daft")
    from fastwrap.integrations.daft import extract

    frame = daft.from_pydict(PAGES).into_partitions(3)
    found = frame.select("id", extract(daft.col("html"), daft.col("url"), want).alias("found")).to_pylist()
    if want is None:
        assert in_order([{"id": row["id"], **row["found"]} for row in found]) == in_order(wanted(None))
        return
    rows = [{"id": row["id"], **record} for row in found for record in row["found"]["records"] or ()]
    good = [{name: row[name] for name in ("id", *WANT)} for row in wanted(WANT) if row["error"] is None]
    assert in_order(rows) == in_order(good)
    assert sum(row["found"]["error"] is not None for row in found) == 8


@pytest.mark.parametrize("what", ["text", "markdown", "records"])
def test_datatrove(what: str, tmp_path: Path) -> None:
    pytest.importorskip("datatrove")
    from datatrove.data import Document
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.writers import JsonlWriter

    from fastwrap.integrations.datatrove import Fastwrap

    documents = [Document(text=shop_page(k).decode(), id=str(k)) for k in range(3)] + [Document(text="", id="3")]
    steps = [documents, Fastwrap(what), JsonlWriter(str(tmp_path / "out"), compression=None)]
    LocalPipelineExecutor(pipeline=steps, logging_dir=str(tmp_path / "logs")).run()
    written = [
        json.loads(line) for path in (tmp_path / "out").glob("*.jsonl") for line in path.read_text().splitlines()
    ]
    assert [document["id"] for document in written] == ["0", "1", "2"]
    for k, document in enumerate(written):
        if what == "records":
            rows = [json.loads(line) for line in document["text"].splitlines()]
            assert rows == fastwrap.extract(shop_page(k)).to_dicts(json=True)
        else:
            assert f"board {k}-3" in document["text"]


def curator_base() -> Any:
    """The base class of NeMo Curator's extractors, read from its own file.

    The package itself asks for its whole cluster software as soon as it is imported: it is installed without that
    (`pip install --no-deps`), and what its packages would import is passed over.
    """
    spec = importlib.util.find_spec("nemo_curator")
    if spec is None or spec.origin is None:
        pytest.skip("nemo_curator is not installed")
    folder = Path(spec.origin).parent
    name = "nemo_curator"
    for part in ("", "stages", "text", "download", "html_extractors"):
        if part:
            name, folder = f"{name}.{part}", folder / part
        package = types.ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules.setdefault(name, package)
    return importlib.import_module(f"{name}.base").HTMLExtractorAlgorithm


def test_nemo_curator() -> None:
    base = curator_base()
    from fastwrap.integrations.nemo_curator import FastwrapExtractor

    algorithm = FastwrapExtractor("records")
    assert isinstance(algorithm, base)
    rows = algorithm.extract_text(shop_page(1).decode(), frozenset(["the"]), "ENGLISH")
    assert rows is not None
    assert [json.loads(row) for row in rows] == fastwrap.extract(shop_page(1)).to_dicts(json=True)
    prose = "The harbour has two piers, and between them lies the sand that the river brings down every spring. " * 3
    page = (
        f"<html><body><nav><a href=/>Home</a></nav><article><h1>Piers</h1><p>{prose}</p><p>Nine {prose}</p></article>"
    )
    paragraphs = FastwrapExtractor().extract_text(page, frozenset(), "ENGLISH")
    assert paragraphs is not None
    assert sum("two piers" in paragraph for paragraph in paragraphs) == 2
    assert FastwrapExtractor().extract_text("", frozenset(), "ENGLISH") is None
