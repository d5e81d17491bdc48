"""What answers of the server that are problems look like."""

from __future__ import annotations

from typing import Any


def problem(answer: Any, name: str, status: int) -> str:
    """The detail of an answer that is a problem of this kind."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["type"] == f"/docs/problems#{name}"
    assert told["status"] == status
    assert told["request_id"] == answer.headers["x-request-id"]
    detail: str = told["detail"]
    return detail
