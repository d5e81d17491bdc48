"""The bench for experiments: extractors run on corpora of pages and are measured against answer keys.
Small parts that know each other only by what they hand over; a new corpus or evaluator is one class.

    corpora     pages to run on, each with its answer key where there is one
    marks       labels on nodes, the same whether an extractor or a key made them; answer keys
    extractors  what is measured: anything that takes HTML and gives marks
    pairing     which found record is which true one
    evaluators  marks compared with the key, page by page and in total
    benchmark   runs extractors on corpora, times them, collects the figures
    tables, report  the figures for a terminal, and as one HTML file
"""
