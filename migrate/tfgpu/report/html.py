"""Results as one page that needs nothing else; its script only filters the table of findings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tfgpu.place import place
from tfgpu.report.excerpt import shortened
from tfgpu.report.folded import Group, Told, fold
from tfgpu.report.page.bars import bars, share_bar
from tfgpu.report.page.document import headline, page, section
from tfgpu.report.page.markup import Markup, code, details, el, join, table, tr
from tfgpu.report.summary import MINUTES, Statistics, Summary, count, duration, share, shares
from tfgpu.report.writer import BaseWriter, Write
from tfgpu.results import Finding, Result
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Example, Rule

_MOST = 3_000  # rows; a browser is slow with many more
_EXAMPLES = 2
_FIXES = {"safe": "safe fix", "unsafe": "unsafe fix", "none": "by hand", "stays": "no fix"}
# Places that a row names.
_PLACES = 4
_TONES = {"safe": "match", "unsafe": "inconclusive", "none": "mismatch", "stays": "ignored"}
_CODE = re.compile(r"`([^`]+)`")


class Writer(BaseWriter):
    """Writes one page, at the end."""

    def __init__(self, write: Write, book: Rulebook) -> None:
        super().__init__(write, book)
        self._statistics = Statistics(book)
        self._findings: list[Told] = []
        self._failed: list[Result] = []
        self._repositories: dict[str, Counter[str]] = {}
        self._files = 0

    def result(self, result: Result) -> None:
        """Keep the findings of one file."""
        self._statistics.add(result)
        self._findings += ((result.path, finding) for finding in result.findings)
        self._files += bool(result.findings)
        if result.findings:
            self._results.append(Result(result.path, findings=result.findings))
        if result.findings or result.configs:
            counts = self._repositories.setdefault(_repository(result.path), Counter())
            counts["findings"] += len(result.findings)
            counts["configs"] += len(result.configs)
            counts["convert"] += sum(config.kept_by is None for config in result.configs)
        if result.reason is not None:
            self._failed.append(result)

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the page, which has the statistics always."""
        title = f"tfgpu audit: {count(summary.findings, 'finding')}"
        made = page(
            title,
            self._header(summary),
            el("main", *self._sections(summary)),
            styles=("page.css", "audit.css"),
            script="audit.js",
            skip_to="findings",
        )
        self._write(made)

    def _header(self, summary: Summary) -> Markup:
        tone, sign, word = "match", "✓", "nothing found"
        if summary.files_failed:
            tone, sign, word = "mismatch", "✗", f"{count(summary.files_failed, 'file')} failed"
        elif summary.findings:
            tone, sign, word = "inconclusive", "!", "findings"
        where = f" in {count(self._files, 'file')}" if self._files else ""
        title = f"{count(summary.findings, 'finding')}{where}"
        return headline(tone, sign, word, title, *shares(summary))

    def _sections(self, summary: Summary) -> Iterator[Markup]:
        yield section("totals", "Totals", self._totals(summary))
        if summary.configs_found:
            yield section("configs", "Configs", *self._configs(summary))
        if len(self._repositories) > 1:
            yield section("repositories", "Repositories", self._by_repository())
        if summary.causes:
            yield section("causes", "What keeps configs", self._causes(summary))
        if summary.kept_programs:
            yield section("programs", "Programs that are not converted", self._programs(summary))
        if self._failed:
            yield section("failed", "Files that failed", self._failures())
        yield section("findings", "Findings", *self._table())
        if self._findings:
            yield section("rules", "Rules", *self._rules())
        yield section("work", "Work left, estimated", *self._work())

    def _totals(self, summary: Summary) -> Markup:
        fixes = self._statistics.fixes
        totals = (
            ("files read", summary.files_read),
            ("files parsed", summary.files_parsed),
            ("files failed", summary.files_failed),
            ("configs", summary.configs_found),
            *((f"findings, {_FIXES[name]}", fixes[name]) for name in ("safe", "unsafe")),
            ("findings, by hand", self._statistics.by_hand),
        )
        return el(
            "dl",
            *(el("div", el("dt", name), el("dd", f"{number:,}")) for name, number in totals),
            class_="totals",
        )

    def _configs(self, summary: Summary) -> Iterator[Markup]:
        part = share(summary.configs_convertible, summary.configs_found)
        whole = count(summary.configs_found, "config")
        yield el("p", el("strong", part), f" of {whole} convert.")
        yield share_bar(summary.configs_convertible, summary.configs_found)
        kept: dict[str, set[str]] = {}
        for cause, configs in summary.causes.items():
            kept.setdefault(cause.rpartition(" ")[2], set()).update(configs)
        if kept:
            yield el("h3", "Why the others are kept")
            numbers = [(self._name(found), len(configs)) for found, configs in kept.items()]
            yield bars("Configs kept, by cause", sorted(numbers, key=lambda item: -item[1]))

    def _by_repository(self) -> Markup:
        columns = ("configs", "convert", "findings")
        rows = (
            tr(code(name), {column: f"{counts[column]:,}" for column in columns})
            for name, counts in self._repositories.items()
        )
        return table(("repository", *columns), rows, "Repositories", "entries")

    def _causes(self, summary: Summary) -> Markup:
        """Return the causes with the configs that each keeps; those of the same are one row."""
        same: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for cause, configs in summary.ordered_causes():
            where, _, found = cause.rpartition(" ")
            same.setdefault((found, tuple(sorted(configs))), []).append(where)
        rows = (
            tr(
                _some(places),
                {
                    "rule": self._name(found),
                    "configs": f"{len(configs):,}",
                    "kept": _some(configs),
                },
            )
            for (found, configs), places in same.items()
        )
        columns = ("cause", "rule", "configs", "kept")
        return table(columns, rows, "What keeps configs", "entries wide")

    def _programs(self, summary: Summary) -> Markup:
        """Return the entry scripts of programs that one config keeps, with its place."""
        rows = (
            tr(
                _some(sorted(programs)),
                {"rule": self._name(rule), "because of": _path(where)},
            )
            for (where, rule), programs in summary.kept_programs.items()
        )
        columns = ("entry scripts", "rule", "because of")
        return table(columns, rows, "Programs that are not converted", "entries wide")

    def _name(self, code: str) -> str:
        rule = self._book.find(code)
        return f"{code} {rule.name}" if rule is not None else code

    def _failures(self) -> Markup:
        rows = (
            tr(
                code(place(result.path, result.line, cell=result.cell)),
                {"reason": result.reason or ""},
            )
            for result in self._failed
        )
        return table(("file", "reason"), rows, "Files that failed", "entries")

    def _table(self) -> Iterator[Markup]:
        if not self._findings:
            yield el("p", "Nothing was found.")
            return
        # What asks for nothing comes last.
        ordered = sorted(self._findings, key=lambda item: item[1].severity == "note")
        shown = ordered[:_MOST]
        yield _filters(shown)
        columns = ("place", "rule", "severity", "fix", "finding")
        yield table(columns, self._by_cause(shown), "Findings", "entries wide filtered")
        left = len(self._findings) - len(shown)
        if left:
            yield el("p", f"{left:,} more are left out here; the JSON report has all.",
                     class_="left-out")  # fmt: skip

    def _by_cause(self, shown: Sequence[Told]) -> Iterator[Markup]:
        """Yield the rows of findings: by repository, in it by config and cause, and notes last."""
        wanted = {id(finding) for _, finding in shown}
        results: dict[str, list[Result]] = {}
        for result in self._results:
            results.setdefault(_repository(result.path), []).append(result)
        for name, own in results.items():
            members = sorted(fold(own), key=lambda group: group.head.severity == "note")
            rows = [
                _row(path, finding, below)
                for group in members
                for below, (path, finding) in _members(group)
                if id(finding) in wanted
            ]
            if rows and len(results) > 1:
                head = el("th", f"{name}: {count(len(rows), 'finding')}", colspan=5)
                yield el("tr", head, class_="group")
            yield from rows

    def _rules(self) -> Iterator[Markup]:
        counts = self._statistics.rules.most_common()
        yield bars("Findings by rule", [(self._name(code), number) for code, number in counts])
        for found, number in counts:
            rule = self._book.find(found)
            if rule is not None:
                yield _rule(rule, number)

    def _work(self) -> Iterator[Markup]:
        yield el("p", el("strong", duration(self._statistics.minutes)), ".")
        work = self._statistics.work
        rows = (
            tr(kind, {"number": f"{work[kind]:,}", "minutes each": str(minutes)})
            for kind, minutes in MINUTES.items()
            if work[kind]
        )
        columns = ("what", "number", "minutes each")
        yield table(columns, rows, "Work left, estimated", "entries")
        yield el(
            "p",
            "Minutes are rules of thumb and were not measured: they serve to compare repositories.",
            class_="left-out",
        )


