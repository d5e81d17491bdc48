"""What `fastwrap serve` answers, without a server: the library behind a transport of httpx2, for tests of clients."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx2

import fastwrap
from fastwrap.output.document import encode

TYPES: dict[str | None, Any] = {"number": float, "integer": int, "text": str, None: Any}


class TableServer:
    """Answers requests; `asked` are those that came, `busy` are answers that come before the right ones."""

    def __init__(self) -> None:
        self.asked: list[httpx2.Request] = []
        self.busy: list[httpx2.Response | Exception] = []
        self.files: dict[str, list[str]] = {}

    @property
    def transport(self) -> httpx2.MockTransport:
        return httpx2.MockTransport(self.answer)

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        if self.busy:
            outcome = self.busy.pop(0)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome
        path = request.url.path.removeprefix("/below")
        if path.startswith("/v1/wrappers"):
            return self.wrappers(request, path.removeprefix("/v1/wrappers").strip("/"))
        answers: dict[str, Callable[[httpx2.Request], httpx2.Response]] = {
            "/v1/extract": lambda request: self.table(fastwrap.extract(**page_in(request))),
            "/v1/auto/extract": lambda request: self.table(fastwrap.extract(**page_in(request)), happened="learned"),
            "/v1/content": lambda request: json_answer(fastwrap.content(**page_in(request)).to_dict()),
            "/v1/methods": lambda request: json_answer({"methods": fastwrap.methods(), "default": "auto"}),
            "/v1/learn": self.learn,
        }
        return answers[path](request)

    def table(self, extraction: fastwrap.Extraction, **wrapper: Any) -> httpx2.Response:
        body = extraction.to_json().encode()
        if wrapper:
            body = encode({**json.loads(body), "wrapper": wrapper})
        return httpx2.Response(200, content=body, headers={"Fastwrap-Limits": "regions.edits, columns.width"})

    def learn(self, request: httpx2.Request) -> httpx2.Response:
        said = json.loads(request.content)
        pages = [fastwrap.Page(page["html"], page.get("url")) for page in said["pages"]]
        wrapper = fastwrap.learn(pages, want=said.get("want"), examples=said.get("examples"), kind=said.get("kind"))
        return self.kept(said.get("id") or "w1", wrapper.dumps(), list(wrapper.limits))

    def kept(self, id: str, file: str, limits: list[str]) -> httpx2.Response:
        versions = self.files.setdefault(id, [])
        versions.append(file)
        said = {"id": id, "version": len(versions), "etag": f'"{len(versions)}"', "limits": limits}
        return json_answer({**said, "wrapper": json.loads(file)}, 201)

    def wrappers(self, request: httpx2.Request, id: str) -> httpx2.Response:
        if not id:
            ids = sorted(each for each in self.files if each > request.url.params.get("after", ""))
            found = [{"id": each, "version": len(self.files[each]), "etag": '"1"'} for each in ids[:2]]
            return json_answer({"wrappers": found, "next": ids[1] if len(ids) > 2 else None})
        name, _, verb = id.partition("/")
        if verb:
            found_by = fastwrap.Wrapper.loads(self.files[name][-1]).extract(**page_in(request))
            return self.table(found_by, id=name, version=1, fit=found_by.fit, drift=[])
        if request.method == "PUT":
            return self.kept(name, request.content.decode(), [])
        if name not in self.files:
            problem = {
                "type": "/docs/problems#not-found",
                "title": "Not found",
                "detail": f"there is no wrapper {name}",
            }
            return json_answer({**problem, "status": 404, "request_id": "r7"}, 404)
        if request.method == "DELETE":
            del self.files[name]
            return httpx2.Response(204)
        versions = self.files[name]
        headers = {"Fastwrap-Version": str(len(versions)), "ETag": f'"{len(versions)}"'}
        return httpx2.Response(200, content=versions[-1].encode(), headers=headers)


def json_answer(value: Any, status: int = 200) -> httpx2.Response:
    return httpx2.Response(status, content=encode(value), headers={"content-type": "application/json"})


def page_in(request: httpx2.Request) -> dict[str, Any]:
    """The page of a request and its options, as the library takes them."""
    if request.headers["content-type"] == "application/json":
        said = json.loads(request.content)
        if isinstance(said.get("want"), dict):
            said["want"] = {name: TYPES[kind] for name, kind in said["want"].items()}
        return dict(said)
    options: dict[str, Any] = dict(request.url.params)
    for name in ("clean", "structured"):
        if name in options:
            options[name] = {"true": True, "false": False}.get(options[name], options[name])
    if "min_confidence" in options:
        options["min_confidence"] = float(options["min_confidence"])
    return {"html": request.content, **options}
