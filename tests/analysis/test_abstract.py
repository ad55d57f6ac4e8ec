"""Methods that return a config where their name has several: abstract ones, and other classes'."""

from __future__ import annotations

import pytest

from tests.tools import RAW, check_body, check_not_converted

BASE = """
import abc


class Base({bases}):
    {decorator}
    def make_config(self):
        {body}

    def train(self):
        return tf.Session(config=self.make_config())


"""
SUB = """
class Trainer(Base):
    def make_config(self):
        return tf.ConfigProto(allow_soft_placement=True)

"""


def _base(body: str, bases: str = "object", decorator: str = "# what it trains with") -> str:
    return BASE.format(body=body, bases=bases, decorator=decorator)


@pytest.mark.parametrize(
    ("body", "bases", "decorator"),
    [
        ("raise NotImplementedError", "object", "# to do"),
        ("raise NotImplementedError()", "object", "# to do"),
        ('"""Tell."""\n        raise NotImplementedError("%s" % type(self))', "object", "# to do"),
        ("pass", "abc.ABC", "@abc.abstractmethod"),
        ("pass", "metaclass=abc.ABCMeta", "@abc.abstractmethod"),
    ],
)
def test_the_method_of_the_one_class_that_has_it(body: str, bases: str, decorator: str) -> None:
    base = _base(body, bases, decorator)
    check_body(
        base + SUB + "Trainer().train()\n",
        base.replace(
            "        return tf.Session(config=self.make_config())",
            "        self.make_config()\n        return tf.Session()",
        )
        + SUB.replace(
            "return tf.ConfigProto(allow_soft_placement=True)",
            "tf.config.set_soft_device_placement(True)",
        )
        + "Trainer().train()\n",
    )


OTHER = """
class Other(Base):
    {member}

Other().train()
"""


@pytest.mark.parametrize(
    "program",
    [
        _base("return None") + SUB,
        _base("pass", decorator="@abc.abstractmethod") + SUB,
        _base("raise NotImplementedError(self.ask())") + SUB,
        _base("raise ValueError") + SUB,
        _base("raise NotImplementedError") + SUB + OTHER.format(member="make_config = None"),
        _base("raise NotImplementedError")
        + SUB
        + OTHER.format(member="def make_config(self): return None"),
        _base("raise NotImplementedError") + SUB + "Trainer.make_config = lambda self: None\n",
        _base("raise NotImplementedError")
        + SUB
        + "class Mixed(Other, Trainer):\n    pass\n\nMixed().train()\n",
    ],
)
def test_a_method_that_another_one_may_stand_for(program: str) -> None:
    check_not_converted(RAW + program + "Trainer().train()\n")


def test_classes_with_a_method_of_one_name() -> None:
    check_body(
        """
        class Trainer(object):
            def make_config(self):
                return tf.ConfigProto(allow_soft_placement=True)

            def train(self):
                return tf.Session(config=self.make_config())


        class Reader(object):
            def make_config(self):
                return {"steps": 3}


        print(Reader().make_config())
        Trainer().train()
        """,
        """
        class Trainer(object):
            def make_config(self):
                tf.config.set_soft_device_placement(True)

            def train(self):
                self.make_config()
                return tf.Session()


        class Reader(object):
            def make_config(self):
                return {"steps": 3}


        print(Reader().make_config())
        Trainer().train()
        """,
    )


def test_a_method_of_an_object_that_may_be_of_either_class() -> None:
    check_not_converted(
        RAW
        + """
class Trainer(object):
    def make_config(self):
        return tf.ConfigProto(allow_soft_placement=True)


class Reader(object):
    def make_config(self):
        return None


for one in (Trainer(), Reader()):
    tf.Session(config=one.make_config())
"""
    )
