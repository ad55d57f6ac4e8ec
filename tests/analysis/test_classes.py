"""Configs in methods and attributes of classes: static and class methods, and inherited ones."""

from __future__ import annotations

import pytest

from tests.tools import (
    check_body,
    check_body_kept,
    check_not_converted,
    check_transformed,
    migrated,
    source,
)


@pytest.mark.parametrize(
    ("head", "callee"),
    [
        ("@staticmethod\n    def get_config():", "Trainer.get_config"),
        ("@staticmethod\n    def get_config():", "self.get_config"),
        ("@classmethod\n    def get_config(cls):", "Trainer.get_config"),
        ("@classmethod\n    def get_config(cls):", "self.get_config"),
        ("def get_config(self):", "self.get_config"),
    ],
)
def test_method_that_returns_a_config(head: str, callee: str) -> None:
    check_body(
        f"""
class Trainer:
    {head}
        config = tf.ConfigProto()
        config.allow_soft_placement = True
        return config

    def run(self):
        self.sess = tf.Session(config={callee}())
""",
        f"""
class Trainer:
    {head}
        tf.config.set_soft_device_placement(True)

    def run(self):
        {callee}()
        self.sess = tf.Session()
""",
    )


def test_method_that_a_class_inherits() -> None:
    check_body(
        """
        class Base(object):
            def get_config(self):
                return tf.ConfigProto(allow_soft_placement=True)


        class Middle(Base):
            pass


        class Trainer(Middle):
            def run(self):
                return tf.Session(config=self.get_config())
        """,
        """
        class Base(object):
            def get_config(self):
                tf.config.set_soft_device_placement(True)


        class Middle(Base):
            pass


        class Trainer(Middle):
            def run(self):
                self.get_config()
                return tf.Session()
        """,
    )


def test_attribute_that_a_class_inherits() -> None:
    check_body(
        """
        class Base:
            def __init__(self):
                self.config = tf.ConfigProto()
                self.config.allow_soft_placement = True


        class Trainer(Base):
            def run(self):
                return tf.Session(config=self.config)
        """,
        """
        class Base:
            def __init__(self):
                tf.config.set_soft_device_placement(True)


        class Trainer(Base):
            def run(self):
                return tf.Session()
        """,
    )


def test_base_that_makes_the_session_of_what_its_class_builds() -> None:
    check_body(
        """
        class Base:
            def run(self):
                return tf.Session(config=self.config)


        class Trainer(Base):
            def __init__(self):
                self.config = tf.ConfigProto(allow_soft_placement=True)
        """,
        """
        class Base:
            def run(self):
                return tf.Session()


        class Trainer(Base):
            def __init__(self):
                tf.config.set_soft_device_placement(True)
        """,
    )


def test_two_classes_that_build_different_configs_for_one_base() -> None:
    check_body_kept(
        """
        class Base:
            def run(self):
                return tf.Session(config=self.config)


        class OnCpu(Base):
            def __init__(self):
                self.config = tf.ConfigProto(device_count={"GPU": 0})


        class OnGpu(Base):
            def __init__(self):
                self.config = tf.ConfigProto()
        """,
        "different-configs",
    )


