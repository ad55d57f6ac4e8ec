"""What commands set for the programs that they start: `env`, `docker run`, `srun`, `bash -c`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from tfgpu.dataclass import replace
from tfgpu.environment.command import Found, Script, Word, default_of, inside, span_of, tail_of
from tfgpu.environment.jobs import ACCELERATORS, command_option, flag_value
from tfgpu.environment.model import LIKE_NAME, Setting, Span, Way
from tfgpu.environment.piece import Piece
from tfgpu.environment.programs import ONE_TASK, PYTHON
from tfgpu.environment.serving import PROGRAM, serving_items
from tfgpu.environment.setters import python_settings
from tfgpu.files.pattern import expression

_SHELLS = frozenset(["bash", "sh", "zsh", "ksh", "dash"])
# What takes commands as text.
RUNS_TEXT = _SHELLS | frozenset(
    ["eval", "ssh", "tmux", "screen", "su", "parallel", "watch", "sbatch", "qsub"]
)
# Of these, what runs it in a shell that goes on.
_SAME_SHELL = frozenset(["eval", "tmux", "screen"])
_CONTAINERS = frozenset(
    ["docker", "docker-compose", "podman", "nvidia-docker", "nvidia-docker2", "nerdctl"]
)
_CONTAINER_VERBS = frozenset(["run", "create", "exec"])
_JOBS = frozenset(["srun", "sbatch", "salloc"])
_LAUNCHERS = frozenset(["mpirun", "mpiexec", "mpiexec.hydra", "horovodrun", "torchrun"])
_HOROVOD = ("horovod.run", "horovod.runner", "horovod.runner.launch")
_COUNTS = frozenset(["-np", "-n", "--np", "--num-proc", "--ntasks"])
_PER_NODE = expression(r"--nproc[-_]per[-_]node")
_TORCH = "torchrun --nproc_per_node"
SPARK = expression(r"spark\.(?:task|executor|driver)\.resource\.gpu\.amount")
_LIMIT = expression(r"nvidia\.com/gpu=(\d+)")
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
    "xargs": ("-I -J -P -n -L -d -a -s -E --max-procs --max-args --delimiter", 0),
    **dict.fromkeys(["nohup", "setsid", "command", "unbuffer", "tini", "dumb-init"], ("", 0)),
    "exec": ("-a", 0),
}
# Options of GNU parallel that take a value after a blank, and what ends its command.
_OF_PARALLEL = (
    "-I -j -P -S -a -n -N -L -l -s -C -E --jobs --max-procs --sshlogin --arg-file --colsep --delay"
    " --joblog --results --timeout --retries --tmpdir --workdir --wd --halt --env --max-args"
)
_ARGUMENTS = frozenset([":::", ":::+", "::::", "::::+"])
_EXECUTES = frozenset(["-exec", "-execdir", "-ok", "-okdir"])
_SINGULARITY = frozenset(["singularity", "apptainer"])
_GLUED = expression(r"-[nG]\d+")
_VARIABLE = expression(r"\$\w+|\$\{\w+(?:[:-][^}]*)?\}")
# Options of `docker run` that take no value.
_FLAGS = frozenset(
    ["--rm", "--privileged", "--init", "--interactive", "--tty", "--detach", "--read-only",
     "--publish-all", "--no-healthcheck", "--oom-kill-disable", "--quiet", "--sig-proxy",
     "--disable-content-trust"]
)  # fmt: skip
_SHORT_FLAGS = expression(r"-[itdPq]+")
ASSIGNMENT = expression(f"({LIKE_NAME.pattern})=(.*)", re.DOTALL)


def _options(words: list[Word]) -> Iterator[tuple[Word, str, Word | None]]:
    """Yield words with the option that each may be, and its value: behind `=`, or the next word."""
    for word, following in zip(words, [*words[1:], None], strict=False):
        option, equals, _ = word.text.partition("=")
        yield word, option, tail_of(word, len(option) + 1) if equals else following


def _takes_value(option: str, takes: list[str]) -> bool:
    """Tell whether the next word is the value of an option: `-I`, or the last letter of `-rI`."""
    if option in takes:
        return True
    letters = [f"-{letter}" for letter in option[1:]]
    is_cluster = option.startswith("-") and option[1:].isalpha() and len(letters) > 1
    return is_cluster and letters[-1] in takes and not set(letters[:-1]) & set(takes)


class Starter:
    """Reads the words of one command, and of the command that it starts."""

    def __init__(self, piece: Piece, block: str, names: frozenset[str]) -> None:
        self._piece = piece
        self._block = block
        self._names = names

    def items(self, words: list[Word]) -> Iterator[Found]:
        """Yield what the words of a command set and ask for, and the text that it runs."""
        name = PurePosixPath(words[0].value or words[0].text).name
        rest = words[1:]
        if name in _BEFORE_COMMANDS:
            yield from self._prefixed(rest, *_BEFORE_COMMANDS[name])
        elif name == "parallel":
            yield from self._parallel(rest)
        elif name == "find":
            for index, word in enumerate(rest[:-1]):
                if word.text in _EXECUTES:
                    yield from self.items(rest[index + 1 :])
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
        if name in RUNS_TEXT:
            for word in rest:
                if word.quoted and ("=" in word.text or "-" in word.text):
                    text = replace(inside(word, self._piece), ends=name not in _SAME_SHELL)
                    yield Script(text)

    def _prefixed(self, words: list[Word], options: str, operands: int) -> Iterator[Found]:
        """Read `env -u X A=1 B=2 command`; `options` take a value, `operands` are no command."""
        takes = options.split()
        before = ""
        for index, word in enumerate(words):
            setting = self._setting(word, Way.COMMAND)
            is_value = _takes_value(before, takes)
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

    def _parallel(self, words: list[Word]) -> Iterator[Found]:
        """Read `parallel -j2 A={%} command ::: 1 2`, whose words are shell together.

        A string with a command in it is read as text.
        """
        ends = (index for index, word in enumerate(words) if word.text in _ARGUMENTS)
        command = words[: next(ends, len(words))]
        alone = [word for word in command if not (word.quoted and " " in word.text)]
        yield from self._prefixed(alone, _OF_PARALLEL, 0)

    def _singularity(self, words: list[Word]) -> Iterator[Found]:
        """Read `singularity exec --env A=1,B=2 image command`."""
        for option, flag, given in _options(words):
            if flag in ("--nv", "--nvccli"):
                yield self._request("singularity --nv", "", option)
            if flag == "--env" and given is not None:
                yield from self._exports(given, Way.CONTAINER)
        images = [n for n, word in enumerate(words) if word.text.endswith((".sif", ".simg"))]
        if images and images[0] + 1 < len(words):
            yield from self.items(words[images[0] + 1 :])

    def _gcloud(self, words: list[Word]) -> Iterator[Found]:
        for _, flag, given in _options(words):
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
                value, option, takes = tail_of(word, 2), "-e", False
            elif equals:
                value = tail_of(word, len(option) + 1)
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
            return span_of(self._piece, first, last)

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
            yield self._request("docker --device", word.value, word)

    def _job(self, words: list[Word]) -> Iterator[Found]:
        for index, (word, option, value) in enumerate(_options(words)):
            if not word.text.startswith("-"):
                before = words[index - 1].text if index else ""
                if not before.startswith("-") or "=" in before or _GLUED.fullmatch(before):
                    yield from self.items(words[index:])
                    return
                continue
            is_glued = _GLUED.fullmatch(word.text) is not None
            given = tail_of(word, 2) if is_glued else value
            if given is not None:
                yield from self.job_option(word.text[:2] if is_glued else option, given)

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
        for word, flag, value in _options(words):
            is_count = flag in _COUNTS if name != "torchrun" else _PER_NODE.fullmatch(flag)
            given = value
            if _GLUED.fullmatch(word.text):
                is_count, given = word.text.startswith("-n"), tail_of(word, 2)
            if is_count and given is not None and given.value != "1":
                yield self._request(shown.get(name, "mpirun -np"), given.value, given)
                return

    def _spark(self, words: list[Word]) -> Iterator[Found]:
        for word in words:
            key, _, amount = (word.value or "").partition("=")
            if SPARK.fullmatch(key):
                yield self._request(f"spark {key}", amount, tail_of(word, len(key) + 1))

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
        return Setting(
            name, value, text, span_of(self._piece, word, word), way, default, self._block
        )