def _some(places: Sequence[str]) -> Markup:
    """Return the first places, as code."""
    return join([*map(_path, places[:_PLACES]), *(["..."] if len(places) > _PLACES else [])], ", ")


def _path(text: str) -> Markup:
    """Return a path, or a place in it, that may break after a slash."""
    return el("code", join(text.split("/"), Markup("/<wbr>")))


def _fix(finding: Finding) -> str:
    """Return the fix of a finding; where it stays and no hand is needed, "stays"."""
    return "stays" if finding.fix == "none" and not finding.by_hand else finding.fix


def _repository(path: str) -> str:
    """Return the name of the repository of a file, as a heading."""
    for folder in Path(path).absolute().parents:
        if (folder / ".git").exists():
            return folder.name
    return "In no repository"


def _filters(shown: Sequence[tuple[str, Finding]]) -> Markup:
    """Return the controls above the table; a page without script does not show them."""
    fixes = Counter(_fix(finding) for _, finding in shown)
    choices = [("", "all", len(shown))]
    choices += [(name, words, fixes[name]) for name, words in _FIXES.items() if fixes[name]]
    buttons = (
        el(
            "button",
            f"{words} ({number:,})",
            type="button",
            data_fix=name,
            aria_pressed="false" if name else "true",
        )
        for name, words, number in choices
    )
    return el(
        "div",
        el("div", *buttons, class_="choices", role="group", aria_label="Kind of fix"),
        el("label", "Filter findings ", el("input", id="filter", type="search",
           placeholder="file, rule or word")),
        " ",
        el("output", "", id="found", for_="filter"),
        class_="filter",
        hidden="",
    )  # fmt: skip


