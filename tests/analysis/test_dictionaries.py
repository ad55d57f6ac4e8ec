"""Dictionaries that are unpacked into a config, and configs in dictionaries."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.tools import check_body, check_body_kept, check_kept, source


def test_two_branches() -> None:
    check_body(
        """
        def run(num_threads):
            if num_threads:
                config_args = dict(intra_op_parallelism_threads=1)
            else:
                config_args = {}
            sess = tf.Session(config=tf.ConfigProto(**config_args))
        """,
        """
        def run(num_threads):
            if num_threads:
                tf.config.threading.set_intra_op_parallelism_threads(1)
            sess = tf.Session()
        """,
    )


@pytest.mark.parametrize(
    "before",
    [
        "options = {'allow_soft_placement': soft}",
        "options: dict = {'allow_soft_placement': soft}",
        "options = dict(allow_soft_placement=soft)",
        "options = dict({'allow_soft_placement': soft})",
        "options = {}\noptions['allow_soft_placement'] = soft",
        "options = {}\noptions.update(allow_soft_placement=soft)",
        "options = {}\noptions.update({'allow_soft_placement': soft})",
        "options = {}\noptions.update(dict(allow_soft_placement=soft))",
        "options = {'allow_soft_placement': soft, 'gpu_options': None}",
    ],
)
def test_all_ways_to_fill_a_dictionary(before: str) -> None:
    session = source(
        """
        config = tf.ConfigProto(**options)
        sess = tf.Session(config=config)
        """
    )
    check_body(
        f"{before}\n{session}",
        "tf.config.set_soft_device_placement(soft)\nsess = tf.Session()\n",
    )


@pytest.mark.parametrize(
    "options",
    [
        "**{'allow_soft_placement': soft}",
        "**dict(allow_soft_placement=soft)",
        "**dict({'allow_soft_placement': soft})",
        "**{}, allow_soft_placement=soft",
    ],
)
def test_dictionary_without_a_name(options: str) -> None:
    check_body(
        f"sess = tf.Session(config=tf.ConfigProto({options}))\n",
        "tf.config.set_soft_device_placement(soft)\nsess = tf.Session()\n",
    )


def test_settings_take_the_places_of_their_entries() -> None:
    check_body(
        """
        options = {"log_device_placement": True}
        print("between")
        if soft:
            # Soft, too.
            options["allow_soft_placement"] = True
        sess = tf.Session(config=tf.ConfigProto(**dict(options, inter_op_parallelism_threads=2)))
        """,
        """
        tf.debugging.set_log_device_placement(True)
        print("between")
        if soft:
            # Soft, too.
            tf.config.set_soft_device_placement(True)
        tf.config.threading.set_inter_op_parallelism_threads(2)
        sess = tf.Session()
        """,
    )


def test_options_of_gpus_in_a_dictionary() -> None:
    check_body(
        """
        gpu_options = tf.GPUOptions(**{"allow_growth": True})
        session_config = {"device_count": {"GPU": 1}, "gpu_options": gpu_options}
        sess = tf.Session(config=tf.ConfigProto(**session_config))
        """,
        """
        gpus = tf.config.list_physical_devices("GPU")
        tf.config.set_visible_devices(gpus[:1], "GPU")
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
    )


