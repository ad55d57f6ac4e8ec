"""Configs in dictionaries and namespaces, which are followed where nothing sees them as a whole."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.tools import RAW, check_body, check_body_kept, check_not_converted

SOFT = "tf.ConfigProto(allow_soft_placement=True)"


@pytest.mark.parametrize(
    ("made", "part"),
    [
        ("{}", '["config"]'),
        ('{"steps": 3, 4: "four"}', '["config"]'),
        ("dict(steps=3)", '["config"]'),
        ("argparse.Namespace(steps=3)", ".config"),
        ("types.SimpleNamespace()", ".config"),
        ("argparse.ArgumentParser().parse_args([])", ".config"),
    ],
)
def test_a_config_that_is_put_into_a_record(made: str, part: str) -> None:
    check_body(
        f"""
        import argparse
        import types

        def train(given):
            print('training')
            return tf.Session(config=given{part})

        options = {made}
        options{part} = {SOFT}
        train(options)
        """,
        f"""
        import argparse
        import types

        def train(given):
            print('training')
            return tf.Session()

        options = {made}
        tf.config.set_soft_device_placement(True)
        train(options)
        """,
    )


@pytest.mark.parametrize(
    ("made", "left", "part"),
    [
        (f'{{"config": {SOFT}}}', "{}", '["config"]'),
        (f'{{\n    "config": {SOFT},\n}}', "{}", '["config"]'),
        (f'{{\n    "config": {SOFT}  # soft\n}}', "{\n    # soft\n}", '["config"]'),
        (f'{{"config": {SOFT}, "steps": 3}}', '{"steps": 3}', '["config"]'),
        (f'{{"steps": 3, "config": {SOFT}}}', '{"steps": 3}', '["config"]'),
        (f'{{"steps": 3, "config": {SOFT},}}', '{"steps": 3,}', '["config"]'),
        (f"dict(steps=3, config={SOFT})", "dict(steps=3)", '["config"]'),
        (f"argparse.Namespace(config={SOFT})", "argparse.Namespace()", ".config"),
    ],
)
def test_a_config_that_a_record_is_made_with(made: str, left: str, part: str) -> None:
    check_body(
        f"import argparse\n\noptions = {made}\nsess = tf.Session(config=options{part})\n",
        "import argparse\n\ntf.config.set_soft_device_placement(True)\n"
        f"options = {left}\nsess = tf.Session()\n",
    )


def test_comments_beside_the_item_of_a_dictionary_stay() -> None:
    check_body(
        f"""
        options = {{
            "steps": 3,  # few
            # the session
            "config": {SOFT},  # is soft
        }}
        sess = tf.Session(config=options["config"])
        """,
        """
        tf.config.set_soft_device_placement(True)
        options = {
            "steps": 3,  # few
            # the session
            # is soft
        }
        sess = tf.Session()
        """,
    )


@pytest.mark.parametrize(
    "seen",
    [
        "print(options)",
        "print(len(options))",
        "print(options[name])",
        "print(options.get('config'))",
        "print(options.items())",
        "options.update(steps=4)",
        "other = options",
        "show(options)",
        "show(**options)",
        "print('config' in options)",
        "print(locals())",
    ],
)
def test_a_dictionary_that_is_seen_as_a_whole_keeps_its_config(seen: str) -> None:
    check_body_kept(
        f"""
        options = {{}}
        options["config"] = {SOFT}
        {seen}
        sess = tf.Session(config=options["config"])
        """,
        "config-read",
    )


@pytest.mark.parametrize("seen", ["vars(args)", "args.__dict__", "print(args)", "getattr(args, x)"])
def test_a_namespace_that_is_seen_as_a_whole_keeps_its_config(seen: str) -> None:
    check_body_kept(
        f"""
        import argparse

        args = argparse.Namespace()
        args.config = {SOFT}
        {seen}
        sess = tf.Session(config=args.config)
        """,
        "config-read",
    )


@pytest.mark.parametrize(
    "body",
    [
        # The session may find no config there.
        f"options = {{}}\nif soft:\n    options['config'] = {SOFT}",
        f"if soft:\n    options = {{'config': {SOFT}}}",
        f"options = {{'config': {SOFT}}}\ndel options['config']",
        # What the dictionary is made with else comes before the config.
        f"options = {{'steps': ask(), 'config': {SOFT}}}",
        # One of two values of a name, or of a key that is computed.
        f"options = {{'config': {SOFT}, 'config': None}}",
        f"options = {{name: 3, 'config': {SOFT}}}",
        f"options = {{'config': {SOFT}}}\noptions = {{'config': None}}",
    ],
)
def test_a_record_that_may_have_no_config(body: str) -> None:
    check_not_converted(RAW + f"{body}\nsess = tf.Session(config=options['config'])\n")


@pytest.mark.parametrize(
    "calls",
    [
        "train(options)\ntrain({'config': None})",
        "train(options)\ntrain()",
        "train(options)\ntrain(*rest)",
        "train(options)\nlater = train",
    ],
)
def test_a_function_that_may_be_handed_another_record(calls: str) -> None:
    check_not_converted(
        RAW + f"def train(given=None):\n    return tf.Session(config=given['config'])\n\n"
        f"options = {{}}\noptions['config'] = {SOFT}\n{calls}\n",
    )


def test_a_function_that_fills_one_of_several_dictionaries() -> None:
    check_body_kept(
        f"""
        def fill(given):
            given["config"] = {SOFT}

        def train(first):
            options = {{}}
            if first:
                fill(options)
            return tf.Session(config=options["config"])

        train(True)
        train(False)
        """,
        "stored",
    )


def test_an_attribute_of_a_namespace_is_none_of_a_class() -> None:
    check_body(
        f"""
        import argparse

        args = argparse.ArgumentParser().parse_args()

        class Trainer(object):
            def __init__(self):
                self.config = {SOFT}

            def train(self):
                return tf.Session(config=self.config)

        print(args.config)
        Trainer().train()
        """,
        """
        import argparse

        args = argparse.ArgumentParser().parse_args()

        class Trainer(object):
            def __init__(self):
                tf.config.set_soft_device_placement(True)

            def train(self):
                return tf.Session()

        print(args.config)
        Trainer().train()
        """,
    )


def test_a_namespace_that_an_action_only_fills_converts() -> None:
    check_body(
        f"""
        import argparse

        class Append(argparse.Action):
            def __call__(self, parser, namespace, values, option_string=None):
                old = getattr(namespace, self.dest) or []
                setattr(namespace, self.dest, old + [values])

        class Layer:
            def __call__(self, inputs, training):
                return print(training)

        def show(args: argparse.Namespace):
            print(args.steps)

        parser: argparse.ArgumentParser = argparse.ArgumentParser()
        args = parser.parse_args()
        args.config = {SOFT}
        sess = tf.Session(config=args.config)
        """,
        """
        import argparse

        class Append(argparse.Action):
            def __call__(self, parser, namespace, values, option_string=None):
                old = getattr(namespace, self.dest) or []
                setattr(namespace, self.dest, old + [values])

        class Layer:
            def __call__(self, inputs, training):
                return print(training)

        def show(args: argparse.Namespace):
            print(args.steps)

        parser: argparse.ArgumentParser = argparse.ArgumentParser()
        args = parser.parse_args()
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


