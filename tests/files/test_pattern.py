"""Words and expressions that files are searched for."""

from __future__ import annotations

from itertools import chain

import pytest

from tfgpu.code import dynamic
from tfgpu.decide import eager, effects, forks, keras_traces, savers
from tfgpu.flow import environment
from tfgpu.program.units import DYNAMIC, makes_sessions, matters
from tfgpu.rulebook.book import load_rulebook

BOOK = load_rulebook()


def uses(name: str) -> list[bytes]:
    """Return ways to use what has a canonical name; a method of an object has a dot in front."""
    path = name.removesuffix(".*")
    path += ".x" if name.endswith((".*", ".")) else ""
    above, _, last = path.rstrip(".").rpartition(".")
    above = f"tensorflow{above[2:]}" if above.partition(".")[0] == "tf" else above
    if not above or above.rpartition(".")[2].istitle() or "TestCase" in above:
        return [f"call = thing.{last}\n".encode(), f"thing.{last}(1)\n".encode()]
    return [f"{path}(1)\n".encode(), f"from {above} import one, {last}\n".encode()]


@pytest.mark.parametrize(
    "text",
    [
        b"sess = tf.Session()", b"with self.session() as s:", b"with make_session() as s:",
        b"os.environ['A']", b"import ray\n", b"tf.data.Dataset", b"x = tensorflow.contrib.data",
    ],
)  # fmt: skip
def test_what_can_matter_for_a_config(text: bytes) -> None:
    assert matters().search(text)


@pytest.mark.parametrize(
    "text", [b"np.array(x)", b"mysession(x)", b"environment", b"rays", b"self.data", b"xtf.data"]
)
def test_parts_of_other_words_do_not_matter(text: bytes) -> None:
    assert not matters().search(text)


@pytest.mark.parametrize("text", [b"import runpy", b"exec(code)", b"importlib.import_module(x)"])
def test_what_may_run_any_file(text: bytes) -> None:
    assert DYNAMIC.search(text)


@pytest.mark.parametrize("text", [b"cursor.myexec(x)", b"execute(x)", b"timeits"])
def test_parts_of_other_words_run_no_file(text: bytes) -> None:
    assert not DYNAMIC.search(text)


def test_what_the_analysis_asks_for_matters() -> None:
    starts = (name for name in BOOK.starts_runtime.names if name[0] != "!")
    names = {*starts, *BOOK.sinks, *BOOK.makers, *BOOK.queries, *BOOK.sessions}
    names |= {*forks.FORKS, *savers._SAVERS, *eager._PYTHON_OPERATIONS}
    names |= {*effects._THREADS, *effects._CHILDREN, *effects._ENVIRONMENTS}
    names |= {*environment._LOADERS, *(f"os.{name}" for name in environment._SETTERS)}
    # Configs are given to methods of objects by a name: `session_config=`.
    names -= {name for name in BOOK.sinks if "RunConfig.replace" in name or "configure" in name}
    missed = [use for name in sorted(names) for use in uses(name) if not matters().search(use)]
    assert not missed


def test_every_call_that_makes_a_session_is_found() -> None:
    makers = {name for name, kind in BOOK.sessions.items() if kind in ("class", "call")}
    missed = [use for use in chain(*map(uses, makers)) if not makes_sessions().search(use)]
    assert not missed


def test_what_imports_modules_by_name_may_run_any_file() -> None:
    names = (
        dynamic._IMPORTERS
        | dynamic.OBJECT_FINDERS
        | dynamic._TEXT_FINDERS
        | {"exec", "execfile", "__import__"}
    )
    # They run again what is imported already.
    names -= {"importlib.reload", "imp.reload"}
    assert not [name for name in names if not DYNAMIC.search(f"{name}(x)".encode())]
    methods = dynamic._LOADERS | dynamic._SHELL
    assert not [name for name in methods if not DYNAMIC.search(f"x.{name}('run y')".encode())]


def test_what_of_keras_makes_the_eager_context_matters() -> None:
    names = [*keras_traces._SAID, *keras_traces._WEIGHTS]
    names += ["deserialize", "from_config", "save_format"]
    assert not [name for name in names if not matters().search(f"x.{name}(y)".encode())]