def test_options_of_gpus_that_are_made_in_the_dictionary() -> None:
    check_body(
        """
        config = {}
        config["gpu_options"] = tf.GPUOptions(allow_growth=True)
        sess = tf.Session(config=tf.ConfigProto(**config))
        """,
        """
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
    )


def test_dictionary_in_a_function_that_returns_the_config() -> None:
    check_body(
        """
        def get_config(soft):
            options = {}
            if soft:
                options["allow_soft_placement"] = True
            return tf.ConfigProto(**options)


        sess = tf.Session(config=get_config(True))
        """,
        """
        def get_config(soft):
            if soft:
                tf.config.set_soft_device_placement(True)


        get_config(True)
        sess = tf.Session()
        """,
    )


SESSION = "sess = tf.Session(config=tf.ConfigProto(**options))\n"


@pytest.mark.parametrize(
    "before",
    [
        "options = load()",
        "options = {**others}",
        "options = {key: True}",
        "options = dict(**others)",
        "options = dict(others)",
        "options = dict([('allow_soft_placement', True)])",
        "options = other = {'allow_soft_placement': True}",
        "options, other = {}, {}",
        "options = {}\nprint(options)",
        "options = {}\noptions[key] = True",
        "options = {}\noptions.update(others)",
        "options = {}\noptions.update(**others)",
        "options = {}\nother = options.update(allow_soft_placement=True)",
        "options = {}\noptions.setdefault('allow_soft_placement', True)",
        "options = {}\noptions.update",
        "options = {}\noptions |= {'allow_soft_placement': True}",
        "options = {'device_count': {}}\noptions['device_count']['GPU'] = 0",
        "options = {'allow_soft_placement': True}\ndel options['allow_soft_placement']",
        "options = {'device_count': {'GPU': 0}}\noptions['device_count'] = {'CPU': 1}",
        "options = {'gpu_options': tf.GPUOptions()}\noptions['gpu_options'] = tf.GPUOptions()",
        "options = {'allow_soft_placement': True}\noptions = {}",
        "options = {'allow_soft_placement': True}\nif a:\n    options = {}",
        "if a:\n    options['allow_soft_placement'] = True\noptions = {}",
        "options = {}\nfor i in a:\n    options['allow_soft_placement'] = i",
        "options = {}\ntry:\n    options['allow_soft_placement'] = 1\nexcept A:\n    pass",
        "options = {}\ndef f():\n    options['allow_soft_placement'] = True",
        "with a as options:\n    options['allow_soft_placement'] = True",
    ],
)
def test_dictionary_that_is_not_seen_through(before: str) -> None:
    check_body_kept(f"{before}\n{SESSION}", "kwargs")


def test_entry_that_is_set_when_the_config_is_there() -> None:
    check_body_kept(
        """
        options = {}
        config = tf.ConfigProto(**options)
        options["allow_soft_placement"] = True
        sess = tf.Session(config=config)
        """,
        "kwargs",
    )


@pytest.mark.parametrize(
    "use",
    [
        "tf.ConfigProto(**options) if a else None",
        "tf.ConfigProto(**(options if a else {}))",
        "tf.ConfigProto(**dict(options, **others))",
        "tf.ConfigProto(**dict(load(), allow_soft_placement=True))",
    ],
)
def test_dictionary_that_may_not_be_taken(use: str) -> None:
    check_body_kept(
        f"options = {{'allow_soft_placement': True}}\nsess = tf.Session(config={use})\n", "kwargs"
    )


def test_config_that_is_not_always_built() -> None:
    # The settings would act where they were not asked for.
    check_body_kept(
        """
        options = {"allow_soft_placement": True}
        if a:
            config = tf.ConfigProto(**options)
        else:
            config = tf.ConfigProto()
        sess = tf.Session(config=config)
        """,
        "kwargs",
    )


def test_two_configs_under_one_name() -> None:
    check_body_kept(
        """
        options = {"allow_soft_placement": True}
        config = tf.ConfigProto()
        first = tf.Session(config=config)
        if testing:
            config = tf.ConfigProto(**options)
        second = tf.Session(config=config)
        """,
        "kwargs",
    )


def test_dictionary_that_two_configs_take() -> None:
    check_body_kept(
        """
        options = {"allow_soft_placement": True}
        first = tf.Session(config=tf.ConfigProto(**options))
        second = tf.Session(config=tf.ConfigProto(log_device_placement=True, **options))
        """,
        "kwargs",
    )


def test_dictionary_of_the_module_in_a_function() -> None:
    check_body_kept(
        f"""
        options = {{"allow_soft_placement": True}}


        def run():
            {SESSION}
        """,
        "kwargs",
    )


def test_dictionary_in_a_class() -> None:
    check_body_kept(
        """
        class A:
            options = {"allow_soft_placement": True}
            sess = tf.Session(config=tf.ConfigProto(**options))
        """,
        "kwargs",
    )


def test_dictionary_that_all_exports() -> None:
    check_body_kept(
        f"__all__ = ['options']\noptions = {{'allow_soft_placement': True}}\n{SESSION}",
        "used-elsewhere",
    )


def test_session_between_the_dictionary_and_its_config() -> None:
    check_body_kept(
        """
        options = {"intra_op_parallelism_threads": 2}
        first = tf.Session()
        second = tf.Session(config=tf.ConfigProto(**options))
        """,
        "session-without-config",
    )


def test_options_that_are_changed_later() -> None:
    check_body_kept(
        """
        gpu_options = tf.GPUOptions()
        options = {"gpu_options": gpu_options}
        config = tf.ConfigProto(**options)
        gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        "set-late",
    )


def test_field_that_the_config_does_not_have() -> None:
    check_body_kept(f"options = {{'allow_soft': True}}\n{SESSION}", "unknown-field")


# Configs in dictionaries that are unpacked into calls which keep them.


@pytest.mark.parametrize(
    "arguments",
    [
        "{'model_dir': path, 'session_config': config}",
        "dict(model_dir=path, session_config=config)",
        "{}\n        arguments['session_config'] = config",
        "{}\n        arguments.update(session_config=config)\n        del arguments['x']",
        "load()\n        arguments['session_config'] = config\n        print(arguments)",
    ],
)
def test_config_for_an_estimator(arguments: str) -> None:
    result = check_body_kept(
        f"""
        config = tf.ConfigProto(allow_soft_placement=True)
        arguments = {arguments}
        run_config = tf.estimator.RunConfig(**arguments)
        """,
        "estimator-config",
    )
    assert "stored" not in {finding.name for finding in result.findings}