@pytest.mark.parametrize(
    "before",
    [
        "setattr(argparse, 'Namespace', Other)",
        "argparse.Namespace.config = property(print)",
        "mock.patch.object(argparse.Namespace, '__setattr__', print)",
        "argparse.ArgumentParser.parse_known_args = print",
        "parser = argparse.ArgumentParser(); parser.parse_args = print",
    ],
)
def test_a_namespace_of_a_class_that_may_be_changed_keeps_its_config(before: str) -> None:
    check_not_converted(
        RAW
        + "import argparse\nfrom unittest import mock\n\n"
        + f"{before}\nargs = argparse.ArgumentParser().parse_args()\n"
        + f"args.config = {SOFT}\nsess = tf.Session(config=args.config)\n"
    )


def test_an_attribute_of_one_of_two_objects_keeps_its_config() -> None:
    check_body_kept(
        f"""
        class Options:
            pass

        first = Options()
        second = Options()
        first.config = {SOFT}
        sess = tf.Session(config=first.config)
        """,
        "stored",
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            f"""
            options = {{
                "config": {SOFT},  # soft
                # of b
                "b": 2,
            }}
            """,
            """
            # soft
            tf.config.set_soft_device_placement(True)
            options = {
                # of b
                "b": 2,
            }
            """,
        ),
        (
            f"""
            options = {{
                "a": 1,  # one
                "config": {SOFT},

                # of b
                "b": 2,
            }}
            """,
            """
            tf.config.set_soft_device_placement(True)
            options = {
                "a": 1,  # one

                # of b
                "b": 2,
            }
            """,
        ),
        (
            f"""
            options = {{"config": {SOFT},
                       # of b
                       "b": 2}}
            """,
            """
            tf.config.set_soft_device_placement(True)
            options = {
                       # of b
                       "b": 2}
            """,
        ),
    ],
)
def test_comments_of_the_next_item_stay_with_it(before: str, after: str) -> None:
    use = 'sess = tf.Session(config=options["config"])\n'
    check_body(
        dedent(before).lstrip() + use,
        dedent(after).lstrip() + use.replace('config=options["config"]', ""),
    )


def test_comments_of_the_next_argument_stay_with_it() -> None:
    check_body(
        f"""
        config = {SOFT}
        sess = tf.Session(
            "",
            config=config,  # soft
            # the default one
            graph=None,
        )
        """,
        """
        tf.config.set_soft_device_placement(True)
        # soft
        sess = tf.Session(
            "",
            # the default one
            graph=None,
        )
        """,
    )
