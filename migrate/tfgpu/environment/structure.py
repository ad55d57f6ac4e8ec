"""Reads YAML and JSON: variables of jobs, containers and debuggers, requests for GPUs, scripts."""

from __future__ import annotations

import re
import shlex
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tfgpu.dataclass import replace
from tfgpu.environment.command import default_of
from tfgpu.environment.dockerfile import argv_items
from tfgpu.environment.jobs import requests
from tfgpu.environment.mapping import documents, json_documents, mapping_fields, with_holes
from tfgpu.environment.model import LIKE_NAME, ConfigPiece, Item, Setting, Span, Way
from tfgpu.environment.piece import Piece, lines_of
from tfgpu.environment.serving import IMAGE_OF_FLAGS
from tfgpu.environment.shell import read_shell
from tfgpu.environment.starters import ASSIGNMENT
from tfgpu.files.kinds import Kind, kind_of, kind_of_script
from tfgpu.files.pattern import expression
from tfgpu.flow.strings import HOLE
from tfgpu.texts.looks import LOOKS_LIKE
from tfgpu.texts.prototext import Field

if TYPE_CHECKING:
    from collections.abc import Callable

    from yaml import Node

# Keys whose text is shell: of CI systems, Ansible, compose and Kubernetes.
_SCRIPTS = frozenset(
    ["run", "script", "scripts", "before_script", "after_script", "command", "commands", "args",
     "entrypoint", "install", "before_install", "cmd", "cmds", "shell", "bash", "setup", "exec",
     "steps", "test", "inline_script", "inlineScript", "postCreateCommand", "postStartCommand"]
)  # fmt: skip
# Where a list of texts is one command, word by word.
_WORDS = frozenset(["command", "args", "entrypoint", "cmd"])
# What stands before the words of others in the command that they are together.
_BEFORE = {"args": "command", "command": "entrypoint", "cmd": "entrypoint"}
# Lists of flags whose program stands elsewhere: `extraArgs` of a chart.
_FLAGS = expression(r"(?:args|arguments|flags)$", re.IGNORECASE)
_VARIABLES = frozenset(["env", "environment", "variables", "containerEnv", "remoteEnv"])
# Lists of containers.
_CONTAINERS = frozenset(["containers", "initContainers", "containerDefinitions"])
# Lists of Travis with an environment of a job in each item; so is `env` of the file itself.
_MATRICES = frozenset(["matrix", "jobs"])
_SEVERAL = expression(rf"{LIKE_NAME.pattern}=\S*(?:[ \t]+{LIKE_NAME.pattern}=\S*)+[ \t]*")
_UNKNOWN = expression(rf"\$[\w{{(]|\$\$|\{{\{{|%\(|<%|{HOLE}")
# Names a mapping that is a ConfigProto.
_OF_SESSIONS = expression(r"(?i)(?:session|proto|tf|tensorflow).*conf|conf.*proto")
# What a JSON or YAML key names as a resource of Kubernetes.
_CDI = "nvidia.com/gpu="
_GKE = "cloud.google.com/gke-accelerator"
# Keys that name what runs containers: of compose, of Kubernetes, of Docker's own configuration.
_RUNTIMES = {
    "runtime": "docker --runtime",
    "runtimeClassName": "Kubernetes runtimeClassName",
    "default-runtime": "docker default-runtime",
}
_GPU_RESOURCE = expression(
    r"nvidia\.com/(gpu|mig-[\w.]+)(\.shared)?|requests\.nvidia\.com/gpu"
    r"|alpha\.kubernetes\.io/nvidia-gpu"
)


def read_yaml(text: str, names: frozenset[str]) -> list[Item]:
    """Return what a YAML file sets and asks for.

    Raises:
        SourceError: it cannot be parsed.
    """
    return _Reader(text, names).items(documents)


def read_json(text: str, names: frozenset[str]) -> list[Item]:
    """Return what a JSON file sets and asks for.

    Raises:
        SourceError: it cannot be parsed.
    """
    return _Reader(text, names).items(json_documents)


