"""The bench for experiments: extractors run on corpora and are measured against answer keys (seed 002, 3.2).
Small parts that know each other only by what they hand over; a new corpus or evaluator is one class.

    corpora     pages to run on, each with its answer key where there is one
    answers     answer keys: what should be found on a page
    extractors  what is measured: anything that takes HTML and gives marks
    marks       labels on nodes, the same whether an extractor or a key made them
    pairing     which found record is which true one
    evaluators  marks compared with the key, page by page and in total
    benchmark   runs extractors on corpora, times them, collects the figures
    plots, report  the figures as one HTML file

The parser of seed 002 is `fastwrap.Page`.

>>> from fastwrap.tools.evaluate.corpora import Document
>>> from fastwrap.tools.evaluate.answers import AnswerKey
>>> from fastwrap.tools.evaluate.marks import Marks
>>> from fastwrap.tools.evaluate.extractors import Extractor
>>> from fastwrap.tools.evaluate.benchmark import run, summarise
>>> class Two:
...     name = "two"
...     def __iter__(self):
...         yield Document("a", lambda: b"<ul><li>one<li>two</ul>", AnswerKey(["one", "two"]))
...         yield Document("b", lambda: b"<ol><li>one</ol>", AnswerKey(["one"]))
...     def __len__(self):
...         return 2
>>> def items(html):
...     page = Page(html)
...     return Marks(page, [[(node, node + 2) for node in range(len(page)) if page.tag_name(node) == "li"]])
>>> from fastwrap import Page
>>> summary, _ = summarise(run([Two()], [Extractor("items", items)]))
>>> summary.pages, summary.figures["referee"]["main"]["f1"]
(2, 1.0)
"""
