"""A page that needs nothing else: no network, no other file."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

from tfgpu.report.page.markup import Markup, el


def page(title: str, *content: str, styles: tuple[str, ...], script: str, skip_to: str) -> str:
    """Return a page; `styles` and `script` are names of files beside this one.

    `skip_to` is the section that readers with a keyboard can go to at once.
    """
    style, code = (Markup("".join(map(_asset, names))) for names in (styles, (script,)))
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="generator", content="tfgpu"),
        el("meta", http_equiv="Content-Security-Policy", content=_policy(style, code)),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        el("style", style),
    )
    body = el(
        "body",
        el("a", "To the results", href=f"#{skip_to}", class_="unseen skip"),
        *content,
        el("script", code),
    )
    return f"<!DOCTYPE html>\n{el('html', head, body, lang='en')}\n"


def headline(tone: str, sign: str, word: str, title: str, *lines: str | Markup) -> Markup:
    """Return the header of a page: its verdict in a tone, as a sign and a word, and what it is."""
    return el(
        "header",
        el(
            "p",
            el("span", sign, class_="sign", aria_hidden="true"),
            el("span", word, class_="word"),
            class_="verdict",
        ),
        el(
            "div",
            el("h1", title),
            *(el("p", line, class_="summary") for line in lines),
            class_="what",
        ),
        class_=tone,
    )


def section(name: str, title: str, *content: str) -> Markup:
    """Return a section with its heading."""
    heading = el("h2", title, id=f"{name}-heading")
    return el("section", heading, *content, id=name, aria_labelledby=f"{name}-heading")


@cache
def _asset(name: str) -> Markup:
    return Markup((Path(__file__).parent / name).read_text("utf-8"))


def _policy(style: str, script: str) -> str:
    """Allow this page's own style and script and nothing else, so that no text can become code."""
    return (
        f"default-src 'none'; style-src 'sha256-{_hash(style)}'; "
        f"script-src 'sha256-{_hash(script)}'; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