def _members(group: Group) -> Iterator[tuple[bool, Told]]:
    """Yield the findings of a group, and whether each belongs below the first one."""
    yield False, (group.path, group.head)
    yield from ((True, told) for told in group.parts)
    for other in (*group.again, *group.keeps):
        yield from ((True, told) for _, told in _members(other))


def _row(path: str, finding: Finding, below: bool) -> Markup:
    where = place(path, finding.line, finding.column, finding.cell)
    rule = el("a", f"{finding.code} {finding.name}", href=f"#{finding.code}")
    fix = _fix(finding)
    mark = el("span", _FIXES[fix], class_=f"mark {_TONES[fix]}")
    snippet = shortened(finding).strip()
    line = el("code", snippet, class_="line") if snippet else ""
    words = [el("p", finding.message), line, el("p", finding.todo, class_="why")]
    if finding.caused_by:
        words.append(el("p", f"because of {finding.caused_by}", class_="why"))
    return tr(
        code(where),
        {
            "rule": rule,
            "severity": finding.severity,
            "fix": mark,
            "finding": el("div", *words),
        },
        data_fix=fix,
        class_="below" if below else None,
    )


def _rule(rule: Rule, number: int) -> Markup:
    title = join([el("strong", f"{rule.code} {rule.name}"), f" {count(number, 'finding')}"])
    body = [el("p", f"{rule.summary}."), *prose(rule.why)]
    for example in [item for item in rule.examples if item.reported][:_EXAMPLES]:
        body.append(_example(example))
    return el("div", details(title, *body), id=rule.code, class_="rule")


def _example(example: Example) -> Markup:
    if example.after == example.before:
        parts = [("stays as it is", example.before)]
    else:
        parts = [("before", example.before), ("after", example.after)]
    sides = (el("figure", el("figcaption", name), el("pre", el("code", text)))
             for name, text in parts)  # fmt: skip
    return el("div", *sides, class_="example")


def prose(text: str) -> Iterator[Markup]:
    """Yield paragraphs; text in backticks is code."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        parts = _CODE.split(" ".join(paragraph.split()))
        # Every second part stood in backticks.
        yield el("p", *(el("code", part) if at % 2 else part for at, part in enumerate(parts)))
