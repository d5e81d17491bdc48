"""Pages that the guard before the parse refuses, with what it says, and pages that it must accept."""

from __future__ import annotations


def numbered(tag: bytes, times: int) -> bytes:
    return b"".join(tag % k for k in range(times))


REFUSED = {
    "div": (b"<div>" * 200_000, "nests more than 12,000 elements"),
    "span": (b"<span>" * 200_000, "nests more than"),
    "b": (b"<b>" * 200_000, "nests more than"),
    "font": (numbered(b"<font size=%d>", 200_000), "nests more than"),
    "table": (b"<table><tr><td>" * 70_000, "nests more than"),
    "table without rows": (b"<table><td>" * 70_000, "nests more than"),
    "ul li": (b"<ul><li>" * 100_000, "nests more than"),
    "svg g": (b"<svg>" + b"<g>" * 200_000, "nests more than"),
    "mathml": (b"<math>" + b"<mrow>" * 200_000, "nests more than"),
    "custom elements": (numbered(b"<x-%d>", 20_000), "nests more than"),
    "mixed": (b"<div><span><b><ul><li><x-a>" * 20_000, "nests more than"),
    "stray end tags": (b"<div></x>" * 200_000, "nests more than"),
    "end tags in comments": (b"<div><!--</div>-->" * 100_000, "nests more than"),
    "end tags in attributes": (b"<div a='</div>'>" * 100_000, "nests more than"),
    "end tags in scripts": (b"<div><script></div></script>" * 100_000, "nests more than"),
    "misnested": (b"<b><div>x</b>" * 100_000, "nests more than"),
    "links around tables": (b"<a><table><a><tr><td>" * 20_000, "nests more than"),
    "templates": (b"<template>" * 100_000, "nests more than"),
    "framesets": (b"<frameset>" * 100_000, "nests more than"),
    "siblings inside": (b"<div>" * 10_000 + b"<div></div>" * 1_000_000, "steps to parse"),
    "stray end tags inside": (b"<span>" * 10_000 + b"</x>" * 1_000_000, "steps to parse"),
    "attributes": (b"<p " + numbered(b"a%d ", 100_000) + b">", "steps to parse"),
    "attributes of the root": (numbered(b"<html a%d>", 100_000), "steps to parse"),
    "names": (numbered(b"<p a%d>", 300_000), "steps to parse"),
    "re-opened": (b"<p>" + numbered(b"<b id=%d>", 5_000) + b"</p>" + b"<p>x" * 10_000, "elements, counting those"),
    "re-opened in blocks": (numbered(b"<div><i id=%d></div>", 10_000), "elements, counting those"),
    "re-opened attributes": (b"<p><b " + numbered(b"a%d ", 3_000) + b">" + b"<p>x" * 3_000, "elements, counting those"),
    "re-opened, ends hidden": (b"<p>" + numbered(b"<b id=%d><!--</b>-->", 3_000) + b"<p>x" * 3_000, "those"),
}

ACCEPTED = {
    "div": b"<div>" * 10_000,
    "div, closed": b"<div>" * 10_000 + b"x" + b"</div>" * 10_000,
    "table": b"<table><tr><td>" * 2_500,
    "formatting": b"<b>" * 10_000,
    "siblings": b"<i></i>" * 1_000_000,
    "cells with an unclosed font": b"<table>" + numbered(b"<tr><td><font size=%d>x", 50_000),
    "anchors": numbered(b"<a name=%d>x", 50_000),
    "p": b"<p>x" * 50_000,
    "p with the same font": b"<p><font size=2>text" * 20_000,
    "li": b"<ul>" + b"<li>x" * 50_000,
    "dd": b"<dl>" + b"<dt>x<dd>y" * 50_000,
    "option": b"<select>" + b"<option>x" * 50_000,
    "rows": b"<table>" + b"<tr><td>x<td>y" * 50_000,
    "headings": b"<h1>x<h2>y" * 50_000,
    "nobr": b"<nobr>x" * 20_000,
    "buttons": b"<button>x" * 20_000,
    "ruby": b"<ruby>" + b"<rb>x<rt>y" * 20_000,
    "misnested, closed": b"<div><b>x</div></b>" * 20_000,
    "forms in rows": b"<table>" + b"<tr><form><td><input></form>" * 20_000,
    "stray end tags": b"</div></b></td></x></p>" * 50_000,
    "tags in a script": b"<script>" + b"'<div>'" * 100_000 + b"</script>",
    "tags in an attribute": b"<p title='" + b"<div>" * 100_000 + b"'>x",
    "an unclosed comment": b"<!--" + b"<div>" * 100_000,
    "an unclosed quotation": b"<p a='" + b"<div>" * 100_000,
    "an unclosed script": b"<script>" + b"<div>" * 100_000,
    "text": b"x" * 5_000_000,
    "nothing": b"",
    "zeros": bytes(100_000),
}