@pytest.mark.parametrize(
    "before",
    [
        # Another class replaces the method.
        """
        class Base:
            def get_config(self):
                return tf.ConfigProto(allow_soft_placement=True)

            def run(self):
                return tf.Session(config=self.get_config())


        class Trainer(Base):
            def get_config(self):
                return None
        """,
        # The first base could have such a method too.
        """
        class Base:
            def get_config(self):
                return tf.ConfigProto(allow_soft_placement=True)


        class Trainer(Mixin, Base):
            def run(self):
                return tf.Session(config=self.get_config())
        """,
        # A function takes the place of the method.
        """
        class Trainer:
            @staticmethod
            def get_config():
                return tf.ConfigProto(allow_soft_placement=True)

            def run(self):
                return tf.Session(config=self.get_config())


        Trainer.get_config = other
        """,
        """
        class Trainer:
            @staticmethod
            def get_config():
                return tf.ConfigProto(allow_soft_placement=True)

            def run(self, trainer):
                return tf.Session(config=trainer.get_config())
        """,
        # A decorator may do anything with a class.
        """
        @register
        class Trainer:
            @staticmethod
            def get_config():
                return tf.ConfigProto(allow_soft_placement=True)


        sess = tf.Session(config=Trainer.get_config())
        """,
        # What stands for a class may be another one.
        """
        class Trainer:
            @staticmethod
            def get_config():
                return tf.ConfigProto(allow_soft_placement=True)


        Trainer = wrap(Trainer)
        sess = tf.Session(config=Trainer.get_config())
        """,
        # The settings would be made once, or at another time.
        """
        import functools


        @functools.lru_cache(None)
        def get_config():
            return tf.ConfigProto(allow_soft_placement=True)


        sess = tf.Session(config=get_config())
        """,
        """
        class Trainer:
            def __init__(self):
                self.options = {"config": tf.ConfigProto(allow_soft_placement=True)}

            def run(self):
                return tf.Session(config=self.options["config"])
        """,
        """
        class Trainer:
            get_config = lambda self: tf.ConfigProto(allow_soft_placement=True)

            def run(self):
                return tf.Session(config=self.get_config())
        """,
        # The attribute of the other base is another one, or the same: not certain.
        """
        class Base:
            def __init__(self):
                self.config = tf.ConfigProto(allow_soft_placement=True)


        class Trainer(Base, Mixin):
            def run(self):
                return tf.Session(config=self.config)
        """,
        # A class that is its own base, as far as names tell.
        """
        class Trainer(Trainer):
            def run(self):
                self.config = tf.ConfigProto(allow_soft_placement=True)
                return tf.Session(config=self.missing())
        """,
    ],
)
def test_kept(before: str) -> None:
    check_not_converted("        import tensorflow as tf\n" + before.lstrip("\n"))


def test_classes_that_have_nothing_in_common_but_a_name() -> None:
    check_body(
        """
        class One:
            def __init__(self):
                self.config = tf.ConfigProto(allow_soft_placement=True)

            def run(self):
                return tf.Session(config=self.config)


        class Two:
            def __init__(self, config):
                self.config = config
                print(self.config)
        """,
        """
        class One:
            def __init__(self):
                tf.config.set_soft_device_placement(True)

            def run(self):
                return tf.Session()


        class Two:
            def __init__(self, config):
                self.config = config
                print(self.config)
        """,
    )


def test_classes_that_a_third_one_joins() -> None:
    check_body_kept(
        """
        class One:
            def __init__(self):
                self.config = tf.ConfigProto(allow_soft_placement=True)

            def run(self):
                return tf.Session(config=self.config)


        class Two:
            def show(self, config=None):
                self.config = config or self.config
                print(self.config)


        class Both(One, Two):
            pass
        """,
        "shared-attribute",
    )


BODY = """
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class Trainer:
    # Take what is needed.
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True

    def run(self):
        return tf.Session(config={read})
{more}

{use}
"""
READS = ["self.config", "Trainer.config", "trainer.config"]


@pytest.mark.parametrize("read", READS)
def test_attribute_of_a_class(read: str) -> None:
    use = "trainer = Trainer()\ntrainer.run()"
    check_transformed(
        BODY.format(read=read, more="", use=use),
        """
        import tensorflow.compat.v1 as tf

        tf.disable_v2_behavior()


        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)


        class Trainer:
            # Take what is needed.

            def run(self):
                return tf.Session()


        trainer = Trainer()
        trainer.run()
        """,
    )


