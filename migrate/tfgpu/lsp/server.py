"""A language server: diagnostics with their causes, rules on hover, safe edits as quick fixes."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import ServerTextPosition, ServerTextRange, TextDocument

from tfgpu import __version__
from tfgpu.dataclass import dataclass
from tfgpu.lsp.analysis import About, Cell, Open, Report, analyse
from tfgpu.lsp.wire import Protocol
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
_PLACE = re.compile(r"(.*?)(?::cell (\d+))?:(\d+)(?: \w+)?$")
_FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.tfgpu"
_MANY = 20


# The documents of an open file by the cells of a notebook, from 1; a plain file is 0.
Documents = dict[int, TextDocument]


@dataclass(frozen=True, slots=True)
class Known:
    """What was last said about the file of a document, which is one of its cells.

    `versions` are those of all documents of the file, by cell, as they were then.
    """

    path: str
    cell: int
    versions: Mapping[int, tuple[str, int | None]]
    report: Report


class Server(LanguageServer):
    """The state of a session: what was last said about each open document."""

    protocol: Protocol

    def __init__(self) -> None:
        every = [lsp.NotebookDocumentFilterWithNotebook("*")]
        super().__init__(
            "tfgpu",
            __version__,
            notebook_document_sync=lsp.NotebookDocumentSyncOptions(every, save=True),
            protocol_cls=Protocol,
        )
        self.known: dict[str, Known] = {}
        self.changed = asyncio.Event()
        # Set while there is nothing to analyse.
        self.idle = asyncio.Event()
        self.idle.set()
        self.is_shut_down = False
        self.exit_code = 0
        self.working: asyncio.Task[None] | None = None

    def note_change(self) -> None:
        """Have the open files analysed soon, in the background."""
        self.changed.set()
        self.idle.clear()
        if self.working is None:
            self.working = asyncio.get_running_loop().create_task(self._work())

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Tell the editor of an error; what is no message is answered, too."""
        if source is JsonRpcException and not isinstance(error, JsonRpcException):
            self.protocol.answer_unread(error)
        super().report_server_error(error, source)

    def forget(self, uri: str) -> None:
        """Take back what was said about a document."""
        self.known.pop(uri, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def documents(self) -> dict[str, Documents]:
        """Return what is open, by the real paths of the files."""
        found: dict[str, Documents] = {}
        workspace = self.workspace
        for document in list(workspace.text_documents.values()):
            path = to_fs_path(document.uri)
            is_cell = workspace.get_notebook_document(cell_uri=document.uri) is not None
            # A notebook that is open as text is JSON there.
            if path and not is_cell and not path.endswith(".ipynb"):
                found[os.path.realpath(path)] = {0: document}
        for notebook in list(workspace.notebook_documents.values()):
            if path := to_fs_path(notebook.uri):
                known = workspace.text_documents
                cells = [
                    # Editors may keep text cells to themselves.
                    known.get(unquote(cell.document))
                    or TextDocument(cell.document, source="", language_id="markdown")
                    for cell in notebook.cells
                ]
                found[os.path.realpath(path)] = dict(enumerate(cells, 1))
        return found

    async def _work(self) -> None:
        while True:
            await self.changed.wait()
            await asyncio.sleep(_SECONDS)
            self.changed.clear()
            try:
                await self._analyse()
            finally:
                if not self.changed.is_set():
                    self.idle.set()

    async def _analyse(self) -> None:
        open_files = self.documents()
        texts = {path: _text(documents) for path, documents in open_files.items()}
        versions = {path: _versions(documents) for path, documents in open_files.items()}
        folders = [
            os.path.realpath(path)
            for folder in self.workspace.folders.values()
            if (path := to_fs_path(folder.uri))
        ]
        try:
            found = await asyncio.to_thread(analyse, texts, folders)
        except Exception as error:  # the next change may be one that can be read
            kind = "" if isinstance(error, RuleError) else f"{type(error).__name__}: "
            words = f"{kind}{error}"
            self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, words))
            return
        now = {path: _versions(documents) for path, documents in self.documents().items()}
        for path, documents in open_files.items():
            # What was typed meanwhile is analysed next.
            if now.get(path) != versions[path]:
                continue
            report = found.get(path, Report())
            for cell, document in documents.items():
                self.known[document.uri] = Known(path, cell, versions[path], report)
                shown = list(_diagnostics(document, cell, report, open_files))
                self.text_document_publish_diagnostics(
                    lsp.PublishDiagnosticsParams(document.uri, shown, document.version)
                )


def _text(documents: Documents) -> Open:
    if 0 in documents:
        return documents[0].source
    return tuple(
        Cell(document.source, "" if document.language_id == "markdown" else _language(document))
        for document in documents.values()
    )


def _language(document: TextDocument) -> str:
    """Return the language of a cell of code; IPython's magics are a language to some editors."""
    named = document.language_id or "python"
    return "python" if named in ("ipython", "python3") else named


def _versions(documents: Documents) -> dict[int, tuple[str, int | None]]:
    return {cell: (document.uri, document.version) for cell, document in documents.items()}


server = Server()


@server.feature(lsp.SHUTDOWN)
def _shut_down(ls: Server, _: object) -> None:
    ls.is_shut_down = True


