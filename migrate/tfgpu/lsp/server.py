"""A language server: diagnostics with their causes, rules on hover, safe edits as quick fixes."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import ServerTextPosition, ServerTextRange, TextDocument

from tfgpu import __version__
from tfgpu.lsp.analysis import About, Report, analyse
from tfgpu.report.rules import rule_page
from tfgpu.results import Finding
from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.table import RuleError

_SOURCE = "tfgpu"
# Who types has not finished yet.
_SECONDS = 0.3
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
_PLACE = re.compile(r"(.*?):(\d+)(?: \w+)?$")
_FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.tfgpu"
_MANY = 20


class Server(LanguageServer):
    """The state of a session: what was last said about each open file, and of which version."""

    def __init__(self) -> None:
        super().__init__("tfgpu", __version__)
        self.known: dict[str, tuple[int | None, Report]] = {}
        self.changed = asyncio.Event()
        self.working: asyncio.Task[None] | None = None

    def note_change(self) -> None:
        """Have the open files analysed soon, in the background."""
        self.changed.set()
        if self.working is None:
            self.working = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        while True:
            await self.changed.wait()
            await asyncio.sleep(_SECONDS)
            self.changed.clear()
            await self._analyse()

    async def _analyse(self) -> None:
        open_files = {
            os.path.realpath(path): document
            for document in self.workspace.text_documents.values()
            if (path := to_fs_path(document.uri)) and not path.endswith(".ipynb")
        }
        texts = {path: document.source for path, document in open_files.items()}
        versions = {path: document.version for path, document in open_files.items()}
        folders = [
            os.path.realpath(path)
            for folder in self.workspace.folders.values()
            if (path := to_fs_path(folder.uri))
        ]
        try:
            found = await asyncio.to_thread(analyse, texts, folders)
        except RuleError as error:
            self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, str(error)))
            return
        except Exception as error:  # the next change may be one that can be read
            words = f"{type(error).__name__}: {error}"
            self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, words))
            return
        for path, document in open_files.items():
            report = found.get(path, Report())
            # What was typed meanwhile is analysed next.
            if document.version == versions[path]:
                self.known[document.uri] = (document.version, report)
                self.text_document_publish_diagnostics(
                    lsp.PublishDiagnosticsParams(
                        document.uri, list(_diagnostics(document, report)), document.version
                    )
                )


server = Server()


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
async def _opened(ls: Server, _: lsp.DidOpenTextDocumentParams) -> None:
    ls.note_change()


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def _changed(ls: Server, _: lsp.DidChangeTextDocumentParams) -> None:
    ls.note_change()


@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
async def _saved(ls: Server, _: lsp.DidSaveTextDocumentParams) -> None:
    ls.note_change()


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
async def _closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    ls.known.pop(uri, None)
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
    ls.note_change()


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def _hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """Return the rules of the findings at a place."""
    _, report = ls.known.get(params.text_document.uri, (None, Report()))
    line = params.position.line + 1
    findings = [
        finding
        for about in report.abouts
        for finding in (about.finding, *(part for _, part in about.parts))
        if finding.line <= line <= max(finding.line, finding.end_line)
    ]
    book = load_rulebook()
    rules = {finding.code: book.find(finding.code) for finding in findings}
    pages = [rule_page(rule) for rule in rules.values() if rule is not None]
    if not pages:
        return None
    value = "\n---\n\n".join(pages)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, value))


@server.feature(
    lsp.TEXT_DOCUMENT_CODE_ACTION,
    lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, _FIX_ALL]),
)
def _actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the safe edits of a file: all of them, since they are one change."""
    uri = params.text_document.uri
    document = ls.workspace.get_text_document(uri)
    version, report = ls.known.get(uri, (None, Report()))
    if not report.edits or version != document.version:
        return []
    edits = [
        lsp.TextEdit(_range(document, (one.line, 1), (one.end_line, one.end_column)), one.text)
        for one in report.edits
    ]
    identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, version)
    edit = lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(identifier, edits)])
    fixed = [
        item for item in params.context.diagnostics if item.source == _SOURCE and _is_safe(item)
    ]
    made = []
    wanted = params.context.only
    if fixed and _wants(wanted, lsp.CodeActionKind.QuickFix.value):
        made.append(
            lsp.CodeAction(
                "tfgpu: migrate the GPU settings of this file",
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=fixed,
                is_preferred=True,
                edit=edit,
            )
        )
    if wanted and _wants(wanted, _FIX_ALL):
        made.append(lsp.CodeAction("tfgpu: migrate this file", kind=_FIX_ALL, edit=edit))
    return made


def _wants(only: object, kind: str) -> bool:
    """Tell whether a kind of action is asked for; a kind stands for those below it."""
    if not isinstance(only, (list, tuple)) or not only:
        return True
    asked = [str(getattr(item, "value", item)) for item in only]
    return any(kind == one or kind.startswith(f"{one}.") for one in asked)


def _is_safe(item: lsp.Diagnostic) -> bool:
    return isinstance(item.data, dict) and item.data.get("fix") == "safe"


def _diagnostics(document: TextDocument, report: Report) -> Iterator[lsp.Diagnostic]:
    if report.reason is not None:
        place = (max(report.line, 1), 1)
        yield lsp.Diagnostic(
            _range(document, place, (place[0] + 1, 1)),
            f"not read: {report.reason}",
            severity=lsp.DiagnosticSeverity.Information,
            source=_SOURCE,
        )
    for about in report.abouts:
        finding = about.finding
        keeps = f"\nKeeps {', '.join(about.keeps[:_MANY])}" if about.keeps else ""
        yield lsp.Diagnostic(
            _place(document, finding),
            f"{finding.message}\n{finding.todo}{keeps}",
            severity=_SEVERITIES[finding.severity],
            code=f"{finding.code} {finding.name}",
            source=_SOURCE,
            related_information=list(_related(about)),
            data={"fix": finding.fix},
        )


def _related(about: About) -> Iterator[lsp.DiagnosticRelatedInformation]:
    """Yield the cause of a finding, and what belongs to it."""
    cause = _PLACE.match(about.finding.caused_by)
    if cause is not None:
        yield _there(cause[1], int(cause[2]), f"because of {about.finding.caused_by}")
    for path, part in about.parts[:_MANY]:
        yield _there(path, part.line, f"{part.code} {part.name}: {part.message}")


def _there(path: str, line: int, message: str) -> lsp.DiagnosticRelatedInformation:
    uri = from_fs_path(str(Path(path).absolute())) or ""
    start, end = lsp.Position(max(line, 1) - 1, 0), lsp.Position(max(line, 1), 0)
    return lsp.DiagnosticRelatedInformation(lsp.Location(uri, lsp.Range(start, end)), message)


def _place(document: TextDocument, finding: Finding) -> lsp.Range:
    end = (finding.end_line, finding.end_column)
    if not finding.end_line:
        end = (finding.line + 1, 1)
    return _range(document, (finding.line, max(finding.column, 1)), end)


def _range(document: TextDocument, start: tuple[int, int], end: tuple[int, int]) -> lsp.Range:
    """Return a range of lines and columns from 1, in the units of the editor."""
    places = [ServerTextPosition(line - 1, column - 1) for line, column in (start, end)]
    return document.range_to_client_units(ServerTextRange(*places))
