"""HTML that cannot be broken by what it shows: every plain string is escaped where it is put in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from tfgpu.place import printable

_VOID = frozenset({"meta", "input"})
_SHAPES = frozenset({"line", "rect", "path"})
_LINE_BREAKS = "\n\t"


class Markup(str):
    """Text that is HTML already. Only this module and files of this package make it."""

    __slots__ = ()


def html(value: str) -> Markup:
    """Return a string as HTML: as it is if it is HTML already, else escaped."""
    return value if isinstance(value, Markup) else Markup(escape(printable(value, _LINE_BREAKS)))


def el(tag: str, /, *content: str, **attributes: str | int | None) -> Markup:
    """Return an element; `class_` becomes class, `aria_label` aria-label.

    An attribute that is None is left out.
    """
    made = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(printable(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Markup(f"<{tag}{made}>")
    if tag in _SHAPES:
        return Markup(f"<{tag}{made}/>")
    return Markup(f"<{tag}{made}>{''.join(html(part) for part in content)}</{tag}>")


def join(parts: Iterable[str], between: str = "") -> Markup:
    """Return parts one after another, as HTML."""
    return Markup(html(between).join(html(part) for part in parts))


def code(text: str) -> Markup:
    """Return a name or a value as code; "" stays empty."""
    return el("code", text) if text else Markup("")


def tr(head: str, cells: Mapping[str, str], **attributes: str | int | None) -> Markup:
    """Return a row of a table: its heading, and its cells by what a narrow page calls them."""
    made = (el("td", content, data_label=label) for label, content in cells.items())
    return el("tr", el("th", head, scope="row"), *made, **attributes)


def row(head: str, *cells: str, class_: str | None = None) -> Markup:
    """Return a row of a table whose cells have their names above them only."""
    made = (el("td", content) for content in cells)
    return el("tr", el("th", head, scope="row"), *made, class_=class_)


def absent(words: str = "nothing") -> Markup:
    """Return what stands for no value."""
    return el("span", words, class_="nothing")


def table(
    columns: Iterable[str], rows: Iterable[str], caption: str, class_: str | None = None
) -> Markup:
    """Return a table with a header row; its rows are made already.

    It scrolls in a frame of its own where it is too wide, so that the page never does.
    """
    head = el("tr", *(el("th", column, scope="col") for column in columns))
    made = el(
        "table",
        el("caption", caption, class_="unseen"),
        el("thead", head),
        el("tbody", *rows),
        class_=class_,
    )
    return el("div", made, class_="scroll", tabindex=0, role="region", aria_label=caption)


def details(title: str, *content: str, class_: str | None = None, open_: bool = False) -> Markup:
    """Return content that is shown on demand."""
    return el("details", el("summary", title), *content, class_=class_, open_="" if open_ else None)
