"""The language server as an editor sees it: pygls' client talks to it over a pipe."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.tools import GROWTH, GROWTH_AFTER, KEPT, environment, tfgpu, write

pytest.importorskip("pygls", reason="the extra lsp is not installed")
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

# A config that stays, and one that stays for its sake.
CAUSED = """\
import tensorflow as tf

def first():
    config = tf.ConfigProto()
    config.graph_options.timeline_step = 3
    return tf.Session(config=config)

def second():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf.Session(config=config)

first()
second()
"""


def into(queue: asyncio.Queue[Any]) -> Callable[[Any], None]:
    """Return what puts messages of the server into a queue."""

    def put(params: Any) -> None:
        queue.put_nowait(params)

    return put


class Editor:
    """A session with the server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("tests", "1")
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()

        published = self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        published(into(self.published))

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> None:
        item = lsp.TextDocumentItem(self.uri(name), "python", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def open_cells(self, name: str, *cells: tuple[str, str]) -> None:
        """Open a notebook of cells, each with its language; their names are n.ipynb#c1 and on."""
        kinds = lsp.NotebookCellKind
        notebook = lsp.NotebookDocument(
            self.uri(name), "jupyter-notebook", 1,
            [
                lsp.NotebookCell(
                    kinds.Markup if language == "markdown" else kinds.Code, self.cell(name, number)
                )
                for number, (language, _) in enumerate(cells, 1)
            ],
        )  # fmt: skip
        items = [
            lsp.TextDocumentItem(self.cell(name, number), language, 1, text)
            for number, (language, text) in enumerate(cells, 1)
        ]
        self.client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(notebook, items))

    def cell(self, name: str, number: int) -> str:
        return f"vscode-notebook-cell:{(self.folder / name)}#c{number}"

    def change_cells(
        self, name: str, version: int, change: lsp.NotebookDocumentCellChanges
    ) -> None:
        identifier = lsp.VersionedNotebookDocumentIdentifier(version, self.uri(name))
        self.client.notebook_document_did_change(
            lsp.DidChangeNotebookDocumentParams(
                identifier, lsp.NotebookDocumentChangeEvent(cells=change)
            )
        )

    def change(self, name: str, version: int, text: str) -> None:
        identifier = lsp.VersionedTextDocumentIdentifier(version, self.uri(name))
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [whole]))

    async def diagnostics(self, name: str, version: int) -> list[lsp.Diagnostic]:
        """Return what is published about a version of a file."""
        return await self.published_of(self.uri(name), version)

    async def published_of(self, uri: str, version: int | None) -> list[lsp.Diagnostic]:
        """Return what is published about a version of a document."""
        while True:
            found = await asyncio.wait_for(self.published.get(), 60)
            if (found.uri, found.version) == (uri, version):
                return list(found.diagnostics)

    async def fix(self, name: str, found: list[lsp.Diagnostic]) -> lsp.CodeAction | None:
        return await self.fix_of(self.uri(name), found)

    async def fix_of(self, uri: str, found: list[lsp.Diagnostic]) -> lsp.CodeAction | None:
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(1000, 0))
        context = lsp.CodeActionContext(found)
        document = lsp.TextDocumentIdentifier(uri)
        actions: Any = await self.client.text_document_code_action_async(
            lsp.CodeActionParams(document, whole, context)
        )
        return actions[0] if actions else None

    async def fix_all(self, name: str) -> lsp.CodeAction | None:
        """Return the action that editors ask for when a file is saved."""
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(1000, 0))
        context = lsp.CodeActionContext([], only=[lsp.CodeActionKind.SourceFixAll])
        document = lsp.TextDocumentIdentifier(self.uri(name))
        actions: Any = await self.client.text_document_code_action_async(
            lsp.CodeActionParams(document, whole, context)
        )
        return actions[0] if actions else None

    async def hover(self, name: str, line: int) -> str:
        return await self.hover_of(self.uri(name), line)

    async def hover_of(self, uri: str, line: int) -> str:
        document = lsp.TextDocumentIdentifier(uri)
        found: Any = await self.client.text_document_hover_async(
            lsp.HoverParams(document, lsp.Position(line, 5))
        )
        return str(found.contents.value) if found else ""


# An editor that knows the versions of its documents.
VERSIONED = lsp.ClientCapabilities(
    workspace=lsp.WorkspaceClientCapabilities(
        workspace_edit=lsp.WorkspaceEditClientCapabilities(document_changes=True)
    )
)


def session(
    folder: Path,
    act: Callable[[Editor], Awaitable[None]],
    capabilities: lsp.ClientCapabilities = VERSIONED,
) -> None:
    """Start the server, act as its editor, and end it as editors do."""

    async def run() -> None:
        editor = Editor(folder)
        client: Any = editor.client
        await client.start_io(
            sys.executable, "-m", "tfgpu", "lsp", cwd=str(folder), env=dict(environment())
        )
        root = lsp.WorkspaceFolder(folder.as_uri(), "tests")
        await client.initialize_async(lsp.InitializeParams(capabilities, workspace_folders=[root]))
        client.initialized(lsp.InitializedParams())
        await act(editor)
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()

    asyncio.run(run())


