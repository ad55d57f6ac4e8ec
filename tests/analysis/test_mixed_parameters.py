"""Parameters that a function fills where it gets no config, and that some calls give one."""

from __future__ import annotations

import pytest

from tests.tools import check_body, check_body_kept, source

CALLS = """
run(config=tf.ConfigProto(allow_soft_placement=False))
run(tf.ConfigProto(allow_soft_placement=False), 2)
run()
run(n=3)
run(None)
run(config=None)
"""
CALLS_AFTER = """
tf.config.set_soft_device_placement(False)
run(configured=True)
tf.config.set_soft_device_placement(False)
run(True, 2)
run()
run(n=3)
run(False)
run(configured=False)
"""
DEFAULT = "tf.ConfigProto(allow_soft_placement=True)"


@pytest.mark.parametrize(
    "body",
    [
        f"if config is None:\n    config = {DEFAULT}\ntf.Session(config=config)",
        f"if not config:\n    config = {DEFAULT}\ntf.Session(config=config)",
        f"if(config) is None:\n    config = {DEFAULT}\ntf.Session(config=config)",
        f"if config == None:\n    config = {DEFAULT}\ntf.Session(config=config)",
        f"if (not config is not None): config = {DEFAULT}\ntf.Session(config=config)",
        f"config = config or {DEFAULT}\ntf.Session(config=config)",
        f"chosen = config or {DEFAULT}\ntf.Session(config=chosen)",
        f"config = config if config else {DEFAULT}\ntf.Session(config=config)",
        f"config = {DEFAULT} if config is None else config\ntf.Session(config=config)",
        f"tf.Session(config=config or {DEFAULT})",
        f"tf.Session(config=config if config is not None else {DEFAULT})",
    ],
)
def test_spellings(body: str) -> None:
    lines = body.replace("\n", "\n    ")
    after = source(
        """
        def run(configured=False, n=1):
            if not configured:
                tf.config.set_soft_device_placement(True)
            tf.Session()
        """
    )
    if "if (not" in body:
        after = after.replace("if not configured:", "if (not configured):")
    if "if(" in body:
        after = after.replace("if not configured:", "if(not configured):")
    if "): config" in body:
        after = after.replace(":\n        tf.config", ": tf.config")
    check_body(f"def run(config=None, n=1):\n    {lines}\n\n{CALLS}", f"{after}\n{CALLS_AFTER}")


def test_default_under_else() -> None:
    check_body(
        """
        def run(config=None):
            if config is not None:
                given = True
            else:
                config = tf.ConfigProto(allow_soft_placement=True)
            tf.Session(config=config)


        run(tf.ConfigProto(allow_soft_placement=True))
        run()
        """,
        """
        def run(configured=False):
            if configured:
                given = True
            else:
                tf.config.set_soft_device_placement(True)
            tf.Session()


        tf.config.set_soft_device_placement(True)
        run(True)
        run()
        """,
    )


def test_functions_that_hand_it_on() -> None:
    check_body(
        """
        def make(config=None):
            if config is None:
                config = tf.ConfigProto(allow_soft_placement=True)
            return tf.Session(config=config)


        def get(name, config=None):
            return make(config=config)


        def always(config):
            return make(config)


        def own(config=None):
            config = config or tf.ConfigProto(allow_soft_placement=True)
            return make(config)


        get("a", tf.ConfigProto(allow_soft_placement=True))
        get("b")
        always(tf.ConfigProto(allow_soft_placement=True))
        own(tf.ConfigProto(allow_soft_placement=True))
        own()
        make()
        """,
        """
        def make(configured=False):
            if not configured:
                tf.config.set_soft_device_placement(True)
            return tf.Session()


        def get(name, configured=False):
            return make(configured=configured)


        def always():
            return make(True)


        def own(configured=False):
            if not configured:
                tf.config.set_soft_device_placement(True)
            return make(True)


        tf.config.set_soft_device_placement(True)
        get("a", True)
        get("b")
        tf.config.set_soft_device_placement(True)
        always()
        tf.config.set_soft_device_placement(True)
        own(True)
        own()
        make()
        """,
    )


