"""Configs that a property returns, and methods of objects of known classes."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.tools import RAW, analysed, check_body, check_body_kept, names

SOFT = "tf.ConfigProto(allow_soft_placement=True)"
SET = "tf.config.set_soft_device_placement(True)"


def test_property_of_self() -> None:
    check_body(
        f"""
        class Trainer:
            # What a session may do.
            @property  # made anew each time
            # Do not cache.
            def config(self):
                return {SOFT}

            def run(self):
                config = self.config
                return tf.Session(config=config)
        """,
        f"""
        class Trainer:
            # What a session may do.
            # made anew each time
            # Do not cache.
            def config(self):
                {SET}

            def run(self):
                self.config()
                return tf.Session()
        """,
    )


def test_property_of_an_object() -> None:
    check_body(
        f"""
        class Base(object):
            @property
            def config(self):
                return {SOFT}


        class Settings(Base):
            pass


        def run(flags):
            settings = Settings(flags)
            with tf.Session(config=settings.config) as sess:
                sess.run([])


        def main(flags):
            settings = Settings(flags)
            with tf.Session(config=settings.config) as sess:
                sess.run([])
        """.replace("            settings = None\n", ""),
        f"""
        class Base(object):
            def config(self):
                {SET}


        class Settings(Base):
            pass


        def run(flags):
            settings = Settings(flags)
            settings.config()
            with tf.Session() as sess:
                sess.run([])


        def main(flags):
            settings = Settings(flags)
            settings.config()
            with tf.Session() as sess:
                sess.run([])
        """,
    )


def test_property_that_returns_another_one() -> None:
    check_body(
        f"""
        class Trainer:
            @property
            def defaults(self):
                return {SOFT}

            @property
            def config(self):
                config = self.defaults
                config.gpu_options.allow_growth = True
                return config

            def run(self):
                return tf.Session(config=self.config)
        """,
        f"""
        class Trainer:
            def defaults(self):
                {SET}

            def config(self):
                self.defaults()
                for gpu in tf.config.list_physical_devices("GPU"):
                    tf.config.experimental.set_memory_growth(gpu, True)

            def run(self):
                self.config()
                return tf.Session()
        """,
    )


def test_property_that_is_only_named() -> None:
    check_body(
        f"""
        class Trainer:
            @property
            def config(self):
                return {SOFT}

            def run(self):
                self.config
                return tf.Session(config=self.config)
        """,
        f"""
        class Trainer:
            def config(self):
                {SET}

            def run(self):
                self.config()
                self.config()
                return tf.Session()
        """,
    )


def test_method_of_an_object() -> None:
    check_body(
        f"""
        class Settings:
            def config(self, growth):
                config = {SOFT}
                config.gpu_options.allow_growth = growth
                return config


        def main(flags):
            settings = Settings()
            return tf.Session(config=settings.config(flags.growth))
        """,
        f"""
        class Settings:
            def config(self, growth):
                {SET}
                for gpu in tf.config.list_physical_devices("GPU"):
                    tf.config.experimental.set_memory_growth(gpu, growth)


        def main(flags):
            settings = Settings()
            settings.config(flags.growth)
            return tf.Session()
        """,
    )


CLASS = f"""
        class Settings{{}}:
            @property
            def config(self):
                return {SOFT}
{{}}
"""
MAIN = """
        def main():
            settings = Settings()
            {}
            return tf.Session(config=settings.config)
"""
PLAIN = CLASS.format("", "") + MAIN
USES = {
    "called": ("settings.config()", "returned-away"),
    "taken apart": ("settings.config.gpu_options.allow_growth = True", "returned-away"),
    "deleted": ("del settings.config", "returned-away"),
    "set": ("settings.config = None", "returned-away"),
    "of the class": ("print(Settings.config)", "returned-away"),
    "by a string": ('print(getattr(load(), "config"))', "returned-away"),
    "of an unknown object": ("print(load().config)", "shared-attribute"),
    "another object": ("settings = load()", "shared-attribute"),
}


@pytest.mark.parametrize(("use", "reason"), USES.values(), ids=list(USES))
def test_other_uses_keep_it(use: str, reason: str) -> None:
    check_body_kept(PLAIN.format(use), reason)


def test_tf_config_is_no_attribute_of_that_name() -> None:
    program = """
        class Trainer:
            def run(self):
                self.config = tf.ConfigProto(allow_soft_placement=True)
                return tf.Session(config=self.config)


        def pin(tf):
            {}
        """
    shared = []
    for use in ("tf.config.experimental.list_physical_devices()", "tf.config.device_count"):
        result = analysed(RAW + dedent(program.format(use)))
        shared.append("shared-attribute" in names(result))
    assert shared == [False, True]


CLASSES = {
    "an unknown base": ("(load())", ""),
    "a metaclass": ("(metaclass=Meta)", ""),
    "something else is made": ("", "\n            def __new__(cls):\n                pass"),
    "something else is read": (
        "",
        "\n            def __getattribute__(self, name):\n                pass",
    ),
    "a setter": (
        "",
        "\n            @config.setter\n            def config(self, value):\n                pass",
    ),
    "a class method": (
        "",
        "\n            @classmethod\n            def show(cls):\n                print(cls.config)",
    ),
    "in __new__": (
        "",
        "\n            def __init_subclass__(cls):\n                print(cls.config)",
    ),
    "of another class": (
        "",
        "\n        class Other(Settings):\n            config = None",
    ),
    "an unknown base of a base": ("(Base)", "\n        class Base(load()):\n            pass"),
    "a base of itself": ("(Settings)", ""),
}


@pytest.mark.parametrize(("bases", "more"), CLASSES.values(), ids=list(CLASSES))
def test_classes_that_are_not_plain(bases: str, more: str) -> None:
    before = CLASS.format(bases, more) + MAIN.format("")
    may_be_any = "config" in more or "load" in bases
    check_body_kept(before, "returned-away" if may_be_any else "shared-attribute")


OTHERS = {
    "cached": """
        import functools


        class Settings:
            @functools.cached_property
            def config(self):
                return tf.ConfigProto()

            def run(self):
                return tf.Session(config=self.config)
        """,
    "another property": """
        from lazy import property


        class Settings:
            @property
            def config(self):
                return tf.ConfigProto()

            def run(self):
                return tf.Session(config=self.config)
        """,
    "one of two objects": """
        class Settings:
            @property
            def config(self):
                return tf.ConfigProto()


        settings = Settings()
        settings = other
        sess = tf.Session(config=settings.config)
        """,
    "behind a call": """
        class Settings:
            @property
            def config(self):
                return tf.ConfigProto(intra_op_parallelism_threads=self.threads)


        def main():
            settings = Settings()
            return tf.Session(change(settings), config=settings.config)
        """,
}


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        *zip(
            OTHERS.values(),
            ["returned-away", "returned-away", "shared-attribute", "evaluation-order"],
            strict=True,
        )
    ],
    ids=list(OTHERS),
)
def test_other_properties_are_kept(before: str, reason: str) -> None:
    check_body_kept(before, reason)