def applied(text: str, action: lsp.CodeAction | None) -> str:
    """Return a text with the edits of an action; columns are UTF-16 units."""
    assert action is not None
    assert action.edit is not None
    (change,) = action.edit.document_changes or []
    return changed(text, change)


def changed(text: str, change: object) -> str:
    """Return a text with the edits of a document; columns are UTF-16 units."""
    assert isinstance(change, lsp.TextDocumentEdit)
    lines = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)]
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    data = b"".join(lines)
    edits: list[Any] = list(change.edits)
    for edit in sorted(edits, key=lambda one: -one.range.start.line):
        first, last = (
            min(starts[place.line] + 2 * place.character, len(data))
            for place in (edit.range.start, edit.range.end)
        )
        data = data[:first] + str(edit.new_text).encode("utf-16-le") + data[last:]
    return data.decode("utf-16-le")


def test_an_open_file_is_read_as_it_is_in_the_editor(tmp_path: Path) -> None:
    write(tmp_path / "train.py", "print(1)\n")

    async def act(editor: Editor) -> None:
        editor.open("train.py", "print(1)\n")
        assert await editor.diagnostics("train.py", 1) == []
        editor.change("train.py", 2, GROWTH)
        found = await editor.diagnostics("train.py", 2)
        assert [one.source for one in found] == ["tfgpu"]
        (config,) = found
        assert config.severity == lsp.DiagnosticSeverity.Warning
        assert "# TFG101 allow-growth" in await editor.hover("train.py", 4)
        assert await editor.hover("train.py", 0) == ""
        action = await editor.fix("train.py", found)
        assert applied(GROWTH, action) == GROWTH_AFTER
        windows = GROWTH.replace("\n", "\r\n").replace("def train():", "def train():  # 😀 é")
        editor.change("train.py", 3, windows)
        action = await editor.fix("train.py", await editor.diagnostics("train.py", 3))
        after = GROWTH_AFTER.replace("\n", "\r\n").replace("def train():", "def train():  # 😀 é")
        assert applied(windows, action) == after
        # What cannot be parsed is said, and nothing is offered for it.
        editor.change("train.py", 4, GROWTH + "x = = 1\n")
        found = await editor.diagnostics("train.py", 4)
        assert [one.message.partition(":")[0] for one in found] == ["not read"]
        assert await editor.fix("train.py", found) is None

    session(tmp_path, act)
    assert (tmp_path / "train.py").read_text() == "print(1)\n"


def test_a_fix_is_that_of_the_text_that_was_just_typed(tmp_path: Path) -> None:
    async def act(editor: Editor) -> None:
        editor.open("train.py", "print(1)\n")
        editor.change("train.py", 2, "# one\n" + GROWTH)
        assert applied("# one\n" + GROWTH, await editor.fix_all("train.py")) == (
            GROWTH_AFTER.replace("import", "# one\nimport", 1)
        )
        editor.change("train.py", 3, GROWTH)
        assert applied(GROWTH, await editor.fix_all("train.py")) == GROWTH_AFTER

    session(tmp_path, act)


def test_an_editor_without_versions_gets_plain_edits(tmp_path: Path) -> None:
    async def act(editor: Editor) -> None:
        editor.open("train.py", GROWTH)
        action = await editor.fix_all("train.py")
        assert action is not None
        assert action.edit is not None
        assert action.edit.document_changes is None
        ((uri, edits),) = (action.edit.changes or {}).items()
        assert uri == editor.uri("train.py")
        document = lsp.OptionalVersionedTextDocumentIdentifier(uri)
        assert changed(GROWTH, lsp.TextDocumentEdit(document, list(edits))) == GROWTH_AFTER

    session(tmp_path, act, lsp.ClientCapabilities())