@server.feature(lsp.EXIT)
def _exited(ls: Server, _: object) -> None:
    """Note the exit status that the protocol asks for: 1 without a shutdown before."""
    ls.exit_code = 0 if ls.is_shut_down else 1


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)
async def _changed(ls: Server, _: object) -> None:
    ls.note_change()


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
async def _cells_changed(ls: Server, params: lsp.DidChangeNotebookDocumentParams) -> None:
    cells = params.change.cells
    for closed in (cells and cells.structure and cells.structure.did_close) or ():
        ls.forget(closed.uri)
    ls.note_change()


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
async def _closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    ls.forget(params.text_document.uri)
    ls.note_change()


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
async def _notebook_closed(ls: Server, params: lsp.DidCloseNotebookDocumentParams) -> None:
    for cell in params.cell_text_documents:
        ls.forget(cell.uri)
    ls.note_change()


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def _hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """Return the rules of the findings at a place."""
    known = ls.known.get(params.text_document.uri)
    line = params.position.line + 1
    findings = [
        finding
        for about in (known.report.abouts if known else ())
        for finding in (about.finding, *(part for _, part in about.parts))
        if finding.line <= line <= max(finding.line, finding.end_line)
        and known is not None
        and finding.cell == known.cell
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
async def _actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the safe edits of a file, or of all cells: all of them, since they are one change.

    They are those of its text as it is now: an analysis that is under way is waited for.
    """
    await ls.idle.wait()
    known = ls.known.get(params.text_document.uri)
    documents = ls.documents().get(known.path, {}) if known else {}
    if known is None or not known.report.edits or _versions(documents) != known.versions:
        return []
    edit = _workspace_edit(ls, known.report, documents)
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


def _workspace_edit(ls: Server, report: Report, documents: Documents) -> lsp.WorkspaceEdit:
    """Return the edits of a file, for versions of its documents if the editor knows these."""
    edits = {
        cell: [
            lsp.TextEdit(
                _range(documents[cell], (one.line, 1), (one.end_line, one.end_column)), one.text
            )
            for one in found
        ]
        for cell, found in report.edits.items()
    }
    workspace = ls.client_capabilities.workspace
    can = workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes
    if not can:
        return lsp.WorkspaceEdit(changes={documents[cell].uri: edits[cell] for cell in edits})
    changes = [
        lsp.TextDocumentEdit(
            lsp.OptionalVersionedTextDocumentIdentifier(document.uri, document.version),
            edits[cell],
        )
        for cell, document in documents.items()
        if cell in edits
    ]
    return lsp.WorkspaceEdit(document_changes=changes)


def _wants(only: object, kind: str) -> bool:
    """Tell whether a kind of action is asked for; a kind includes those below it."""
    if not isinstance(only, (list, tuple)) or not only:
        return True
    asked = [str(getattr(item, "value", item)) for item in only]
    return any(kind == one or kind.startswith(f"{one}.") for one in asked)


def _is_safe(item: lsp.Diagnostic) -> bool:
    return isinstance(item.data, dict) and item.data.get("fix") == "safe"


def _diagnostics(
    document: TextDocument, cell: int, report: Report, around: Mapping[str, Documents]
) -> Iterator[lsp.Diagnostic]:
    """Yield the diagnostics of a cell; the first one has those of the whole notebook."""
    if report.reason is not None and cell in (0, report.cell or 1):
        place = (max(report.line, 1), 1)
        yield lsp.Diagnostic(
            _range(document, place, (place[0] + 1, 1)),
            f"not read: {report.reason}",
            severity=lsp.DiagnosticSeverity.Information,
            source=_SOURCE,
        )
    for about in report.abouts:
        finding = about.finding
        if finding.cell != cell:
            continue
        keeps = f"\nKeeps {', '.join(about.keeps[:_MANY])}" if about.keeps else ""
        yield lsp.Diagnostic(
            _place(document, finding),
            f"{finding.message}\n{finding.todo}{keeps}",
            severity=_SEVERITIES[finding.severity],
            code=f"{finding.code} {finding.name}",
            source=_SOURCE,
            related_information=list(_related(about, around)),
            data={"fix": finding.fix},
        )


def _related(
    about: About, around: Mapping[str, Documents]
) -> Iterator[lsp.DiagnosticRelatedInformation]:
    """Yield the cause of a finding, and what belongs to it."""

    def there(path: str, cell: int, line: int, message: str) -> lsp.DiagnosticRelatedInformation:
        document = around.get(os.path.realpath(path), {}).get(cell)
        uri = (document and document.uri) or from_fs_path(str(Path(path).absolute())) or ""
        start, end = lsp.Position(max(line, 1) - 1, 0), lsp.Position(max(line, 1), 0)
        return lsp.DiagnosticRelatedInformation(lsp.Location(uri, lsp.Range(start, end)), message)

    cause = _PLACE.match(about.finding.caused_by)
    if cause is not None:
        words = f"because of {about.finding.caused_by}"
        yield there(cause[1], int(cause[2] or 0), int(cause[3]), words)
    for path, part in about.parts[:_MANY]:
        yield there(path, part.cell, part.line, f"{part.code} {part.name}: {part.message}")


def _place(document: TextDocument, finding: Finding) -> lsp.Range:
    end = (finding.end_line, finding.end_column)
    if not finding.end_line:
        end = (finding.line + 1, 1)
    return _range(document, (finding.line, max(finding.column, 1)), end)


def _range(document: TextDocument, start: tuple[int, int], end: tuple[int, int]) -> lsp.Range:
    """Return a range of lines and columns from 1, in the units of the editor."""
    places = [ServerTextPosition(line - 1, column - 1) for line, column in (start, end)]
    return document.range_to_client_units(ServerTextRange(*places))