def test_header_comments_and_names() -> None:
    check_body(
        """
        def run(
            a: int,
            *,
            config: Optional[tf.ConfigProto] = None,  # what to set
            configured: int = 3,
        ):
            # default settings
            if config is None:  # none given
                config = tf.ConfigProto(allow_soft_placement=True)  # soft
            # the session
            tf.Session(config=config)


        run(
            1,
            config=tf.ConfigProto(allow_soft_placement=True),  # as it is
            configured=4,
        )
        run(1)
        """,
        """
        def run(
            a: int,
            *,
            is_configured: bool = False,  # what to set
            configured: int = 3,
        ):
            # default settings
            if not is_configured:  # none given
                tf.config.set_soft_device_placement(True)  # soft
            # the session
            tf.Session()


        tf.config.set_soft_device_placement(True)
        run(
            1,
            is_configured=True,  # as it is
            configured=4,
        )
        run(1)
        """,
    )


def test_settings_that_only_one_side_has() -> None:
    check_body(
        """
        def run(config=None):
            if config is None:
                config = tf.ConfigProto(allow_soft_placement=True)
            tf.Session(config=config)


        run(tf.ConfigProto(log_device_placement=True))
        run()
        """,
        """
        def run(configured=False):
            if not configured:
                tf.debugging.set_log_device_placement(False)
                tf.config.set_soft_device_placement(True)
            tf.Session()


        tf.config.set_soft_device_placement(False)
        tf.debugging.set_log_device_placement(True)
        run(True)
        run()
        """,
    )


@pytest.mark.parametrize(
    ("before", "session", "why"),
    [
        ("", "config.allow_soft_placement = False\n    tf.Session(config=config)", "used in line"),
        ("", "print(config)\n    tf.Session(config=config)", "passed to `print`"),
        ("", "tf.Session(config=config)\n    config = None", "assigned another value in line"),
        (
            "tf.Session(config=config).close()\n    ",
            "tf.Session(config=config)",
            "assigned another",
        ),
        ("", "return lambda: tf.Session(config=config)", "used later"),
        ("", "print(locals())\n    tf.Session(config=config)", "`locals` may read"),
        ("", "run(config)\n    tf.Session(config=config)", "calls itself"),
    ],
)
def test_what_else_is_done_with_it(before: str, session: str, why: str) -> None:
    text = (
        f"def run(config=None):\n    {before}if config is None:\n"
        f"        config = tf.ConfigProto(allow_soft_placement=True)\n    {session}\n\n\n"
        "run(tf.ConfigProto(log_device_placement=True))\nrun()\n"
    )
    result = check_body_kept(text, "parameter")
    assert any(why in finding.message for finding in result.findings)


@pytest.mark.parametrize(
    ("calls", "why"),
    [
        ("run(tf.ConfigProto() if a else None)\nrun()", "where `config` may be None"),
        ("given = None\nif a:\n    given = tf.ConfigProto()\nrun(given)", "may be None"),
        ("run(*a)\nrun(tf.ConfigProto())", "the arguments in line 9 are not known"),
        ("run(config=load())", "`load()` is passed in line 9"),
        ("f = partial(run, a)\nrun(tf.ConfigProto())", "is not only called"),
    ],
)
def test_calls_that_are_not_certain(calls: str, why: str) -> None:
    text = (
        "def run(config=None):\n    if config is None:\n"
        "        config = tf.ConfigProto(allow_soft_placement=True)\n"
        f"    tf.Session(config=config)\n\n\n{calls}\n"
    )
    result = check_body_kept(text, "parameter")
    assert any(why in finding.message for finding in result.findings)


@pytest.mark.parametrize(
    "default",
    [
        "default = tf.ConfigProto(allow_soft_placement=True)\n    "
        "if config is None:\n        config = default",
        "if config is None:\n        config = DEFAULT",
        "options = tf.GPUOptions(allow_growth=True)\n    "
        "if config is None:\n        config = tf.ConfigProto(gpu_options=options)",
    ],
)
def test_default_that_is_made_for_all_calls(default: str) -> None:
    text = (
        f"DEFAULT = tf.ConfigProto(log_device_placement=True)\n\n\ndef run(config=None):\n"
        f"    {default}\n    tf.Session(config=config)\n\n\n"
        "run(tf.ConfigProto(log_device_placement=True))\nrun()\n"
    )
    result = check_body_kept(text, "parameter")
    assert any("takes where it is given none" in item.message for item in result.findings)