def framed(message: object) -> bytes:
    """Return a message as it is sent."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def request(method: str, number: int | None = None, params: object = None) -> bytes:
    """Return a request, or without a number a notification, as it is sent."""
    numbered = {} if number is None else {"id": number}
    return framed({"jsonrpc": "2.0", **numbered, "method": method, "params": params})


def exchanged(folder: Path, *sent: bytes) -> tuple[subprocess.CompletedProcess[bytes], list[Any]]:
    """Return how the server ended after some messages, and the errors in its answers."""
    start = request("initialize", 0, {"capabilities": {}})
    done = subprocess.run(
        [sys.executable, "-m", "tfgpu", "lsp"], input=b"".join([start, *sent]), cwd=folder,
        env=dict(environment()), capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    parts = [part.partition(b"\r\n\r\n")[2] for part in done.stdout.split(b"Content-Length: ")]
    answers = [json.loads(part) for part in parts if part]
    return done, [(one["id"], one["error"]["code"]) for one in answers if "error" in one]


SHUTDOWN, EXIT = request("shutdown", 9), request("exit")


@pytest.mark.parametrize(("sent", "status"), [((SHUTDOWN, EXIT), 0), ((EXIT,), 1), ((), 0)])
def test_how_a_session_ends(tmp_path: Path, sent: tuple[bytes, ...], status: int) -> None:
    done, _ = exchanged(tmp_path, *sent)
    assert (done.returncode, done.stderr) == (status, b"")


def test_what_is_no_message_is_answered(tmp_path: Path) -> None:
    wrong = request("textDocument/codeAction", 1, {"x": 1})
    done, errors = exchanged(tmp_path, wrong, framed(b"{abc}"), framed([]), SHUTDOWN, EXIT)
    assert errors == [(1, -32602), (None, -32700), (None, -32600)]
    assert done.returncode == 0


@pytest.mark.parametrize("length", [b"99999999999", b"9" * 5000])
def test_a_message_that_is_too_long(tmp_path: Path, length: bytes) -> None:
    done, _ = exchanged(tmp_path, b"Content-Length: " + length + b"\r\n\r\n")
    assert done.returncode == 2
    assert done.stderr.startswith(b"Error: the editor announces a message of 99999999999")
    assert done.stderr.count(b"\n") == 1


def test_the_program_decides_and_the_cause_is_named(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path / "helper.py", GROWTH)
    write(tmp_path / "main.py", "import helper\nhelper.train()\n")

    async def act(editor: Editor) -> None:
        editor.open("caused.py", CAUSED)
        write(tmp_path / "caused.py", CAUSED)
        found = await editor.diagnostics("caused.py", 1)
        second = next(one for one in found if one.range.start.line > 6)
        reasons = [one.message for one in second.related_information or ()]
        assert any(reason.startswith("because of ") for reason in reasons), reasons
        assert await editor.fix("caused.py", found) is None
        # A config that is only in the editor, in another file of the program, keeps this one.
        editor.open("helper.py", GROWTH)
        (before,) = await editor.diagnostics("helper.py", 1)
        assert before.data == {"fix": "safe"}
        editor.open("main.py", f"import helper\n{KEPT}\nhelper.train()\ntrain()\n")
        (after,) = await editor.diagnostics("helper.py", 1)
        assert after.data == {"fix": "none"}
        related = [one.location.uri for one in after.related_information or ()]
        assert editor.uri("main.py") in related
        assert await editor.fix("helper.py", [after]) is None

    session(tmp_path, act)


IMPORTS = "import os\nimport tensorflow as tf\n%matplotlib inline\n"
BUILD = "# 😀\nconfig = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True"
SESSION = "sess = tf.Session(config=config)\n"
CELLS = (("python", IMPORTS), ("markdown", "# config"), ("python", BUILD), ("python", SESSION))


def test_cells_of_an_open_notebook_are_read_as_they_are_in_the_editor(tmp_path: Path) -> None:
    async def act(editor: Editor) -> None:
        name = "n.ipynb"
        imports, text, build, session = (editor.cell(name, number) for number in range(1, 5))
        editor.open_cells(name, *CELLS, ("shellscript", "export TF_FORCE_GPU_ALLOW_GROWTH=maybe"))
        assert await editor.published_of(imports, 1) == []
        assert await editor.published_of(text, 1) == []
        (config,) = await editor.published_of(build, 1)
        assert (config.range.start.line, config.data) == (2, {"fix": "safe"})
        related = {one.location.uri for one in config.related_information or ()}
        assert related == {session}
        assert "# TFG101 allow-growth" in await editor.hover_of(build, 2)
        assert await editor.hover_of(text, 2) == ""
        action = await editor.fix_of(build, [config])
        assert action is not None
        assert action.edit is not None
        texts = {imports: IMPORTS, build: BUILD, session: SESSION}
        for change in action.edit.document_changes or ():
            assert isinstance(change, lsp.TextDocumentEdit)
            uri = change.text_document.uri
            texts[uri] = changed(texts[uri], change)
        assert texts[imports] == IMPORTS.replace(
            "tensorflow as", "tensorflow.compat.v1 as"
        ).replace("%mat", "tf.disable_v2_behavior()\n%mat")
        assert "set_memory_growth" in texts[build]
        assert texts[session] == "sess = tf.Session()\n"
        # Another cell changes: what was offered for this one is not any more.
        await change_session(editor, name, session)
        (kept,) = await editor.published_of(session, 2)
        assert kept.data == {"fix": "none"}
        assert build in {one.location.uri for one in kept.related_information or ()}
        assert await editor.fix_of(build, [config]) is None
        # The first cell goes: the others are called otherwise, and stay what they are.
        await remove_first(editor, name, imports)
        assert await editor.published_of(imports, None) == []
        assert len(await editor.published_of(session, 2)) == 1
        identifiers = [lsp.TextDocumentIdentifier(uri) for uri in (text, build, session)]
        editor.client.notebook_document_did_close(
            lsp.DidCloseNotebookDocumentParams(
                lsp.NotebookDocumentIdentifier(editor.uri(name)), identifiers
            )
        )
        assert await editor.published_of(session, None) == []

    async def change_session(editor: Editor, name: str, session: str) -> None:
        line = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        inserted = lsp.TextDocumentContentChangePartial(
            line, "config.graph_options.timeline_step = 3\n"
        )
        content = lsp.NotebookDocumentCellContentChanges(
            lsp.VersionedTextDocumentIdentifier(2, session), [inserted]
        )
        editor.change_cells(name, 2, lsp.NotebookDocumentCellChanges(text_content=[content]))

    async def remove_first(editor: Editor, name: str, first: str) -> None:
        structure = lsp.NotebookDocumentCellChangeStructure(
            lsp.NotebookCellArrayChange(0, 1), did_close=[lsp.TextDocumentIdentifier(first)]
        )
        editor.change_cells(name, 3, lsp.NotebookDocumentCellChanges(structure=structure))

    session(tmp_path, act)


def test_a_broken_cell_is_named_and_nothing_is_offered(tmp_path: Path) -> None:
    write(tmp_path / "n.ipynb", "{")

    async def act(editor: Editor) -> None:
        editor.open_cells("n.ipynb", *CELLS, ("python", "x = 1\nx = = 1\n"))
        (config,) = await editor.published_of(editor.cell("n.ipynb", 3), 1)
        assert await editor.fix_of(editor.cell("n.ipynb", 3), [config]) is None
        (broken,) = await editor.published_of(editor.cell("n.ipynb", 5), 1)
        assert broken.message.startswith("not read: ")
        assert broken.range.start.line == 1

    session(tmp_path, act)


def test_files_that_are_not_on_disk_and_huge_ones(tmp_path: Path) -> None:
    write(tmp_path / "gone.py", "print(1)\n")
    write(tmp_path / "tfgpu.toml", 'exclude = ["left"]\n')

    async def act(editor: Editor) -> None:
        editor.open("sub/new.py", GROWTH)
        found = await editor.diagnostics("sub/new.py", 1)
        assert applied(GROWTH, await editor.fix("sub/new.py", found)) == GROWTH_AFTER
        editor.open("left/new.py", GROWTH)
        assert await editor.diagnostics("left/new.py", 1) == []
        # Deleted on disk, renamed in the editor.
        editor.open("gone.py", GROWTH)
        assert await editor.diagnostics("gone.py", 1)
        (tmp_path / "gone.py").rename(tmp_path / "other.py")
        editor.change("gone.py", 2, GROWTH + "\n")
        assert await editor.diagnostics("gone.py", 2)
        identifier = lsp.TextDocumentIdentifier(editor.uri("gone.py"))
        editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(identifier))
        assert await editor.published_of(editor.uri("gone.py"), None) == []
        editor.open("other.py", GROWTH)
        assert await editor.diagnostics("other.py", 1)
        editor.change("other.py", 2, GROWTH + "# x\n" * 2**20)
        (large,) = await editor.diagnostics("other.py", 2)
        assert "not read: " in large.message
        # The configuration changes on disk; the next change sees it.
        write(tmp_path / "tfgpu.toml", 'exclude = ["other.py"]\n')
        editor.change("other.py", 3, GROWTH)
        assert await editor.diagnostics("other.py", 3) == []

    session(tmp_path, act)


def test_a_wrong_configuration_ends_nothing(tmp_path: Path) -> None:
    write(tmp_path / "tfgpu.toml", "select = 1\n")
    write(tmp_path / "train.py", GROWTH)

    async def act(editor: Editor) -> None:
        logged: asyncio.Queue[lsp.LogMessageParams] = asyncio.Queue()

        on_message = editor.client.feature(lsp.WINDOW_LOG_MESSAGE)
        on_message(into(logged))
        editor.open("train.py", GROWTH)
        assert "select" in (await asyncio.wait_for(logged.get(), 60)).message
        write(tmp_path / "tfgpu.toml", "")
        editor.change("train.py", 2, GROWTH)
        assert await editor.diagnostics("train.py", 2)

    session(tmp_path, act)


def test_the_command_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tfgpu.cli.lsp.find_spec", lambda name: None)
    done = tfgpu("lsp")
    assert (done.exit_code, "pip install 'tfgpu[lsp]'" in done.stderr) == (2, True)
