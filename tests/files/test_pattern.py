"""Words and expressions that files are searched for."""

from __future__ import annotations

import pytest

from tfgpu.program.units import DYNAMIC, MATTERS


@pytest.mark.parametrize(
    "text",
    [
        b"sess = tf.Session()", b"with self.session() as s:", b"with make_session() as s:",
        b"os.environ['A']", b"import ray\n", b"tf.data.Dataset", b"x = tensorflow.contrib.data",
    ],
)  # fmt: skip
def test_what_can_matter_for_a_config(text: bytes) -> None:
    assert MATTERS.search(text)


@pytest.mark.parametrize(
    "text", [b"np.array(x)", b"mysession(x)", b"environment", b"rays", b"self.data", b"xtf.data"]
)
def test_parts_of_other_words_do_not_matter(text: bytes) -> None:
    assert not MATTERS.search(text)


@pytest.mark.parametrize("text", [b"import runpy", b"exec(code)", b"importlib.import_module(x)"])
def test_what_may_run_any_file(text: bytes) -> None:
    assert DYNAMIC.search(text)


@pytest.mark.parametrize("text", [b"cursor.myexec(x)", b"execute(x)", b"timeits"])
def test_parts_of_other_words_run_no_file(text: bytes) -> None:
    assert not DYNAMIC.search(text)
