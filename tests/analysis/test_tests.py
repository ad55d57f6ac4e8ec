"""Configs that tests read, and that what pytest runs before these has made."""

from __future__ import annotations

import pytest

from tests.tools import migrated

CLASS = """
import functools

import tensorflow as tf


class Base(object):
    pass


class {name}:
    {first}
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def test_number(self):
        with tf.Session(config=self.config) as sess:
            assert sess.run(tf.constant(1)) == 1

    def teardown_method(self):
        tf.Session(config=self.config).close()
{more}
"""


@pytest.mark.parametrize(
    "name, first, more, converts",
    [
        ("TestNet", "def setup_method(self):", "", True),
        ("TestNet(object)", "def setup_method(self, method):", "", True),
        ("TestNet", "@classmethod\n    def setup_class(self):", "", True),
        ("Net", "def setup_method(self):", "", False),  # it has no tests for pytest
        ("TestNet", "def prepare_method(self):", "", False),
        ("TestNet", "@functools.lru_cache\n    def setup_method(self):", "", False),
        ("TestNet(Base)", "def setup_method(self):", "", False),
        ("TestNet", "def setup_method(self):", "TestNet.setup_method = print", False),
        ("TestNet", "def setup_method(self):", "TestNet().test_number()", False),
    ],
)
def test_pytest_runs_a_method_before_tests(
    name: str, first: str, more: str, converts: bool
) -> None:
    text = migrated(CLASS.format(name=name, first=first, more=more))
    assert ("ConfigProto" not in text) is converts