@pytest.mark.parametrize(
    ("more", "use"),
    [
        ("", "print(vars(Trainer))"),
        ("", "print(hasattr(Trainer, 'config'))"),
        ("", "Trainer.config = None"),
        ("", "Trainer().config = other"),
        ("", "setattr(Trainer, name, other)"),
        ("", "print(trainer().config)"),
        ("    configs = [config]", ""),
        ("\n    def __getattr__(self, name):\n        return None", "Trainer().config"),
        ("\n\nclass Other(Trainer):\n    config = None", "Other().run()"),
        ("\n\nclass Other(Trainer):\n    config = tf.ConfigProto()", "Other().run()"),
        ("\n\nclass Other(Trainer, Base):\n    pass", "Other().run()"),
        ("\n\n@register\nclass Other(Trainer):\n    pass", "Other().run()"),
        ("\n\nclass Other:\n    config = None\n    run = Trainer.run", "Other().run()"),
        ("\n\nclass Other(Trainer):\n    locals()['config'] = None", "Other().run()"),
        ("\n\nT = Trainer\nclass Other(T):\n    config = None", "Other().run()"),
        ("\n\nclass Other([Trainer][0]):\n    config = None", "Other().run()"),
        ("\n\nOther = type('Other', (Trainer,), {'config': None})", "Other().run()"),
        ("\n\nOther = types.new_class('Other', (Trainer,), {}, fill)", "Other().run()"),
        ("\n\nclass Other(Trainer):\n    pass", "Other.__bases__ = (Plain,)"),
        ("", "setattr(type(Trainer()), 'config', None)"),
        ("", "setattr(sys.modules[__name__].Trainer, 'config', None)"),
        ("", "mock.patch('__main__.Trainer.config', None).start()"),
        ("", "type(Trainer()).run(other)"),
        ("", "Trainer().__class__.run(other)"),
        ("", "globals()['Trainer'].run(other)"),
        ("", "getattr(Trainer, name)(other)"),
        ("", "for cls in [Trainer]:\n    cls.run(other)"),
        ("", "for cls in [Trainer]:\n    Other.run = cls.run"),
        ("\n\nclass Other(import_module(name).Trainer):\n    config = None", "Other().run()"),
        ("\n\nclass Other(getattr(module, name)):\n    config = None", "Other().run()"),
    ],
)
def test_attribute_of_a_class_that_more_is_done_with(more: str, use: str) -> None:
    check_not_converted(BODY.format(read="self.config", more=more, use=use))


@pytest.mark.parametrize(
    "head", ["class Trainer(Base)", "@dataclass\nclass Trainer", "class Trainer(metaclass=Meta)"]
)
def test_attribute_of_a_class_with_unknown_parts(head: str) -> None:
    text = BODY.format(read="self.config", more="", use="Trainer().run()")
    check_not_converted(text.replace("class Trainer", head))


def test_settings_that_have_to_stay_in_a_class_body() -> None:
    # Growth depends on a name of the class.
    check_transformed(
        """
        import tensorflow.compat.v1 as tf

        tf.disable_v2_behavior()


        class Trainer:
            growth = True
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=growth))
            sess = tf.Session(config=config)
        """,
        """
        import tensorflow.compat.v1 as tf

        tf.disable_v2_behavior()


        class Trainer:
            growth = True
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, growth)
            sess = tf.Session()
        """,
    )


@pytest.mark.parametrize(
    "other",
    [
        "class Other(with_metaclass(abc.ABCMeta, object)):\n    config = None",
        "class Other(keras.Model):\n    config = None",
        "Other = type('Other', (), {'config': None})",
        "Other = namedtuple('Other', ['config'])",
        "class Other(bases[0]):\n    pass",
    ],
)
def test_attribute_of_a_class_beside_others(other: str) -> None:
    imports = (
        "import abc\nfrom collections import namedtuple\nfrom six import with_metaclass\n"
        "from tensorflow import keras\n"
    )
    text = BODY.format(read="self.config", more=f"\n\n{other}", use="Trainer().run()")
    assert "set_memory_growth" in migrated(source(imports + text))


SETUP = """
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = {first}

    def change(self):
        self.config = {second}

    def run(self):
        return tf.Session(config=self.config)


{use}
"""


