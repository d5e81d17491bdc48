"""Metrics of all workers, as Prometheus reads them.
Each process keeps its numbers in a file that the others read, so that any of them can tell those of all."""

from __future__ import annotations

import os

from fastwrap.errors import FastwrapError

try:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess
except ImportError as error:
    raise FastwrapError(f"{error.name} is not installed: pip install 'fastwrap[server]'") from error

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder of the files; set before this is imported, or the numbers are those of one process."""

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)

REQUESTS = Counter("fastwrap_requests", "Requests that were answered.", ["route", "status"])
SECONDS = Histogram("fastwrap_request_seconds", "Time from a request to its answer.", ["route"], buckets=_SECONDS)
BYTES_IN = Counter("fastwrap_received_bytes", "Bytes of bodies, as they came.")
BYTES_OUT = Counter("fastwrap_sent_bytes", "Bytes of answers, as they were sent.")
WAITING = Gauge("fastwrap_pages", "Pages that wait or are read.", multiprocess_mode="livesum")
HELD = Gauge("fastwrap_held_bytes", "Bytes of bodies that are held.", multiprocess_mode="livesum")
STUCK = Counter("fastwrap_replaced_workers", "Workers that were replaced because their threads were stuck.")
HAPPENED = Counter("fastwrap_auto", "What happened to pages of /v1/auto/extract.", ["happened"])


def exposition() -> bytes:
    """The metrics of all workers, in the text format."""
    if FOLDER_VARIABLE not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