def test_config_in_a_dictionary_without_a_name() -> None:
    check_body_kept(
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        run_config = tf.estimator.RunConfig(**{"session_config": config})
        """,
        "estimator-config",
    )


def test_class_that_is_chosen_when_the_program_runs() -> None:
    check_kept(
        """
        import tensorflow as tf
        from project import contrib

        arguments = {"session_config": tf.ConfigProto(allow_soft_placement=True)}
        run_config = contrib.learn().RunConfig
        if not tpu:
            run_config = tf.estimator.RunConfig
        run_config(**arguments)
        """,
        "estimator-config",
    )


def test_config_in_a_dictionary_for_something_else() -> None:
    check_body_kept(
        """
        arguments = {"session_config": tf.ConfigProto(allow_soft_placement=True)}
        run(**arguments)
        """,
        "config-read",
    )


def test_config_under_another_key() -> None:
    check_body_kept(
        """
        arguments = {"config": tf.ConfigProto(allow_soft_placement=True)}
        tf.estimator.RunConfig(**arguments)
        """,
        "passed-on",
    )


MAKE = """
def make(soft, **kwargs):
    {}
    return tf.Session(config=tf.ConfigProto(allow_soft_placement=soft, **kwargs))

"""


def test_arguments_that_no_call_gives() -> None:
    check_body(
        MAKE.format("name_of(**kwargs)") + "make(True)\nmake(soft=False)\n",
        """
        def make(soft, **kwargs):
            name_of(**kwargs)
            tf.config.set_soft_device_placement(soft)
            return tf.Session()

        make(True)
        make(soft=False)
        """,
    )


@pytest.mark.parametrize(
    ("line", "calls"),
    [
        ("pass", "make(True, log_device_placement=True)"),
        ("pass", "make(True, **options)"),
        ("pass", "make(*options)"),
        ("pass", "make(True)\nother = make\nother(True, log_device_placement=True)"),
        ("pass", "make(True)\nrun(make)"),
        ("pass", "make(True)\nglobals()['make'](True, log_device_placement=True)"),
        ("pass", ""),
        ("kwargs['log_device_placement'] = True", "make(True)"),
        ("kwargs.setdefault('log_device_placement', True)", "make(True)"),
        ("fill(kwargs)", "make(True)"),
        ("other = kwargs", "make(True)"),
        ("kwargs = options", "make(True)"),
        ("kwargs |= options", "make(True)"),
        ("locals()['kwargs'].update(options)", "make(True)"),
        ("def inner(): kwargs.update(options)", "make(True)"),
    ],
)
def test_arguments_that_may_be_given(line: str, calls: str) -> None:
    check_body_kept(MAKE.format(line) + calls + "\n", "kwargs")


BESIDE = """
def make(soft, **kwargs):
    {}
    config = tf.ConfigProto(allow_soft_placement=soft)
    return tf.Session(config=config, **kwargs)

"""


@pytest.mark.parametrize(
    "calls", ["make(True)", "make(soft=True)\nmake(False)", "make(True, graph=tf.Graph())"]
)
def test_arguments_beside_the_config_that_name_no_target(calls: str) -> None:
    check_body(
        BESIDE.format("print(soft)") + f"{calls}\n",
        f"""
        def make(soft, **kwargs):
            print(soft)
            tf.config.set_soft_device_placement(soft)
            return tf.Session(**kwargs)

        {calls.replace(chr(10), chr(10) + " " * 8)}
        """,
    )


@pytest.mark.parametrize(
    ("line", "calls"),
    [
        ("print(soft)", "make(True, target=address)"),
        ("print(soft)", "make(True, config=None)"),
        ("print(soft)", "make(True, **options)"),
        ("print(soft)", "make(True)\nrun(make)"),
        ("print(soft)", "make(True)\nglobals()['make'](True, target=address)"),
        ("print(soft)", ""),
        ("kwargs['target'] = address", "make(True)"),
        ("kwargs.setdefault('target', address)", "make(True)"),
        ("kwargs = options", "make(True)"),
        ("locals()['kwargs'].update(options)", "make(True)"),
        ("fill(kwargs)", "make(True, graph=tf.Graph())"),
    ],
)
def test_arguments_beside_the_config_that_may_name_a_target(line: str, calls: str) -> None:
    check_body_kept(BESIDE.format(line) + calls + "\n", "kwargs")


@pytest.mark.parametrize(
    ("entries", "is_kept"),
    [
        ("{'graph': tf.Graph()}", False),
        ("{}", False),
        ("{'target': address}", True),
        ("load()", True),
    ],
)
def test_dictionary_beside_the_config(entries: str, is_kept: bool) -> None:
    before = f"""
    options = {entries}
    sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True), **options)
    """
    after = f"""
    options = {entries}
    tf.config.set_soft_device_placement(True)
    sess = tf.Session(**options)
    """
    if is_kept:
        check_body_kept(dedent(before), "kwargs")
    else:
        check_body(dedent(before), after)