@pytest.mark.parametrize(
    ("first", "second", "use"),
    [
        ("SOFT", "None", "t = Trainer()\nt.change()\nt.run()"),
        ("SOFT", "SOFT", "t = Trainer()\nt.config = None\nt.run()"),
        ("None", "SOFT", "a = Trainer()\nb = Trainer()\na.change()\nb.run()"),
    ],
)
def test_attribute_that_is_none_where_the_session_is_made(
    first: str, second: str, use: str
) -> None:
    text = SETUP.format(first=first, second=second, use=use)
    check_not_converted(text.replace("SOFT", "tf.ConfigProto(allow_soft_placement=True)"))


def test_attribute_that_is_none_behind_the_session() -> None:
    check_transformed(
        """
        import tensorflow as tf


        class Trainer:
            def __init__(self):
                self.config = None

            def run(self):
                self.config = tf.ConfigProto(allow_soft_placement=True)
                return tf.Session(config=self.config)

            def close(self):
                self.config = None


        trainer = Trainer()
        trainer.run()
        trainer.close()
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        class Trainer:
            def __init__(self):
                pass

            def run(self):
                tf.config.set_soft_device_placement(True)
                return tf.Session()

            def close(self):
                pass


        trainer = Trainer()
        trainer.run()
        trainer.close()
        """,
    )


READER = """
import tensorflow as tf


class Trainer:
    config = None
{methods}
    {decorator}
    def run(self):
        return tf.Session(config=self.config)


{use}
"""
SET = "\n    {decorator}\n    def set(self):\n        self.config = SOFT\n"
GIVEN = "\n    def __init__(self, config):\n        self.config = config\n"


@pytest.mark.parametrize(
    ("methods", "decorator", "use"),
    [
        ("", "", "a = Trainer()\na.config = SOFT\nTrainer().run()"),
        (
            "",
            "",
            "class A(Trainer):\n    config = SOFT\n\nclass B(Trainer):\n    x = 1\n\nB().run()",
        ),
        (
            GIVEN,
            "",
            "class A(Trainer):\n    def __init__(self):\n        pass\n\nTrainer(SOFT)\nA().run()",
        ),
        (SET.format(decorator=""), "@classmethod", "a = Trainer()\na.set()\na.run()"),
        (
            SET.format(decorator="@classmethod"),
            "@classmethod",
            "class A(Trainer):\n    x = 1\n\nA.set()\nTrainer.run()",
        ),
    ],
)
def test_attribute_that_other_objects_or_classes_have(
    methods: str, decorator: str, use: str
) -> None:
    text = READER.format(methods=methods, decorator=decorator, use=use)
    check_not_converted(text.replace("SOFT", "tf.ConfigProto(allow_soft_placement=True)"))


MADE = """
import tensorflow as tf


class Trainer:
    def {name}(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def run(self):
        return tf.Session(config=self.config)


{use}
"""
LATER = "class Late(Trainer):\n    def __init__(self, on=False):\n        {body}\n\n\nLate().run()"
SUPER = "super().__init__()"


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("__init__", LATER.format(body="self.on = on")),
        ("__init__", "Trainer.__new__(Trainer).run()"),
        ("__init__", LATER.format(body=f"if on:\n            {SUPER}")),
        ("__init__", LATER.format(body=f"if not on:\n            return\n        {SUPER}")),
        ("setup", "a = Trainer()\nb = Trainer()\na.setup()\nb.run()"),
    ],
)
def test_attribute_that_an_object_may_not_have(name: str, use: str) -> None:
    check_not_converted(MADE.format(name=name, use=use))


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("__init__", LATER.format(body=f"self.on = on\n        {SUPER}")),
        ("__init__", LATER.format(body="Trainer.__init__(self)")),
        ("setup", LATER.format(body="self.setup()")),
        ("setup", "a = Trainer()\na.setup()\na.run()"),
    ],
)
def test_attribute_that_each_object_has(name: str, use: str) -> None:
    text = MADE.format(name=name, use=use)
    assert "set_soft_device_placement" in migrated(source(text))
