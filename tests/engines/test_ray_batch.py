"""Batch runs on a Ray cluster of several nodes, one of which is killed: all pages are there, and none twice.
`make test-ray` installs Ray and runs this; it is skipped where there is none."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fastwrap import batch
from fastwrap.batch import manifest
from fastwrap.batch.reading import Reading
from tests.helpers.batches import rows_of, shop_page, write_warc

ray = pytest.importorskip("ray")

pytestmark = pytest.mark.filterwarnings("default")  # Ray warns of what is its own


@pytest.fixture
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
    yield made
    ray.shutdown()
    made.shutdown()


def some_files(folder: Path, files: int, pages: int) -> Path:
    folder.mkdir()
    for number in range(files):
        numbers = range(number * pages, (number + 1) * pages)
        some = [(f"https://shop{k % 2}.example/?page={k}", shop_page(k, f"shop{k % 2}", 60)) for k in numbers]
        write_warc(folder / f"{number:03}.warc.gz", some)
    return folder


@pytest.mark.parametrize("auto_site", [False, True])
def test_a_node_that_is_lost_loses_no_page(auto_site: bool, cluster: Any, tmp_path: Path) -> None:
    nodes = [cluster.add_node(num_cpus=1) for _ in range(3)]
    cluster.wait_for_nodes()
    folder = some_files(tmp_path / "in", 60, 20)
    reading = Reading(auto_site=auto_site)
    batch.run([folder], tmp_path / "whole", reading, workers=2)
    log = tmp_path / "out" / manifest.NAME

    def kill() -> None:
        while not log.exists() or log.read_bytes().count(b"\n") < 8:
            time.sleep(0.01)
        cluster.remove_node(nodes[1], allow_graceful=False)

    killer = threading.Thread(target=kill)
    killer.start()
    done = batch.run([folder], tmp_path / "out", reading, engine="ray", workers=3)
    killer.join()
    assert done.restarts >= 1
    assert (done.pages, done.errors) == (1200, 0)
    assert rows_of(tmp_path / "out") == rows_of(tmp_path / "whole")
    parts = [line["part"] for line in manifest.read(tmp_path / "out") if "part" in line]
    assert sorted(parts) == list(range(60))


def test_one_node_does_what_the_local_engine_does(cluster: Any, tmp_path: Path) -> None:
    cluster.add_node(num_cpus=2)
    cluster.wait_for_nodes()
    folder = some_files(tmp_path / "in", 5, 10)
    local = batch.run([folder], tmp_path / "local", workers=2)
    done = batch.run([folder], tmp_path / "ray", engine="ray")
    assert (done.pages, done.records) == (local.pages, local.records)
    assert rows_of(tmp_path / "ray") == rows_of(tmp_path / "local")
