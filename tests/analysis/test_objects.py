"""Configs in attributes of objects that functions return."""

from __future__ import annotations

import pytest

from tests.tools import RAW, check_body, check_body_kept, check_not_converted

SETTINGS = """
        class Settings:
            def __init__(self):
                self.name = "default"
                self.session = {}

        class Other:
            session = None
"""
SOFT = "tf.ConfigProto(allow_soft_placement=True)"
USE = """
        settings = load()
        sess = tf.Session(config=settings.session)
"""

RETURNED = {
    "a new object": """
        def load():
            return Settings()
""",
    "a variable": """
        def load():
            made = Settings()
            made.name = "other"
            return made
""",
    "what another function returns": """
        def make():
            return Settings()

        def load():
            return make()
""",
    "an object on each way": """
        def load(name=None):
            if name is None:
                return Settings()
            raise ValueError(name)
""",
}


@pytest.mark.parametrize("load", RETURNED.values(), ids=RETURNED)
def test_an_object_that_a_function_returns(load: str) -> None:
    before = SETTINGS.format(SOFT) + load + USE
    after = before.replace(f"self.session = {SOFT}", "tf.config.set_soft_device_placement(True)")
    check_body(before, after.replace("config=settings.session", ""))


LOADERS = {
    "a class method": ("@classmethod", "cls", "cls()", "Loader"),
    "a static method": ("@staticmethod", "", "Loader()", "Loader"),
    "a method": ("", "self", "Loader()", "Loader()"),
}


@pytest.mark.parametrize("kind", LOADERS)
@pytest.mark.parametrize(
    ("more", "converts"),
    [
        ("", True),
        ("Loader.load = None", False),
        ('setattr(Loader, "load", None)', False),
        ("vars(Loader()).update(load=None)", False),
    ],
)
def test_an_object_that_a_method_returns(kind: str, more: str, converts: bool) -> None:
    decorator, first, made, asked = LOADERS[kind]
    before = f"""
class Loader:
    def __init__(self):
        self.name = "default"
        self.session = {SOFT}

    {decorator or "# plain"}
    def load({first}):
        return {made}

{more}
settings = {asked}.load()
sess = tf.Session(config=settings.session)
"""
    if converts:
        after = before.replace(
            f"self.session = {SOFT}", "tf.config.set_soft_device_placement(True)"
        )
        check_body(before, after.replace("config=settings.session", ""))
    else:
        check_not_converted(RAW + before)


def test_a_class_method_that_makes_objects_of_subclasses() -> None:
    check_body_kept(
        f"""
        class Loader:
            def __init__(self):
                self.session = {SOFT}

            @classmethod
            def load(cls):
                return cls()

        class Other(Loader):
            pass

        settings = Loader.load()
        sess = tf.Session(config=settings.session)
        """,
        "shared-attribute",
    )


NOT_KNOWN = {
    "None on one way": """
        def load(name=None):
            if name is None:
                return Settings()
""",
    "objects of two classes": """
        def load(name=None):
            return Settings() if name is None else Other()
""",
    "a generator": """
        def load():
            yield Settings()
""",
    "a decorated function": """
        import functools

        @functools.wraps(Other)
        def load():
            return Settings()
""",
    "itself": """
        def load():
            return load()
""",
    "other code": """
        def load():
            return Settings()

        load.__code__ = Other.__init__.__code__
""",
}


@pytest.mark.parametrize("load", NOT_KNOWN.values(), ids=NOT_KNOWN)
def test_an_object_that_is_not_known(load: str) -> None:
    check_body_kept(SETTINGS.format(SOFT) + load + USE, "shared-attribute")


REPLACED = [
    'globals()["load"] = Other',
    'vars()["load"] = Other',
    "globals().update(load=Other)",
    'globals().update({"load": Other})',
    'locals().__setitem__("load", Other)',
    'del globals()["load"]',
]


@pytest.mark.parametrize("statement", REPLACED)
@pytest.mark.parametrize("name", ["load", "Settings"])
def test_functions_and_classes_that_their_namespace_gets(statement: str, name: str) -> None:
    made = SETTINGS.format(SOFT) + RETURNED["a new object"]
    replaced = f"\n        {statement.replace('load', name)}\n"
    check_body_kept(made + replaced + USE, "shared-attribute")


def test_names_of_a_function_are_none_of_the_module() -> None:
    shown = """
        def show():
            locals()["load"] = None
"""
    before = SETTINGS.format(SOFT) + RETURNED["a new object"] + shown + USE
    after = before.replace(f"self.session = {SOFT}", "tf.config.set_soft_device_placement(True)")
    check_body(before, after.replace("config=settings.session", ""))
