"""Labels that tests can rely on, whatever the classifier learns: what is in the main element is content."""

from __future__ import annotations

import numpy as np

from fastwrap import Page
from fastwrap.noise import labelling
from fastwrap.noise.labelling import Labels
from fastwrap.noise.model import Model
from fastwrap.page.names import TAG_NUMBER


def all_content(page: Page, model: Model | None = None) -> Labels:
    """Everything is content."""
    labels = labelling.label(page, model)
    return labels._replace(content=np.ones(len(labels.starts), dtype=bool))


def main_content(page: Page, model: Model | None = None) -> Labels:
    """What is in the first main element is content, for sure."""
    labels = labelling.label(page, model)
    first, *_ = [*np.flatnonzero(page.tag == TAG_NUMBER["main"]).tolist(), len(page)]
    end = first + page.size.item(first) if first < len(page) else first
    content = (labels.starts >= first) & (labels.starts < end)
    return labels._replace(content=content, probability=content.astype(np.float32))
