"""What commands set for the programs that they start: `env`, `docker run`, `srun`, `bash -c`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from tfgpu.dataclass import dataclass, replace
from tfgpu.environment.clouds import ACCELERATORS, flag_value
from tfgpu.environment.jobs import command_option
from tfgpu.environment.mapping import json_pieces
from tfgpu.environment.model import LIKE_NAME, ConfigPiece, Setting, Span, Trouble, Way
from tfgpu.environment.piece import Piece
from tfgpu.environment.programs import ONE_TASK, PYTHON
from tfgpu.environment.serving import PROGRAM, serving_items
from tfgpu.environment.setters import python_settings
from tfgpu.environment.words import default_of
from tfgpu.flow.strings import HOLE
from tfgpu.texts.looks import IS_JSON, LOOKS_LIKE


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
    """A command: its words, the file that it writes to with its heredocs, the names that count.

    `is_shown` tells that people read what it prints.
    """

    name: Word
    arguments: list[Word]
    redirect: tuple[str, list[Script]]
    names: frozenset[str]
    is_shown: bool = False


_SHELLS = frozenset(["bash", "sh", "zsh", "ksh", "dash"])
# What takes commands as text.
_RUNS_TEXT = _SHELLS | frozenset(
    ["eval", "ssh", "tmux", "screen", "su", "parallel", "watch", "sbatch", "qsub"]
)
# What fills in `{}`, `{%}` and their kin in the text that it runs.
_FILLS_IN = frozenset(["parallel", "xargs", "find"])
_REPLACED = re.compile(r"\{[^{}\s\"'$]*\}")
_CONTAINERS = frozenset(
    ["docker", "docker-compose", "podman", "nvidia-docker", "nvidia-docker2", "nerdctl"]
)
_CONTAINER_VERBS = frozenset(["run", "create", "exec"])
_JOBS = frozenset(["srun", "sbatch", "salloc"])
_LAUNCHERS = frozenset(["mpirun", "mpiexec", "mpiexec.hydra", "horovodrun", "torchrun"])
_HOROVOD = ("horovod.run", "horovod.runner", "horovod.runner.launch")
_COUNTS = frozenset(["-np", "-n", "--np", "--num-proc", "--ntasks"])
_PER_NODE = re.compile(r"--nproc[-_]per[-_]node")
_TORCH = "torchrun --nproc_per_node"
SPARK = re.compile(r"spark\.(?:task|executor|driver)\.resource\.gpu\.amount")
_LIMIT = re.compile(r"nvidia\.com/gpu=(\d+)")
# What stands before commands: the options of each that take a value after a blank, and how many
# words that are no options it takes before the command.
_BEFORE_COMMANDS: dict[str, tuple[str, int]] = {
    "sudo": ("-u -g -h -p -C -r -t -D -R -T --user --group --host --chdir", 0),
    "env": ("-u -C --unset --chdir", 0),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n --class --classdata", 0),
    "time": ("-f -o --format --output", 0),
    "timeout": ("-k -s --kill-after --signal", 1),
    "stdbuf": ("-i -o -e --input --output --error", 0),
    "taskset": ("", 1),
    "chrt": ("-T -P -D", 1),
    "numactl": ("-N -m -C -p -i --cpunodebind --membind --physcpubind --interleave", 0),
    "gosu": ("", 1),
    "su-exec": ("", 1),
    "xargs": ("-I -P -n -L -d -a -s -E --max-procs --max-args --delimiter", 0),
    **dict.fromkeys(["nohup", "setsid", "command", "unbuffer", "tini", "dumb-init"], ("", 0)),
    "exec": ("-a", 0),
}
_SINGULARITY = frozenset(["singularity", "apptainer"])
_GLUED = re.compile(r"-[nG]\d+")
_VARIABLE = re.compile(r"\$\w+|\$\{\w+(?:[:-][^}]*)?\}")
# What only looks for a text.
_PRINTS = frozenset(["echo", "printf"])
_ESCAPED_BLANK = re.compile(r"\\[nrt]")
_ESCAPED_STRING = re.compile(r'\\"([^"\\]*)\\"')
_FLAG_BEFORE = re.compile(r"[\w./-]+=(?:([\w.-]+)=)?")
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
    words = [command.name, *command.arguments]
    fills_in = any(word.text in _FILLS_IN for word in words)
    for item in _Reader(piece, block, command.names).items(words):
        yield _with_holes(item) if fills_in and isinstance(item, Script) else item
    yield from _written(command, piece)
    if PurePosixPath(command.name.text).name not in _RUNS_TEXT | _SEARCHES:
        yield from _configs(command, piece)


def _with_holes(script: Script) -> Script:
    """Return text to run with holes where `parallel` and its kin fill something in."""
    text = _REPLACED.sub(lambda found: HOLE * len(found[0]), script.piece.text)
    return Script(replace(script.piece, text=text))


def _configs(command: Command, piece: Piece) -> Iterator[ConfigPiece | Trouble]:
    """Yield the words that are ConfigProtos, or flags with one: `--config='gpu_options {...}'`."""
    is_printed = command.name.text in _PRINTS
    if is_printed and command.is_shown:
        return
    for word in command.arguments:
        if LOOKS_LIKE.search(word.text) is None:
            continue
        if is_printed and word.text.count("{") != word.text.count("}"):
            details = (("text", word.text.strip("\"'")), ("why", "several commands write it"))
            yield Trouble("config-not-read", _span(piece, word, word), details)
            continue
        flag = _FLAG_BEFORE.match("" if word.quoted else word.text)
        part = word if flag is None else _tail(word, flag.end())
        # `--from-literal=session.config=...` of kubectl is a file, too.
        target = command.redirect[0] if is_printed or flag is None else flag[1] or ""
        has_escapes = is_printed
        if part.text.startswith("$'"):
            part, has_escapes = _tail(part, 1), True
        # What takes the place of an escape is as long, so that all after it stays in its place.
        if part.quoted and part.text.startswith('"'):
            inner = _ESCAPED_STRING.sub(r' "\1" ', part.text[1:-1])
            part = replace(part, text=f'"{inner}"', value=None)
        if has_escapes:
            part = replace(part, text=_ESCAPED_BLANK.sub("  ", part.text), value=None)
        if part.quoted:
            yield ConfigPiece(inside(part, piece), target=target)
        elif word.value is not None and part.value is not None:
            inner_piece = Piece(part.value, (_start(word, piece),), exact=False)
            yield ConfigPiece(inner_piece, target=target)


def _target(command: Command) -> str:
    """Return the file that a command writes to: by a redirection, or `tee`."""
    if command.name.text != "tee":
        return command.redirect[0]
    return next((word.text for word in command.arguments if word.text[:1] != "-"), "")


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


def _written(command: Command, piece: Piece) -> Iterator[Script | ConfigPiece | Setting]:
    """Yield the lines that a command writes to a file of settings, heredocs of shell, configs."""
    target, heredocs = command.redirect
    name = command.name.text
    for script in heredocs:
        if name.startswith("python"):
            yield from python_settings(script.piece, command.names)
        if LOOKS_LIKE.search(script.piece.text):
            yield ConfigPiece(script.piece, target=_target(command))
            continue
        if IS_JSON.search(script.piece.text):
            yield from json_pieces(script.piece, _target(command))
            continue
        is_script = name in _RUNS_TEXT or script.piece.text.startswith("#!")
        if is_script or _PROFILES.search(target):
            yield script
    if name in _PRINTS and _PROFILES.search(target):
        for word in command.arguments:
            if word.quoted:
                yield Script(inside(word, piece))
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
            yield from self._prefixed(rest, *_BEFORE_COMMANDS[name])
        elif name in _SINGULARITY:
            yield from self._singularity(rest)
        elif name in _CONTAINERS:
            yield from self._container(rest, name)
        elif name == "gcloud":
            yield from self._gcloud(rest)
        elif name == "kubectl":
            for word in rest:
                found = _LIMIT.search(word.value or "")
                setting = self._setting(word, Way.CONTAINER)
                if found is not None:
                    yield self._request("nvidia.com/gpu", found[1], word)
                elif setting is not None and setting.name in self._names:
                    yield setting
        elif name in ("qsub", "bsub"):
            yield from self._submitted(name, rest)
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
            if rest and rest[0].text == "-c" and rest[-1].quoted:
                yield from python_settings(inside(rest[-1], self._piece), self._names)
            module = rest[1].text if len(rest) > 1 else ""
            if module.startswith("torch.distributed."):
                yield from self._processes("torchrun", rest)
            elif module in _HOROVOD:
                yield from self._processes("horovodrun", rest)
        elif _VARIABLE.fullmatch(words[0].text) and rest and rest[0].text[:1] != "-":
            # What a variable may put before a command: other variables, a program that starts it.
            yield from self.items(rest)
        else:
            yield from self._serving(words[0], rest)
        if name in _RUNS_TEXT:
            for word in rest:
                if word.quoted and ("=" in word.text or "-" in word.text):
                    yield Script(inside(word, self._piece))

    def _prefixed(self, words: list[Word], options: str, operands: int) -> Iterator[Found]:
        """Read `env -u X A=1 B=2 command`; `options` take a value, `operands` are no command."""
        takes = options.split()
        before = ""
        for index, word in enumerate(words):
            setting = self._setting(word, Way.COMMAND)
            is_value = before in takes
            before = "" if is_value else word.text
            if is_value or word.text.startswith("-"):
                continue
            if setting is not None:
                yield setting
            elif operands:
                operands -= 1
            else:
                yield from self.items(words[index:])
                return

    def _singularity(self, words: list[Word]) -> Iterator[Found]:
        """Read `singularity exec --env A=1,B=2 image command`."""
        for option, value in zip(words, [*words[1:], None], strict=False):
            flag, equals, _ = option.text.partition("=")
            given = _tail(option, len(flag) + 1) if equals else value
            if flag in ("--nv", "--nvccli"):
                yield self._request("singularity --nv", "", option)
            if flag == "--env" and given is not None:
                yield from self._exports(given, Way.CONTAINER)
        images = [n for n, word in enumerate(words) if word.text.endswith((".sif", ".simg"))]
        if images and images[0] + 1 < len(words):
            yield from self.items(words[images[0] + 1 :])

    def _gcloud(self, words: list[Word]) -> Iterator[Found]:
        for option, value in zip(words, [*words[1:], None], strict=False):
            flag, equals, _ = option.text.partition("=")
            given = _tail(option, len(flag) + 1) if equals else value
            count = flag_value(flag, given) if given is not None else None
            if given is not None and count is not None:
                yield self._request(ACCELERATORS, count, given)

    def _submitted(self, name: str, words: list[Word]) -> Iterator[Found]:
        for option, value in pairwise(words):
            request = command_option(name, option.text, value.value or "")
            if request is not None:
                yield self._request(*request, value)

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
                if not before.startswith("-") or "=" in before or _GLUED.fullmatch(before):
                    yield from self.items(words[index:])
                    return
                continue
            option, equals, _ = word.text.partition("=")
            value = _tail(word, len(option) + 1) if equals else None
            if _GLUED.fullmatch(word.text):
                option, value = word.text[:2], _tail(word, 2)
            elif value is None and index + 1 < len(words):
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

    def _exports(self, word: Word, way: Way = Way.COMMAND) -> Iterator[Setting]:
        """Read `--export=ALL,A=1,B=2`: a list that breaks at every comma."""
        for item in (word.value or "").split(","):
            found = ASSIGNMENT.fullmatch(item)
            if found is not None:
                yield self._made(found[1], found[2], found[2], word, way)

    def _processes(self, name: str, words: list[Word]) -> Iterator[Found]:
        """Yield how many processes a launcher starts of a Python program."""
        texts = [word.text for word in words]
        is_alone = ONE_TASK.search(" ".join(texts)) is not None
        if not any(map(PYTHON.search, texts)) or "-c" in texts or is_alone:
            return
        shown = {"horovodrun": "horovodrun -np", "srun": "srun --ntasks", "torchrun": _TORCH}
        for option, value in zip(words, [*words[1:], None], strict=False):
            flag, equals, _ = option.text.partition("=")
            is_count = flag in _COUNTS if name != "torchrun" else _PER_NODE.fullmatch(flag)
            given = _tail(option, len(flag) + 1) if equals else value
            if _GLUED.fullmatch(option.text):
                is_count, given = option.text.startswith("-n"), _tail(option, 2)
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
        for index, word in enumerate(words):
            if PurePosixPath(word.text).name in _SHELLS:
                yield from self.items(words[index:])
                return

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
    """Return the rest of a word after its first characters, which are no quotes."""
    text = word.text[length:]
    value = None if word.value is None else word.value[length:]
    quoted = text[:1] in ("'", '"') and text[-1:] == text[:1]
    start = (word.start[0], word.start[1] + length)
    return Word(value, text, start, word.end, quoted, default_of(text.strip("\"'")))


def inside(word: Word, piece: Piece) -> Piece:
    """Return the text inside a string; unescaped where it has escapes."""
    raw = word.text[1:-1]
    row, column = word.start
    part = piece.part((row, column + 1), raw)
    known = word.value
    if known is None and word.text[0] == '"' and "\n" not in raw:
        known = raw.replace('\\"', '"')
    if known is None or raw == known:
        return part
    return Piece(known, part.starts[:1], exact=False, block=piece.block)


def _span(piece: Piece, first: Word, last: Word) -> Span:
    return piece.span(first.start, last.end)
