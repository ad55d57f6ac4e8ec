"""Which files of a project are analysed as one: those of the programs that have a config.

A program is an entry script with everything that it imports. Any of its files may be handed what
holds a config, and read or replace it by a name that is written nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property

from tfgpu.files.pattern import Pattern, expression
from tfgpu.program.modules import Modules
from tfgpu.rulebook.book import load_rulebook

# A project with no more files than this is analysed at once, whether it keeps its configs or not.
FEW_FILES = 40
SEED = Pattern((b"ConfigProto", b"GPUOptions", b"gpu_options", b"session_config"))
# What can matter for a config in a file that cannot be read, beside the names that rules have.
_WORDS = (
    b"Session", b"_session(", b"putenv", b"setenv", b"delenv", b"clearenv", b"getenv",
    b"expandvars", b"dotenv", b"ctypes", b".start(", b".submit(", b"run_in_executor", b"environs",
    b"setVisible", b"CUDA_", b"multiprocessing", b"fork(", b"os.fork", b"forkpty",
    b"ProcessPool", b"concurrent", b"joblib", b"pathos", b"billiard", b"threading", b"n_jobs",
    b"pickle", b"dill", b"shelve", b"pyspark", b"scipy.optimize", b"import optimize",
    b"asyncio", b"Coordinator", b"subprocess", b"os.system", b"popen", b"os.spawn", b"os.exec",
    b"posix_spawn", b"pty.spawn", b"from pty", b"distutils", b"pexpect", b"plumbum",
    b"session_config", b"import Dataset", b"tf.function", b"Strategy(", b"Saver", b"sharded",
    b".finalize(", b"py_func", b"numpy_function", b"script_ops", b"getattr(tf",
    b"import __main__", b"from __main__",
    # What of Keras makes the eager context: see decide/keras_traces.py.
    b"LSTM", b"GRU", b"deserialize", b"from_config", b"clone_model", b"model_from_", b"save_format",
    b"ModelCheckpoint",
)  # fmt: skip
_EXPRESSIONS = (
    rb"session\b(?<=\bsession)(?:\(|(?<=\.session))",
    rb"environb?\b",
    rb"%(?:set_)?env\b",
    rb"from (?:os|pty|posix) import [^\n]{0,500}(?:fork|exec|spawn|system)",
    rb"ray\b(?<=\bray)",
    rb"_thread\b(?<=\b_thread)",
    rb"tf\.data\b(?<=\btf\.data)",
    rb"tf\.contrib\.data\b(?<=\btf\.contrib\.data)",
    rb"tensorflow\.data\b(?<=\btensorflow\.data)",
    rb"tensorflow\.contrib\.data\b(?<=\btensorflow\.contrib\.data)",
)
# A call that makes a session, or a function that may, with something for a config.
_TAKES = Pattern(
    (), rb"Session\w*\([^)]{0,2000}config", rb"def[ \t]+\w+\([^)]{0,2000}(?:config|options|session)"
)
# What may import, or run, any file of the project.
DYNAMIC = Pattern(
    (
        b"import_module", b"__import__", b"_gcd_import", b"safeimport",
        b"spec_from_file", b"SourceFileLoader", b"load_source", b"load_module(",
        b"module_from_spec", b"load_package", b"meta_path",
        b"zipimporter", b"resolve_name",
        b"sys.modules[", b"execfile(", b"entry_points", b"import_string", b"instantiate(",
        b"get_method(", b"loadTestsFromName", b".discover(", b"rofile.run", b"pdb.run",
        b".run_cell", b".safe_execfile(", b".ex(", b"exec_module(",
        b"EntryPoint", b"fileConfig",
    ),
    rb"runpy\b(?<=\brunpy)",
    rb"exec\((?<=\bexec\()",
    rb"unittest\.(?:main|TestProgram)\([^)]",
    rb"pkgutil\b(?<=\bpkgutil)",
    rb"timeit\b(?<=\btimeit)",
    rb"pydoc\b(?<=\bpydoc)",
    rb"magic\([\"']%*(?:run|ed|edit|time|timeit|prun|lprun|memit|mprun|snakeviz|capture|debug)\b",
)  # fmt: skip
# What makes sessions, or says what they have, beside the names that rules have.
_SESSION_WORDS = (
    b"ConfigProto", b"CUDA_VISIBLE", b"getattr(tf", b"import __main__", b"from __main__",
)  # fmt: skip
# What stands for all test modules.
_TESTS = ""
_TEST = expression(r"(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$")


@cache
def matters() -> Pattern:
    """Return what can matter for a config in a file of its program that cannot be read.

    A config is given to methods of objects as `session_config`, or to a `session`.
    """
    book = load_rulebook()
    methods = book.starts_runtime.methods
    names = {*book.sinks, *book.makers, *book.queries, *book.sessions, *book.config_names}
    names |= {name for name in book.starts_runtime.names if name[0] != "!"}
    words, expressions = _spelled(names)
    named = "|".join(sorted(methods)).encode()
    return Pattern((*_WORDS, *words), *_EXPRESSIONS, *expressions, rb"[\"'](?:%s)[\"']" % named)


@cache
def makes_sessions() -> Pattern:
    """Return what makes sessions, or says what they have."""
    book = load_rulebook()
    makers = {name for name, kind in book.sessions.items() if kind in ("class", "call")}
    words, expressions = _spelled({*book.sinks, *book.makers, *makers})
    return Pattern((*_SESSION_WORDS, *words), rb"[sS]ession\w*\(", *expressions)


def _spelled(names: Iterable[str]) -> tuple[list[bytes], list[bytes]]:
    """Return the words, and expressions, by which files that use some names are found.

    A name is found by its last part where hardly any other code has that, else by what it is in; a
    method, or a plain word, behind a dot.
    """
    words, plain = set(), set()
    for name in names:
        *above, last = name.removesuffix(".*").split(".")
        if _is_own(last):
            words.add(last.encode())
        elif above[0] not in ("", "tf", "keras"):
            words.add(above[0].encode())
        elif "_" in above[-1]:  # `tf.contrib.learn.learn_runner.run`
            words.add(above[-1].encode())
        elif name.endswith(".*"):  # `tf.python.eager.function.*`, and not `tf.data.*`
            words |= {".".join([*above, last][1:3]).encode()} if len(above) > 1 else set()
        elif above[-1].islower() or not above[-1]:
            plain.add(last)
    called = "|".join(sorted(plain)).encode()
    imported = rb"import[ \t(][^\n]{0,500}\b(?:%s)\b" % called
    return sorted(words), [rb"\.(?:%s)\b(?!\.)" % called, imported]


def _is_own(name: str) -> bool:
    """Tell whether a name is hardly that of anything else."""
    return not name.islower() or "_" in name


def units(modules: Modules, gated: Mapping[str, bytes]) -> Iterator[list[str]]:
    """Yield the files that are analysed as one, sorted; each of `gated` is in one of the lists.

    `gated` are files that hold a word of interest, with their bytes. Other files of their programs
    are added where they can matter.
    """
    found = _Units(modules)
    for path, data in gated.items():
        found.members.setdefault(path, path)
        if SEED.search(data):
            found.add_programs(path)
    yield from found.lists()


def files_around(modules: Modules, seeds: Iterable[str]) -> frozenset[str]:
    """Return every file of the programs that can decide on files with configs.

    Of the scripts that import modules by names known only at run time, and of what they may import,
    only files in the folder of a file with configs, or above it, count.
    """
    found = _Units(modules, near=True)
    for seed in seeds:
        found.add_programs(seed)
    return frozenset(found.files)


class _Units:
    """Sets of files that are analysed as one."""

    def __init__(self, modules: Modules, near: bool = False) -> None:
        self._modules = modules
        self._near = near
        self.members: dict[str, str] = {}
        # Every file of the programs that were looked at.
        self.files: set[str] = set()
        # Those of which the programs were looked at, and the entry scripts of those, each with
        # whether it may import any file.
        self._seeds: set[str] = set()
        self._tops: dict[str, bool] = {}

    def add_programs(self, seed: str) -> None:
        """Add the files of its programs that can affect the configs of a file."""
        waiting = [seed] if seed not in self._seeds else []
        asked: dict[str, set[str]] = {}
        while waiting:
            seed = waiting.pop()
            self._seeds.add(seed)
            asked[seed] = self._tops_of(seed)
            for top in sorted(asked[seed]):
                paths = self._tests if top == _TESTS else [top]
                self._join(seed, paths[0])
                if top not in self._tops:
                    self._tops[top] = False
                    found = set(self._follow(top, paths)) - self._seeds
                    self._seeds |= found
                    waiting += sorted(found)
        for seed, tops in asked.items():
            if any(self._tops[top] for top in tops):
                self._join_all(seed)

    def _tops_of(self, seed: str) -> set[str]:
        """Return the entry scripts of the programs of a file, with one name for all tests."""
        modules = self._modules
        above = modules.programs(seed)
        tops = {path for path in above if not modules.importers(path)} or set(above)
        # A script that imports by names of a run may import the file, too.
        tops |= self._scripts(modules.above(seed)) if self._near else self._dynamic
        if above.isdisjoint(self._tests):
            return tops
        return tops.difference(self._tests) | {_TESTS}

    @cached_property
    def _tests(self) -> list[str]:
        """The test modules: pytest imports all of them into one process."""
        return sorted(filter(_TEST.search, self._modules.paths))

    def _follow(self, top: str, paths: list[str]) -> Iterator[str]:
        """Add what can matter of programs; yield files of it that may take configs of others.

        `paths` are the files that they start with, and `top` is what stands for them.
        """
        modules = self._modules
        for path in paths:
            closure = modules.closure(path)
            self.files |= closure
            for other in sorted(closure):
                self._join(paths[0], other)
                # Other programs may give it configs, or none.
                if modules.holds(_TAKES, other):
                    yield other
            if not self._tops[top] and any(modules.holds(DYNAMIC, other) for other in closure):
                self._tops[top] = True

    @cached_property
    def _dynamic(self) -> frozenset[str]:
        """The entry scripts of programs that import modules by names known only at run time."""
        return self._scripts(self._modules.paths)

    def _scripts(self, paths: Iterable[str]) -> frozenset[str]:
        """Return the entry scripts of those of these files that import modules by such names."""
        modules = self._modules
        found: set[str] = set()
        for path in paths:
            if modules.holds(DYNAMIC, path):
                above = modules.programs(path)
                found |= {top for top in above if not modules.importers(top)} or above
        return frozenset(found)

    def _join_all(self, seed: str) -> None:
        """Add all files that make sessions: the program may import any of them."""
        for path in self._modules.above(seed) if self._near else self._modules.paths:
            if self._modules.holds(makes_sessions(), path):
                self._join(seed, path)
                self.files.add(path)

    def _find(self, path: str) -> str:
        while self.members[path] != path:
            self.members[path] = self.members[self.members[path]]
            path = self.members[path]
        return path

    def _join(self, one: str, other: str) -> None:
        for path in (one, other):
            self.members.setdefault(path, path)
        self.members[self._find(other)] = self._find(one)

    def lists(self) -> Iterator[list[str]]:
        """Yield the members of each set, sorted."""
        found: dict[str, list[str]] = {}
        for path in self.members:
            found.setdefault(self._find(path), []).append(path)
        yield from map(sorted, found.values())