class _Reader:
    def __init__(self, text: str, names: frozenset[str]) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._names = names
        self._is_compose = False
        self._top: list[Node] = []
        self._homes: list[tuple[int, int]] = []

    def items(self, parse: Callable[[str], list[Node]]) -> list[Item]:
        found: list[Item] = []
        for document in parse(self._text):
            top = [key.value for key, _ in document.value] if document.id == "mapping" else []
            self._is_compose = "services" in top
            is_mapping = document.id == "mapping"
            self._top = [value for _, value in document.value] if is_mapping else []
            found += self._walk(document)
        # Words before others are read with those, and by themselves.
        return list(dict.fromkeys(found))

    def _walk(self, document: Node) -> Iterator[Item]:
        waiting: list[tuple[Node, str, Sequence[Piece], str]] = [(document, "", (), "")]
        seen: set[int] = set()
        while waiting:
            node, key, program, around = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            self._homes += _homes(node, key)
            if node.id == "mapping" and (fields := self._config_fields(node, key)):
                piece = lines_of(self._text, 1)
                yield ConfigPiece(piece, language="mapping", fields=fields, target=key)
            elif node.id == "mapping":
                yield from self._mapping(node, key, around)
                waiting += [
                    (value, name.value, self._program(name.value, node), _place_of(value))
                    if isinstance(name.value, str)
                    else (value, "", (), "")
                    for name, value in reversed(node.value)
                ]
            elif node.id == "sequence":
                words = self._argv(node, key, program)
                if words:
                    yield from argv_items(words, program, self._names)
                    continue
                yield from self._devices(node, key)
                is_matrix = key in _MATRICES or (key == "env" and node in self._top)
                waiting += [
                    (
                        item,
                        f"{key}[]" if item.id == "mapping" else key,
                        program,
                        _place_of(item if is_matrix else node),
                    )
                    for item in reversed(node.value)
                ]
            elif key not in _SCRIPTS and LOOKS_LIKE.search(str(node.value)):
                yield ConfigPiece(self._piece(node, is_shell=False), target=key)
            elif key == "options" and program and "--" in str(node.value):
                # Of a container in GitHub's workflows.
                yield from read_shell(self._after("docker run", node), self._names)
            elif key in _WORDS and str(node.value).startswith("--"):
                before = " ".join(shlex.quote(word.text) for word in program)
                yield from read_shell(self._after(before or IMAGE_OF_FLAGS, node), self._names)
            elif key in _SCRIPTS or key in _VARIABLES or key in ("global", "jobs", "matrix"):
                yield from self._text_items(node, key, around)
            elif _is_shell_file(key, str(node.value)):
                yield from read_shell(self._piece(node), self._names)

    @staticmethod
    def _config_fields(node: Node, key: str) -> tuple[Field, ...]:
        """Return the fields of a mapping that is a ConfigProto, as what is around it may say."""
        return mapping_fields(node, is_proto=_OF_SESSIONS.search(key) is not None)

    def _program(self, key: str, around: Node) -> Sequence[Piece]:
        """Return what takes the flags under a key: the words before them, or an image."""
        if not (key in _BEFORE or key == "options" or _FLAGS.search(key)):
            return ()
        entries = {name.value: value for name, value in around.value if name.id == "scalar"}
        before = entries.get(_BEFORE.get(key, ""))
        if before is not None and before.id == "sequence":
            return [self._piece(item) for item in before.value if item.id == "scalar"]
        if before is not None and before.id == "scalar":
            return [Piece(word, self._piece(before).starts[:1]) for word in before.value.split()]
        image = entries.get("image")
        if image is not None and image.id == "mapping":
            names = [value for name, value in image.value if name.value == "repository"]
            image = names[0] if names else None
        is_known = image is not None and image.id == "scalar" and not _UNKNOWN.search(image.value)
        return [self._piece(image)] if image is not None and is_known else ()

    def _argv(self, node: Node, key: str, program: Sequence[Piece]) -> list[Piece]:
        """Return the words of a command that a list is, none where it is not one."""
        if not node.value or not all(item.id == "scalar" for item in node.value):
            return []
        words = [self._piece(item) for item in node.value]
        texts = [word.text for word in words]
        if key == "runArgs":
            place = words[0].starts[:1]
            return [Piece("docker", place), Piece("run", place), *words, Piece("image", place)]
        is_one = not any("\n" in text and not texts[0].endswith("sh") for text in texts)
        if key in _WORDS and is_one and " " not in texts[0].strip():
            if texts[0].startswith("--") and not program:
                return [Piece(IMAGE_OF_FLAGS, words[0].starts[:1]), *words]
            return words
        if key in _WORDS and program and program[-1].text in ("-c", "-lc", "-ec"):
            return [*program, *words]
        is_flags = _FLAGS.search(key) is not None
        return words if is_flags and all(text.startswith("--") for text in texts) else []

    def _after(self, before: str, node: Node) -> Piece:
        """Return the text of a scalar as the end of a command."""
        piece = self._piece(node)
        return Piece(
            f"{before} \\\n{piece.text}", (piece.starts[0], *piece.starts), piece.exact, piece.block
        )

    def _mapping(self, node: Node, parent: str, around: str) -> Iterator[Item]:
        """Yield what the entries of a mapping set: `NAME: value`, or `name: NAME`, `value: ...`.

        `around` is the environment that these stand in: of each container another one.
        """
        block = f"mapping {node.start_mark.line}:{node.start_mark.column}"
        entries = {key.value: value for key, value in node.value if isinstance(key.value, str)}
        for key, value in node.value:
            if key.id != "scalar" or not isinstance(key.value, str):
                continue
            if (request := self._request(key.value, value, parent)) is not None:
                yield self._setting(request, key, value, Way.REQUEST, block)
            elif self._is_variable(key.value, parent):
                yield self._setting(key.value, key, value, Way.CONTAINER, block)
        for request, asked, count in requests(entries, parent):
            if entries[count].id == "scalar":
                yield self._setting(request, entries[asked], entries[count], Way.REQUEST, block)
        name = entries.get("name")
        is_listed = parent.removesuffix("[]") in _VARIABLES
        if name is not None and name.id == "scalar" and (is_listed or name.value in self._names):
            value = entries.get("value", entries.get("valueFrom"))
            if value is not None:
                yield self._setting(name.value, name, value, Way.CONTAINER, around)

    def _request(self, key: str, value: Node, parent: str) -> str | None:
        """Return what an entry asks for, as the rules name it; None for another entry."""
        text = value.value if value.id == "scalar" else ""
        if _GPU_RESOURCE.fullmatch(key) and parent in ("limits", "requests", "hard"):
            return "nvidia.com/gpu"
        if key == "gpus" and self._is_compose and value.id == "scalar":
            return "docker --gpus"
        if key == _GKE and parent == "nodeSelector" and text:
            return f"Kubernetes {key}"
        return _RUNTIMES.get(key) if text == "nvidia" else None

    def _is_variable(self, name: str, parent: str) -> bool:
        """Tell whether a key names a variable; unknown names only where variables are listed."""
        if name.strip() in self._names:
            return True
        return parent in _VARIABLES and LIKE_NAME.fullmatch(name) is not None

    def _setting(self, name: str, key: Node, value: Node, way: Way, block: str) -> Setting:
        start = key.start_mark
        end = value.end_mark if value.end_mark.line == start.line else key.end_mark
        span = Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
        known, text = self._value(value)
        default = default_of(text) if known is None else None
        return Setting(name, known, text, span, way, default, self._at_home(key, block))

    def _at_home(self, node: Node, block: str) -> str:
        """Return the block of a setting, in front of it the container that it is in, if any."""
        line = node.start_mark.line
        at = bisect_right(self._homes, (line, len(self._lines) + 1)) - 1
        is_inside = at >= 0 and line <= self._homes[at][1]
        return f"container {at}|{block}" if is_inside else block

    def _value(self, node: Node) -> tuple[str | None, str]:
        """Return the value of a node, None where it is not known, and how it is written."""
        if node.id == "mapping":
            # `value:` and `description:` of a variable of GitLab.
            inner = {key.value: value for key, value in node.value if isinstance(key.value, str)}
            if "value" in inner and inner["value"].id == "scalar":
                return self._value(inner["value"])
        if node.id != "scalar":
            return None, self._source(node)
        value = str(node.value)
        if node.tag.endswith(":null") or _UNKNOWN.search(value):
            return None, value.replace(HOLE, "") or self._source(node)
        if node.tag.endswith(":bool") and not node.style:
            value = value.lower()
        return value, value

    def _source(self, node: Node) -> str:
        start, end = node.start_mark, node.end_mark
        line = self._lines[start.line] if start.line < len(self._lines) else ""
        return line[start.column : end.column if end.line == start.line else None].strip()

    def _devices(self, node: Node, key: str) -> Iterator[Setting]:
        """Yield the devices that a service of compose reserves."""
        if key != "devices":
            return
        for item in node.value:
            if item.id == "scalar" and item.value.startswith(_CDI):
                yield self._setting("docker devices", item, item, Way.REQUEST, "")
            if item.id != "mapping":
                continue
            entries = {name.value: value for name, value in item.value if name.id == "scalar"}
            ids = _texts(entries.get("device_ids"))
            is_cdi = any(text.startswith(_CDI) for text in ids)
            if not is_cdi and "gpu" not in _texts(entries.get("capabilities")):
                continue
            told = next(name for name in ("device_ids", "count", "capabilities") if name in entries)
            name, value = next(entry for entry in item.value if entry[0].value == told)
            found = self._setting(f"docker {told}", name, value, Way.REQUEST, "")
            if value.id == "sequence":
                found = replace(found, value=",".join(_texts(value)))
            yield found

    def _text_items(self, node: Node, key: str, around: str) -> Iterator[Item]:
        text = str(node.value)
        pair = ASSIGNMENT.fullmatch(text)
        if pair is not None and key not in _SCRIPTS and not _SEVERAL.fullmatch(text):
            unknown = _UNKNOWN.search(pair[2]) is not None
            value = None if unknown else pair[2]
            if key != "environment" and value is not None and value[:1] in ("'", '"'):
                value = value.strip(value[0])
            default = default_of(pair[2]) if unknown else None
            written = pair[2].replace(HOLE, "")
            block = self._at_home(node, around)
            yield Setting(pair[1], value, written, self._span(node), Way.CONTAINER, default, block)
        else:
            # Each step of a workflow has a shell of its own.
            piece = replace(self._piece(node), ends=key == "run")
            yield from read_shell(piece, self._names)

    def _piece(self, node: Node, is_shell: bool = True) -> Piece:
        """Return the text of a scalar, with its places in the file as far as they can be told.

        Lines that YAML folds into one are lines of shell that go on.
        """
        start, end = node.start_mark, node.end_mark
        block = f"text {start.line}"
        text = with_holes(str(node.value))
        if node.style == "|":
            rows = list(range(start.line + 1, min(end.line + 1, len(self._lines))))
            lines = text.split("\n")
            starts = []
            for row, line in zip(rows, lines, strict=False):
                indent = len(self._lines[row]) - len(line.rstrip("\n"))
                starts.append((row + 1, max(indent, 0) + 1))
            if len(starts) >= len(lines) - 1 and starts:
                return Piece(text, tuple(starts), block=block)
        if is_shell and end.line > start.line and node.style in (">", None):
            first = start.line + (node.style == ">")
            column = 0 if node.style else start.column
            places = []
            last = end.line + (node.style is None)
            for row in range(first, min(last, len(self._lines))):
                part = self._lines[row][column:]
                if part.strip():
                    indent = len(part) - len(part.lstrip())
                    places.append((part.strip(), (row + 1, column + indent + 1)))
                column = 0
            if " ".join(part for part, _ in places) == text.strip():
                folded = with_holes(" \\\n".join(part for part, _ in places))
                return Piece(folded, tuple(place for _, place in places), block=block)
        line = self._lines[start.line] if start.line < len(self._lines) else ""
        quote = node.style in ("'", '"')
        column = start.column + quote
        if line[column : column + len(text)] == text:
            return Piece(text, ((start.line + 1, column + 1),), block=block)
        return Piece(text, ((start.line + 1, start.column + 1),), exact=False, block=block)

    def _span(self, node: Node) -> Span:
        start, end = node.start_mark, node.end_mark
        if end.line != start.line:
            width = len(self._lines[start.line].rstrip()) if start.line < len(self._lines) else 0
            return Span(start.line + 1, start.column + 1, start.line + 1, width + 1)
        return Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def _is_shell_file(name: str, text: str) -> bool:
    """Tell whether an entry is a file with shell, or of variables: `run.sh` of a ConfigMap."""
    kind = kind_of(name) or kind_of_script(text.encode(errors="replace"))
    return kind in (Kind.SHELL, Kind.DOTENV)


def _texts(node: Node | None) -> list[str]:
    """Return the texts of a list, none of anything else."""
    return (
        [str(part.value) for part in node.value]
        if node is not None and node.id == "sequence"
        else []
    )


def _homes(node: Node, key: str) -> list[tuple[int, int]]:
    """Return the first and the last line of each container that a node lists."""
    if node.id == "mapping" and key == "services":
        found = [value for _, value in node.value]
    elif node.id == "sequence" and key in _CONTAINERS:
        found = node.value
    else:
        return []
    # The end is at the start of what follows.
    return [
        (item.start_mark.line, item.end_mark.line - (item.end_mark.column == 0)) for item in found
    ]


def _place_of(node: Node) -> str:
    """Return where a node starts, which no other one around it does at the same depth."""
    return f"list {node.start_mark.line}:{node.start_mark.column}"
