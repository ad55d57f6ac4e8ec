"""What commands set for the programs that they start: `env`, `docker run`, `srun`, `bash -c`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from tfgpu.dataclass import dataclass
from tfgpu.environment.model import LIKE_NAME, ConfigPiece, Setting, Span, Trouble, Way
from tfgpu.environment.piece import Piece
from tfgpu.environment.serving import PROGRAM, serving_items
from tfgpu.environment.words import default_of
from tfgpu.texts.prototext import LOOKS_LIKE


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command: its value where it is known, its text, and its place from 0.

    `quoted` tells whether it is one string as a whole.
    """

    value: str | None
    text: str
    start: tuple[int, int]
    end: tuple[int, int]
    quoted: bool = False
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """Text that a command runs, or keeps, as shell."""

    piece: Piece


Found = Setting | Trouble | ConfigPiece | Script


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its words, the file that it writes to with its heredocs, the names that count."""

    name: Word
    arguments: list[Word]
    redirect: tuple[str, list[Script]]
    names: frozenset[str]


_SHELLS = frozenset(["bash", "sh", "zsh", "ksh", "dash"])
# What takes commands as text.
_RUNS_TEXT = _SHELLS | frozenset(
    ["eval", "ssh", "tmux", "screen", "su", "parallel", "watch", "sbatch", "qsub"]
)
_CONTAINERS = frozenset(["docker", "podman", "nvidia-docker", "nvidia-docker2", "nerdctl"])
_CONTAINER_VERBS = frozenset(["run", "create", "exec"])
_JOBS = frozenset(["srun", "sbatch", "salloc"])
_LAUNCHERS = frozenset(["mpirun", "mpiexec", "mpiexec.hydra", "horovodrun", "torchrun"])
_COUNTS = frozenset(["-np", "-n", "--np", "--num-proc", "--ntasks"])
_PER_NODE = re.compile(r"--nproc[-_]per[-_]node")
_PYTHON = re.compile(r"(?:^|/)python[\d.]*$|\.py$")
_TORCH = "torchrun --nproc_per_node"
SPARK = re.compile(r"spark\.(?:task|executor|driver)\.resource\.gpu\.amount")
_BEFORE_COMMANDS = frozenset(["sudo", "time", "nohup", "exec", "command", "nice", "env", "stdbuf"])
# What only looks for a text.
_SEARCHES = frozenset(["grep", "egrep", "fgrep", "rg", "ag", "sed", "awk", "git"])
# Options of `docker run` that take no value.
_FLAGS = frozenset(
    ["--rm", "--privileged", "--init", "--interactive", "--tty", "--detach", "--read-only",
     "--publish-all", "--no-healthcheck", "--oom-kill-disable", "--quiet", "--sig-proxy",
     "--disable-content-trust"]
)  # fmt: skip
_SHORT_FLAGS = re.compile(r"-[itdPq]+")
# Files that shells, or what starts programs, read settings from.
_PROFILES = re.compile(r"(rc|profile|\.sh|\.env|environment|\.bash|activate|\.conf)[\"']?$")
ASSIGNMENT = re.compile(f"({LIKE_NAME.pattern})=(.*)", re.DOTALL)


def command_items(command: Command, piece: Piece, block: str) -> Iterator[Found]:
    """Yield what a command sets and asks for, and the text that it runs."""
    yield from _blanks(command, piece)
    yield from _Reader(piece, block, command.names).items([command.name, *command.arguments])
    yield from _written(command, piece)
    if PurePosixPath(command.name.text).name not in _RUNS_TEXT | _SEARCHES:
        yield from _configs(command, piece)


def _configs(command: Command, piece: Piece) -> Iterator[ConfigPiece]:
    """Yield the words that are ConfigProtos, or flags with one: `--config='gpu_options {...}'`."""
    for word in command.arguments:
        if LOOKS_LIKE.search(word.text) is None:
            continue
        if word.quoted:
            yield ConfigPiece(_inside(word, piece))
            continue
        _, equals, _ = word.text.partition("=")
        part = _tail(word, word.text.index("=") + 1) if equals else word
        if part.quoted:
            yield ConfigPiece(_inside(part, piece))
        elif word.value is not None and part.value is not None:
            yield ConfigPiece(Piece(part.value, (_start(word, piece),), exact=False))


def _start(word: Word, piece: Piece) -> tuple[int, int]:
    span = _span(piece, word, word)
    return span.line, span.column


def _blanks(command: Command, piece: Piece) -> Iterator[Trouble]:
    """Find `X = 0`, which runs X, and `set X=0`, which sets `$1`."""
    name, arguments = command.name.text, command.arguments
    first = arguments[0].text if arguments else ""
    if name in command.names and first.startswith("="):
        yield Trouble(
            "blanks-around-equals", _span(piece, command.name, arguments[-1]), (("name", name),)
        )
    if name == "set":
        variable = first.partition("=")[0]
        if "=" in first and variable in command.names:
            yield Trouble(
                "set-in-shell", _span(piece, command.name, arguments[0]), (("name", variable),)
            )


def _written(command: Command, piece: Piece) -> Iterator[Script | ConfigPiece]:
    """Yield the lines that a command writes to a file of settings, heredocs of shell, configs."""
    target, heredocs = command.redirect
    name = command.name.text
    for script in heredocs:
        if LOOKS_LIKE.search(script.piece.text):
            yield ConfigPiece(script.piece)
            continue
        is_script = name in _RUNS_TEXT or script.piece.text.startswith("#!")
        if is_script or _PROFILES.search(target):
            yield script
    if name in ("echo", "printf") and _PROFILES.search(target):
        for word in command.arguments:
            if word.quoted:
                yield Script(_inside(word, piece))
            elif word.value is not None and "=" in word.value:
                yield Script(piece.part(word.start, word.value))


class _Reader:
    """Reads the words of one command, and of the command that it starts."""

    def __init__(self, piece: Piece, block: str, names: frozenset[str]) -> None:
        self._piece = piece
        self._block = block
        self._names = names

    def items(self, words: list[Word]) -> Iterator[Found]:
        name = PurePosixPath(words[0].value or words[0].text).name
        rest = words[1:]
        if name in _BEFORE_COMMANDS:
            yield from self._prefixed(rest)
        elif name in _CONTAINERS:
            yield from self._container(rest, name)
        elif name in _JOBS:
            yield from self._job(rest)
            if name == "srun":
                yield from self._processes(name, rest)
        elif name in _LAUNCHERS:
            yield from self._mpi(rest)
            yield from self._processes(name, rest)
        elif name == "spark-submit":
            yield from self._spark(rest)
        elif name.startswith("python"):
            if len(rest) > 1 and rest[1].text.startswith("torch.distributed."):
                yield from self._processes("torchrun", rest)
        else:
            yield from self._serving(words[0], rest)
        if name in _RUNS_TEXT:
            for word in rest:
                if word.quoted and ("=" in word.text or "--" in word.text):
                    yield Script(_inside(word, self._piece))

    def _prefixed(self, words: list[Word]) -> Iterator[Found]:
        """Read `env A=1 B=2 command`; options of these commands stand before all that."""
        for index, word in enumerate(words):
            setting = self._setting(word, Way.COMMAND)
            if setting is not None:
                yield setting
            elif not word.text.startswith("-"):
                yield from self.items(words[index:])
                return

    def _container(self, words: list[Word], name: str) -> Iterator[Found]:
        verbs = [index for index, word in enumerate(words) if word.text in _CONTAINER_VERBS]
        if not verbs:
            return
        if name.startswith("nvidia-docker"):
            yield self._request("docker --runtime", "nvidia", words[0])
        rest = words[verbs[0] + 1 :]
        index = 0
        while index < len(rest) and rest[index].text.startswith("-"):
            word = rest[index]
            option, equals, _ = word.text.partition("=")
            takes = not (equals or option in _FLAGS or _SHORT_FLAGS.fullmatch(option))
            value = rest[index + 1] if takes and index + 1 < len(rest) else None
            if option.startswith("-e") and not option.startswith("--") and len(option) > 2:
                value, option, takes = _tail(word, 2), "-e", False
            elif equals:
                value = _tail(word, len(option) + 1)
            if value is not None:
                yield from self._container_option(option, value)
            index += 2 if takes else 1
        behind = rest[index + 1 :]
        if behind and behind[0].text.startswith("-"):
            programs = (word for word in rest[:index] if PROGRAM.match(word.text))
            yield from self._serving(next(programs, rest[index]), behind)
        elif behind:
            yield from self.items(behind)

    def _serving(self, name: Word, words: list[Word]) -> Iterator[Found]:
        def span(first: Word, last: Word) -> Span:
            return _span(self._piece, first, last)

        yield from serving_items(name, words, span, self._block)

    def _container_option(self, option: str, word: Word) -> Iterator[Found]:
        if option in ("-e", "--env"):
            setting = self._setting(word, Way.CONTAINER)
            if setting is not None:
                yield setting
        elif option in ("--gpus", "--runtime"):
            is_nvidia = word.value == "nvidia"
            if option == "--gpus" or is_nvidia:
                yield self._request(f"docker {option}", word.value, word)
        elif option == "--device" and word.text.startswith("nvidia.com/gpu="):
            yield self._request("docker --device", (word.value or "").partition("=")[2], word)

    def _job(self, words: list[Word]) -> Iterator[Found]:
        for index, word in enumerate(words):
            if not word.text.startswith("-"):
                before = words[index - 1].text if index else ""
                if not before.startswith("-") or "=" in before:
                    yield from self.items(words[index:])
                    return
                continue
            option, equals, _ = word.text.partition("=")
            value = _tail(word, len(option) + 1) if equals else None
            if value is None and index + 1 < len(words):
                value = words[index + 1]
            if value is not None:
                yield from self.job_option(option, value)

    def job_option(self, option: str, value: Word) -> Iterator[Found]:
        """Yield what an option of Slurm asks for or sets."""
        if option in ("--gpus", "-G", "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket"):
            name = "--gpus" if option == "-G" else option
            yield self._request(f"slurm {name}", value.value, value)
        elif option == "--gres" and (value.value is None or "gpu" in value.value):
            yield self._request("slurm --gres", value.value, value)
        elif option == "--export":
            yield from self._exports(value)

    def _exports(self, word: Word) -> Iterator[Setting]:
        """Read `--export=ALL,A=1,B=2`: a list that breaks at every comma."""
        for item in (word.value or "").split(","):
            found = ASSIGNMENT.fullmatch(item)
            if found is not None:
                yield self._made(found[1], found[2], found[2], word, Way.COMMAND)

    def _processes(self, name: str, words: list[Word]) -> Iterator[Found]:
        """Yield how many processes a launcher starts of a Python program."""
        texts = [word.text for word in words]
        if not any(map(_PYTHON.search, texts)) or "-c" in texts:
            return
        shown = {"horovodrun": "horovodrun -np", "srun": "srun --ntasks", "torchrun": _TORCH}
        for option, value in zip(words, [*words[1:], None], strict=True):
            flag, equals, _ = option.text.partition("=")
            is_count = flag in _COUNTS if name != "torchrun" else _PER_NODE.fullmatch(flag)
            given = _tail(option, len(flag) + 1) if equals else value
            if is_count and given is not None and given.value != "1":
                yield self._request(shown.get(name, "mpirun -np"), given.value, given)
                return

    def _spark(self, words: list[Word]) -> Iterator[Found]:
        for word in words:
            key, _, amount = (word.value or "").partition("=")
            if SPARK.fullmatch(key):
                yield self._request(f"spark {key}", amount, _tail(word, len(key) + 1))

    def _mpi(self, words: list[Word]) -> Iterator[Found]:
        for option, value in pairwise(words):
            setting = self._setting(value, Way.COMMAND)
            if option.text == "-x" and setting is not None:
                yield setting

    def _setting(self, word: Word, way: Way) -> Setting | None:
        text = word.text[1:-1] if word.quoted else word.text
        found = ASSIGNMENT.fullmatch(word.value if word.value is not None else text)
        if found is None:
            return None
        value = found[2] if word.value is not None else None
        default = default_of(found[2].strip("\"'")) if value is None else None
        return self._made(found[1], value, found[2], word, way, default)

    def _request(self, name: str, value: str | None, word: Word) -> Setting:
        return self._made(name, value, word.text, word, Way.REQUEST)

    def _made(
        self,
        name: str,
        value: str | None,
        text: str,
        word: Word,
        way: Way,
        default: str | None = None,
    ) -> Setting:
        return Setting(name, value, text, _span(self._piece, word, word), way, default, self._block)


def _tail(word: Word, length: int) -> Word:
    """Return what stands behind the first characters of a word, which are no quotes."""
    text = word.text[length:]
    value = None if word.value is None else word.value[length:]
    quoted = text[:1] in ("'", '"') and text[-1:] == text[:1]
    start = (word.start[0], word.start[1] + length)
    return Word(value, text, start, word.end, quoted, default_of(text.strip("\"'")))


def _inside(word: Word, piece: Piece) -> Piece:
    """Return the text inside a string; unescaped where it has escapes."""
    raw = word.text[1:-1]
    row, column = word.start
    part = piece.part((row, column + 1), raw)
    if word.value is None or raw == word.value:
        return part
    return Piece(word.value, part.starts[:1], exact=False, block=piece.block)


def _span(piece: Piece, first: Word, last: Word) -> Span:
    return piece.span(first.start, last.end)
