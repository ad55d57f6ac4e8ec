"""The last look at what plans take away stops what was noted to go, and is still needed."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import pytest

from tests.tools import check_kept
from tfgpu.code.values import Values
from tfgpu.flow.locations import Holder, Holders


def _goes_whole(self: Holders, holder: Holder, node: ast.AST, _targets: Sequence[ast.expr]) -> None:
    """Note a whole assignment of None, whatever else is in it."""
    assert isinstance(node, ast.stmt)
    self.facts[holder].nones.append(node)
    self.goes(holder, node)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param("sess = config = None", id="a variable that is read"),
        pytest.param("config = load(sess := 1)", id="a call"),
    ],
)
def test_statement_that_does_more_than_to_carry_a_config(
    first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Holders, "gives_none", _goes_whole)
    is_none = Values.is_none
    monkeypatch.setattr(
        Values, "is_none", lambda self, node: "load" in ast.dump(node) or is_none(self, node)
    )
    check_kept(
        f"""
        import tensorflow as tf

        {first}
        config = tf.ConfigProto(allow_soft_placement=True)
        print(sess)
        with tf.Session(config=config):
            pass
        """,
        "stored",
    )


def test_attribute_that_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Holders, "gives_none", _goes_whole)
    check_kept(
        """
        import tensorflow as tf

        class Model:
            def __init__(self):
                self.config = self.step = None

            def train(self):
                self.config = tf.ConfigProto(allow_soft_placement=True)
                print(self.step)
                with tf.Session(config=self.config):
                    pass

        Model().train()
        """,
        "stored",
    )
