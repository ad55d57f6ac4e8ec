"""Notebooks for the tests, written as Jupyter writes them."""

from __future__ import annotations

import json
from typing import Any

import nbformat

from tfgpu.files.notebook import Notebook, read_notebook


def notebook(*cells: str, lists: bool = True, indent: int | None = 1, **metadata: Any) -> str:
    """Return the JSON of a notebook: a text cell, then code cells of these sources."""
    found: list[dict[str, Any]] = [
        {"cell_type": "markdown", "id": "text", "metadata": {}, "source": "# Title \u00e9"}
    ]
    for number, source in enumerate(cells):
        found.append(
            {
                "cell_type": "code",
                "execution_count": number + 1,
                "id": f"cell-{number}",
                "metadata": {"collapsed": True},
                "outputs": [
                    {"name": "stdout", "output_type": "stream", "text": ["out\n", "\u00e9"]}
                ],
                "source": source.splitlines(keepends=True) if lists else source,
            }
        )
    document = {"cells": found, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=indent, ensure_ascii=False) + "\n"


def read(text: str) -> Notebook:
    """Return the notebook that a JSON text is."""
    return read_notebook(text.encode())


def sources(text: str) -> list[str]:
    """Return the sources of the code cells of a notebook, which has to be a valid one."""
    parsed = nbformat.reads(text, as_version=nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]
    nbformat.validate(parsed)
    return [cell.source for cell in parsed.cells if cell.cell_type == "code"]
