"""Configs that go through parameters of functions: followed where every call is seen."""

from __future__ import annotations

import pytest

from tests.tools import (
    check_body,
    check_body_kept,
    check_kept,
    check_not_converted,
    check_transformed,
    migrated,
    source,
)

TRAIN = """
        def train(config):
            with tf.Session(config=config) as sess:
                sess.run(step)
        """
TRAINS = """
        def train():
            with tf.Session() as sess:
                sess.run(step)
        """


def test_function_that_makes_the_session() -> None:
    check_body(
        """
        def make_session(config=None):
            return tf.Session(config=config)


        config = tf.ConfigProto(allow_soft_placement=True)
        sess = make_session(config=config)
        """,
        """
        def make_session():
            return tf.Session()


        tf.config.set_soft_device_placement(True)
        sess = make_session()
        """,
    )


@pytest.mark.parametrize(
    ("before", "call", "after"),
    [
        ("config", "config", ""),
        ("name, config", "'a', config", "name"),
        ("config, name", "config, 'a'", "name"),
        ("config, name", "name='a', config=config", "name"),
        ("config=None, name=None", "config", "name=None"),
        ("config=None, *, name=None", "config, name='a'", "*, name=None"),
        ("*, config=None", "config=config", ""),
        ("*, config", "config=config", ""),
        ("*, config, name", "config=config, name='a'", "*, name"),
        ("name, *, config", "'a', config=config", "name"),
        ("name, *args, config=None", "'a', config=config", "name, *args"),
        ("name, config=None, **kwargs", "'a', config", "name, **kwargs"),
        ("name, config=None, *args", "'a', config", "name, *args"),
        ("name, config: tf.ConfigProto=None,", "'a', config", "name,"),
        ("name, config: 'tf.ConfigProto' = None", "'a', config", "name"),
    ],
)
def test_all_kinds_of_parameters(before: str, call: str, after: str) -> None:
    arguments = ", ".join(
        item for item in call.split(", ") if item not in ("config", "config=config")
    )
    check_body(
        f"""
        def make({before}):
            return tf.Session(config=config)


        config = tf.ConfigProto(allow_soft_placement=True)
        sess = make({call})
        """,
        f"""
        def make({after}):
            return tf.Session()


        tf.config.set_soft_device_placement(True)
        sess = make({arguments})
        """,
    )


def test_layout_and_comments_of_a_long_header() -> None:
    check_body(
        """
        def make(name,  # what
                 graph=None,
                 config=None):  # how
            return tf.Session("", graph, config)


        def make_too(
            config: tf.ConfigProto = None,  # how
            graph=None,  # what
        ):
            return tf.Session("", graph, config)


        first = make("", config=tf.ConfigProto(log_device_placement=True))
        second = make_too(
            config=tf.ConfigProto(log_device_placement=True),  # loud
        )
        """,
        """
        def make(name,  # what
                 graph=None):  # how
            return tf.Session("", graph)


        # how
        def make_too(
            graph=None,  # what
        ):
            return tf.Session("", graph)


        tf.debugging.set_log_device_placement(True)
        first = make("")
        # loud
        tf.debugging.set_log_device_placement(True)
        second = make_too()
        """,
    )


def test_header_on_one_line() -> None:
    check_body(
        """
        def make(config): return tf.Session(config=config)
        sess = make(tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        def make(): return tf.Session()
        tf.config.set_soft_device_placement(True)
        sess = make()
        """,
    )


def test_through_two_functions() -> None:
    check_body(
        """
        def create(name, session_config=None):
            with tf.Session(config=session_config) as sess:
                sess.run(name)


        def update(session_config=None):
            create("a", session_config=session_config)


        def main():
            update(session_config=tf.ConfigProto(device_count={"GPU": 0}))
        """,
        """
        def create(name):
            with tf.Session() as sess:
                sess.run(name)


        def update():
            create("a")


        def main():
            tf.config.set_visible_devices([], "GPU")
            update()
        """,
    )


def test_method_that_is_called_through_self() -> None:
    check_body(
        """
        class Trainer(object):
            def train(self, config, steps=1):
                with tf.Session(config=config) as sess:
                    sess.run(steps)

            def run(self):
                self.train(tf.ConfigProto(allow_soft_placement=True), 2)
        """,
        """
        class Trainer(object):
            def train(self, steps=1):
                with tf.Session() as sess:
                    sess.run(steps)

            def run(self):
                tf.config.set_soft_device_placement(True)
                self.train(2)
        """,
    )


def test_parameter_that_two_sessions_take() -> None:
    check_body(
        """
        def run(config):
            with tf.Session(config=config) as sess:
                sess.run(a)
            with tf.Session(config=config) as sess:
                sess.run(b)


        run(tf.ConfigProto(intra_op_parallelism_threads=2))
        """,
        """
        def run():
            with tf.Session() as sess:
                sess.run(a)
            with tf.Session() as sess:
                sess.run(b)


        tf.config.threading.set_intra_op_parallelism_threads(2)
        run()
        """,
    )


def test_callers_that_give_the_same() -> None:
    check_body(
        f"""{TRAIN}

        def first():
            train(tf.ConfigProto(allow_soft_placement=True))


        def second():
            train(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        f"""{TRAINS}

        def first():
            tf.config.set_soft_device_placement(True)
            train()


        def second():
            tf.config.set_soft_device_placement(True)
            train()
        """,
    )


def test_config_of_a_function_that_returns_it() -> None:
    check_body(
        f"""{TRAIN}

        def get_config():
            config = tf.ConfigProto()
            config.allow_soft_placement = True
            return config


        train(get_config())
        """,
        f"""{TRAINS}

        def get_config():
            tf.config.set_soft_device_placement(True)


        get_config()
        train()
        """,
    )


def test_calls_of_which_one_gives_nothing() -> None:
    # What the process gets first, it keeps: the second session never had other threads.
    check_body(
        """
        def make(config=None):
            return tf.Session(config=config)


        def first():
            return make(tf.ConfigProto(intra_op_parallelism_threads=1))


        def second():
            return make(None)


        def third():
            return make(config=None)
        """,
        """
        def make():
            return tf.Session()


        def first():
            tf.config.threading.set_intra_op_parallelism_threads(1)
            return make()


        def second():
            return make()


        def third():
            return make()
        """,
    )


def test_function_that_hands_on_what_it_never_gets() -> None:
    check_body(
        """
        def make(config):
            return tf.Session(config=config)


        def wrap(config=None):
            def inner(config):
                return make(config)

            return inner(config), make(config)


        if on_cpu:
            make(tf.ConfigProto(device_count={"GPU": 0}))
        else:
            wrap()
        """,
        """
        def make():
            return tf.Session()


        def wrap():
            def inner():
                return make()

            return inner(), make()


        if on_cpu:
            tf.config.set_visible_devices([], "GPU")
            make()
        else:
            wrap()
        """,
    )


def test_session_of_a_creator_that_takes_the_config() -> None:
    check_body(
        """
        def run(config, steps):
            creator = tf.train.ChiefSessionCreator(config=config)
            print(steps)
            with tf.train.MonitoredSession(session_creator=creator) as sess:
                sess.run(steps)


        run(tf.ConfigProto(allow_soft_placement=True), 3)
        """,
        """
        def run(steps):
            creator = tf.train.ChiefSessionCreator()
            print(steps)
            with tf.train.MonitoredSession(session_creator=creator) as sess:
                sess.run(steps)


        tf.config.set_soft_device_placement(True)
        run(3)
        """,
    )


def test_session_between_a_creator_and_its_own() -> None:
    check_body_kept(
        """
        def run(config):
            creator = tf.train.ChiefSessionCreator(config=config)
            first = tf.Session()
            return tf.train.MonitoredSession(session_creator=creator)


        run(tf.ConfigProto(intra_op_parallelism_threads=2))
        """,
        "session-without-config",
    )


def test_creator_whose_session_is_made_elsewhere() -> None:
    check_body_kept(
        """
        def make(config):
            return tf.train.ChiefSessionCreator(config=config)


        creator = make(tf.ConfigProto(allow_soft_placement=True))
        """,
        "session-elsewhere",
    )


def test_two_functions_of_one_name_that_hand_on() -> None:
    check_body_kept(
        """
        def make(config):
            return tf.Session(config=config)


        if a:
            def wrap(config):
                return make(config)
        else:
            def wrap(config):
                return make(config)


        make(tf.ConfigProto(allow_soft_placement=True))
        """,
        "foreign-config",
    )


def test_soft_placement_of_a_session_on_a_graph() -> None:
    check_body(
        """
        def make(graph, config):
            return tf.Session(graph=graph, config=config)


        sess = make(g, tf.ConfigProto(log_device_placement=True))
        """,
        """
        def make(graph):
            return tf.Session(graph=graph)


        tf.debugging.set_log_device_placement(True)
        sess = make(g)
        """,
    )


# What the function does with its parameter, which two calls give.

CALL = """

        run(config=tf.ConfigProto(allow_soft_placement=True))
        run(config=None)
        """


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (
            "def run(config):\n    use(config)\n    return tf.Session(config=config)",
            "it is passed to `use` (line 4)",
        ),
        (
            "def run(config):\n    config = config\n    return tf.Session(config=config)",
            "`config` is assigned another value in line 4",
        ),
        (
            "def run(config):\n    with a as config:\n        return tf.Session(config=config)",
            "`config` is assigned another value in line 4",
        ),
        (
            "def run(config):\n    if config:\n        return tf.Session(config=config)",
            "`config` is used in line 4",
        ),
        (
            "def run(config):\n    return lambda: tf.Session(config=config)",
            "it is used later, in line 4",
        ),
        (
            "def run(config):\n    def inner():\n        return tf.Session(config=config)\n\n"
            "    return inner",
            "it is used later, in line 5",
        ),
        (
            "def run(config):\n    return [tf.Session(config=config) for _ in range(2)]",
            "it is used later, in line 4",
        ),
        (
            "def run(config):\n    yield tf.Session(config=config)",
            "it is used later, since `run` is a generator",
        ),
        (
            "import contextlib\n@contextlib.contextmanager\n"
            "def run(config):\n    yield tf.Session(config=config)",
            "`run` gives a context manager that is not entered where it is called",
        ),
        (
            "def run(config):\n    return tf.Session(config=config), locals()",
            "`locals` may read `config`, in line 4",
        ),
        (
            "def run(config=default):\n    return tf.Session(config=config)",
            "its default is `default`",
        ),
        (
            "def run(config=tf.ConfigProto()):\n    return tf.Session(config=config)",
            "its default is `tf.ConfigProto()`",
        ),
        (
            "@cached\ndef run(config):\n    return tf.Session(config=config)",
            "`run` has a decorator",
        ),
        ("def run(a=1, /, config=None):\n    tf.Session(config=config)", "it is taken apart"),
        ("def run(**kwargs):\n    return tf.Session(**kwargs)", "it is taken apart"),
        ("def run(config):\n    print(1)", "`config` reaches no session"),
        (
            "def run(config, n=1):\n    run(config, n - 1)\n    return tf.Session(config=config)",
            "it is passed to `run` (line 4), where `run` calls itself",
        ),
        (
            "def run(config):\n    return tf.Session(**config)",
            "`config` is used in line 4",
        ),
    ],
)
def test_parameter_that_is_not_only_handed_on(function: str, why: str) -> None:
    result = check_kept(f"import tensorflow as tf\n\n{function}\n{source(CALL)}", "parameter")
    line = function.count("\n") + 4
    assert [item.message for item in result.findings if item.code == "TFG902"] == [
        f"config kept: the config built in line {line} is passed to `run` (line {line}), "
        f"where {why}"
    ]


def test_path_through_several_functions() -> None:
    result = check_body_kept(
        """
        def last(c):
            log(c)
            return tf.Session(config=c)


        def middle(b):
            return last(b)


        def first(a):
            return middle(b=a)


        config = tf.ConfigProto(allow_soft_placement=True)
        first(config)
        first(None)
        """,
        "parameter",
    )
    assert result.findings[-1].message == (
        "config kept: the config built in line 16 is passed to `first` (line 17), where it is "
        "passed to `middle` (line 13), where it is passed to `last` (line 9), where it is passed "
        "to `log` (line 4)"
    )


def test_functions_that_call_each_other() -> None:
    check_body_kept(
        """
        def one(config):
            two(config)


        def two(config):
            one(config)
            return tf.Session(config=config)


        one(tf.ConfigProto(allow_soft_placement=True))
        """,
        "parameter",
    )


def test_coroutine() -> None:
    check_body_kept(
        """
        async def run(config):
            return tf.Session(config=config)


        run(tf.ConfigProto(allow_soft_placement=True))
        """,
        "passed-on",
    )


def test_parameter_that_goes_to_a_sink_which_needs_it() -> None:
    result = check_body_kept(
        """
        def make(config=None):
            return tf.estimator.RunConfig(session_config=config)


        make(tf.ConfigProto(allow_soft_placement=True))
        """,
        "estimator-config",
    )
    assert {item.line for item in result.findings} == {4, 7}


def test_session_on_another_process() -> None:
    check_body_kept(
        """
        def make(config=None):
            return tf.Session("grpc://host:2222", config=config)


        make(tf.ConfigProto(allow_soft_placement=True))
        """,
        "remote-target",
    )


def test_two_configs_at_once() -> None:
    check_body_kept(
        """
        def run(train_config, eval_config):
            tf.Session(config=train_config)
            tf.Session(config=eval_config)


        config = tf.ConfigProto(allow_soft_placement=True)
        run(config, config)
        """,
        "parameter",
    )


# Who calls the function, and with what.


@pytest.mark.parametrize(
    "other",
    [
        "run_again = train",
        "Thread(target=train, args=(None,)).start()",
        "functools.partial(train, config=None)()",
        "train(*arguments)",
        "train(**arguments)",
        "getattr(module, 'train')(tf.ConfigProto(log_device_placement=True))",
        "globals()['train'](tf.ConfigProto(log_device_placement=True))",
        "setattr(module, 'train', other)",
        "module.train = other",
    ],
)
def test_function_that_is_not_only_called(other: str) -> None:
    check_body_kept(
        f"""{TRAIN}

        train(tf.ConfigProto(allow_soft_placement=True))
        {other}
        """,
        "parameter",
    )


@pytest.mark.parametrize(
    "other",
    [
        "print('train')",
        "model.train(steps)",
        "self.train = True",
        "tf.train.get_global_step()",
        "modes = {'train': 1}",
    ],
)
def test_others_of_the_same_name(other: str) -> None:
    if other.startswith("self"):
        other = f"def f(self):\n            {other}"
        check_body_kept(
            f"{TRAIN}\n\n        train(tf.ConfigProto())\n        {other}\n", "parameter"
        )
        return
    check_body(
        f"{TRAIN}\n\n        train(tf.ConfigProto())\n        {other}\n",
        f"{TRAINS}\n\n        train()\n        {other}\n",
    )


@pytest.mark.parametrize(
    "other",
    [
        "train = traced(train)",
        "del train",
        "def f():\n            global train\n            train = print",
        "def train():\n            pass",
    ],
)
def test_function_that_is_not_the_only_one_of_its_name(other: str) -> None:
    check_body_kept(
        f"""{TRAIN}

        train(tf.ConfigProto(allow_soft_placement=True))
        {other}
        """,
        "passed-on",
    )


def test_config_of_another_origin() -> None:
    check_body_kept(
        f"""{TRAIN}

        train(tf.ConfigProto(allow_soft_placement=True))
        train(load())
        """,
        "foreign-config",
    )


def test_name_that_all_exports() -> None:
    check_body_kept(
        f"""
        __all__ = ["train"]
        {TRAIN}

        train(tf.ConfigProto(allow_soft_placement=True))
        """,
        "used-elsewhere",
    )


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ("class B(A):\n    def make(self, config):\n        pass", "passed-on"),
        ("A.make = print", "parameter"),
        ("a = A()\na.make = print", "parameter"),
        ("a.make(None)", "parameter"),
        ("a = A()\na = other\na.make(None)", "parameter"),
        ("A.make(A(), None)", "session-without-config"),
        ("A().make(None)", "session-without-config"),
        ("a = A()\na.make(None)", "session-without-config"),
        ("class B(A):\n    def go_on(self):\n        self.make(None)", "session-without-config"),
    ],
)
def test_method_that_others_call_or_replace(other: str, reason: str) -> None:
    head = source(
        """
        import tensorflow as tf

        class A:
            def make(self, config):
                return tf.Session(config=config)

            def go(self):
                return self.make(tf.ConfigProto(allow_soft_placement=True))

        """
    )
    check_kept(f"{head}{other}\n", reason)


@pytest.mark.parametrize("head", ["class A(Base)", "class A(metaclass=M)", "@register\nclass A"])
def test_method_of_a_class_with_unknown_parts(head: str) -> None:
    body = source(
        """
            def make(self, config):
                return tf.Session(config=config)

            def go(self):
                return self.make(tf.ConfigProto(allow_soft_placement=True))
        """
    )
    indented = "".join(f"    {line}\n" if line else "\n" for line in body.split("\n"))
    check_kept(f"import tensorflow as tf\n\n{head}:\n{indented}", "parameter")


def test_method_that_python_calls() -> None:
    check_body_kept(
        """
        class A:
            def __call__(self, config):
                return tf.Session(config=config)

            def go(self):
                return self.__call__(tf.ConfigProto(allow_soft_placement=True))
        """,
        "parameter",
    )


MODEL = source(
    """
    import tensorflow as tf


    class Model:
        def __init__(self, name, config=None):
            self.name = name
            self.sess = tf.Session(config=config)


    config = tf.ConfigProto(allow_soft_placement=True)
    """
)


# What a class inherits from, or is made by, and whether that leaves it what its text says.
BASES = {
    "(object)": True,
    "(ABC)": True,
    "(metaclass=ABCMeta)": True,
    "(Base)": False,
    "(ABC, Base)": False,
    "(metaclass=Meta)": False,
    "(Model)": False,
}


@pytest.mark.parametrize("bases", BASES)
def test_bases_of_a_class_that_takes_a_config(bases: str) -> None:
    text = MODEL.replace("class Model:", f"class Model{bases}:") + "m = Model('a', config)\n"
    text = f"from abc import ABC, ABCMeta\nfrom library import Base, Meta\n{text}"
    if BASES[bases]:
        assert "\nm = Model('a')\n" in migrated(text)
    else:
        check_not_converted(text)


@pytest.mark.parametrize("given", ["config", "config=config"])
def test_class_that_takes_a_config(given: str) -> None:
    check_transformed(
        f"{MODEL}m = Model('a', {given})\n",
        source(
            """
            import tensorflow.compat.v1 as tf
            tf.disable_v2_behavior()


            class Model:
                def __init__(self, name):
                    self.name = name
                    self.sess = tf.Session()


            tf.config.set_soft_device_placement(True)
            m = Model('a')
            """
        ),
    )


@pytest.mark.parametrize("given", ["config", "config=config"])
@pytest.mark.parametrize(
    "other",
    [
        "class N(Model):\n    pass\n\nall = {'n': N}",
        "class N(Model):\n    pass\n\nn = type(m)('b', config)",
        "class N(Model):\n    pass\n\nfor one in Model.__subclasses__():\n    one('b', config)",
        "class N(Model, Other):\n    pass",
        "@register\nclass N(Model):\n    pass",
        "class N(Model, metaclass=M):\n    pass",
        "class N(Model):\n    def __new__(cls, *args):\n        pass",
        "class N(Model):\n    @classmethod\n    def make(cls):\n        return cls('b', config)",
        "class N(Model):\n    def __init__(self, *args):\n        super().__init__(*args)",
        "class N(Model):\n    def __init__(self):\n        self.init = Model.__init__",
        "class N(Model):\n    def f(self):\n        init = super().__init__",
        "class O(Model):\n    pass\n\nclass N(O):\n    def f(self):\n"
        "        super(O, self).__init__()",
        "class N(Model):\n    pass\n\nN.__init__ = print",
        "all = {'m': Model}",
        "n = type(m)('b', config)",
        "n = m.__class__('b', config)",
        "other.__init__('b', config)",
        "n = functools.partial(Model, 'b')(config)",
        "n = getattr(this, 'Model')('b', config)",
        "n = globals()['Model']('b', config)",
        "n = Model(*['b', config])",
        "n = Model(**{'name': 'b', 'config': config})",
        "Model.__init__ = print",
        "setattr(Model, '__init__', print)",
        "print(inspect.signature(Model))",
    ],
)
def test_class_that_is_made_in_other_ways(given: str, other: str) -> None:
    check_not_converted(f"{MODEL}m = Model('a', {given})\n{other}\n")


@pytest.mark.parametrize(
    ("subclass", "call", "after"),
    [
        ("class N(Model):\n    pass\n", "N('b', config=config)", "N('b')"),
        (
            "class N(Model):\n    def __init__(self, c):\n        super().__init__('b', c)\n",
            "N(config)",
            "N()",
        ),
        (
            "class O(Model):\n    pass\n\n\nclass N(O):\n    def __init__(self, c):\n"
            "        super(N, self).__init__(config=c, name='b')\n",
            "N(c=config)",
            "N()",
        ),
        (
            "class N(Model):\n    def __init__(self, c):\n        Model.__init__(self, 'b', c)\n",
            "N(config)",
            "N()",
        ),
        (
            "class N(Model):\n    def __init__(self, c):\n"
            "        Model.__init__(self, config=c, name='b')\n",
            "Model.__init__(N(config), 'c', config)",
            "Model.__init__(N(), 'c')",
        ),
    ],
)
def test_class_that_inherits_what_takes_a_config(subclass: str, call: str, after: str) -> None:
    result = migrated(f"{MODEL}\n\n{subclass}\n\nm = {call}\n")
    assert "config" not in result.replace("tf.config", "")
    assert f"m = {after}\n" in result


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("class Model", "@register\nclass Model"),
        ("Model:", "Model(metaclass=Meta):"),
        ("Model:", "Model(Base):"),
        ("    def __i", "    def __new__(cls, *a): return object.__new__(cls)\n    def __i"),
        ("    def __i", "    @cached\n    def z(cls, c): return cls('z', c)\n    def __i"),
    ],
)
def test_class_whose_objects_others_make(old: str, new: str) -> None:
    check_not_converted(f"{MODEL.replace(old, new, 1)}m = Model('a', config)\n")


def test_class_that_builds_a_config_where_it_gets_none() -> None:
    check_transformed(
        """
        import tensorflow as tf


        class Runner:
            def __init__(self, config=None):
                if config is None:
                    config = tf.ConfigProto()
                    config.allow_soft_placement = True
                self.config = config

            def run(self):
                with tf.Session(config=self.config) as sess:
                    print(sess.run(tf.constant(1)))


        Runner().run()
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        class Runner:
            def __init__(self):
                tf.config.set_soft_device_placement(True)

            def run(self):
                with tf.Session() as sess:
                    print(sess.run(tf.constant(1)))


        Runner().run()
        """,
    )


# What comes between the settings and the session.


def test_session_inside_the_function_before_its_own() -> None:
    check_body_kept(
        """
        def run(config):
            with tf.Session() as sess:
                sess.run(first)
            with tf.Session(config=config) as sess:
                sess.run(second)


        run(tf.ConfigProto(intra_op_parallelism_threads=2))
        """,
        "session-without-config",
    )


def test_session_that_the_function_has_made_before_its_own() -> None:
    check_body_kept(
        """
        def warm():
            return tf.Session()


        def inner(config):
            warm()
            return tf.Session(config=config)


        def run(config):
            return inner(config)


        run(tf.ConfigProto(intra_op_parallelism_threads=2))
        """,
        "session-without-config",
    )


def test_session_in_an_argument_of_the_call() -> None:
    check_body_kept(
        """
        def warm():
            return tf.Session()


        def run(first, config):
            return tf.Session(config=config)


        run(warm(), tf.ConfigProto(intra_op_parallelism_threads=2))
        """,
        "session-without-config",
    )


def test_session_inside_the_function_after_its_own() -> None:
    check_body(
        """
        def run(config):
            with tf.Session(config=config) as sess:
                sess.run(first)
            with tf.Session() as sess:
                sess.run(second)


        run(tf.ConfigProto(intra_op_parallelism_threads=2))
        """,
        """
        def run():
            with tf.Session() as sess:
                sess.run(first)
            with tf.Session() as sess:
                sess.run(second)


        tf.config.threading.set_intra_op_parallelism_threads(2)
        run()
        """,
    )


def test_callers_that_differ() -> None:
    check_body(
        f"""{TRAIN}

        def first():
            train(tf.ConfigProto(allow_soft_placement=True))


        def second():
            train(tf.ConfigProto(device_count={{"GPU": 0}}))
        """,
        """
        def train():
            with tf.Session() as sess:
                sess.run(step)


        def first():
            gpus = tf.config.list_physical_devices("GPU")
            tf.config.set_visible_devices(gpus, "GPU")
            tf.config.set_soft_device_placement(True)
            train()


        def second():
            tf.config.set_soft_device_placement(False)
            tf.config.set_visible_devices([], "GPU")
            train()
        """,
    )


def test_callers_of_which_one_gives_none() -> None:
    check_body_kept(
        """
        def make(config=None):
            return tf.Session(config=config)


        make(tf.ConfigProto(device_count={"CPU": 2}))
        make()
        """,
        "session-without-config",
    )


def test_caller_in_a_loop_with_settings_that_change() -> None:
    check_body_kept(
        f"""{TRAIN}

        for number in range(3):
            config = tf.ConfigProto()
            if number:
                config.experimental.enable_mlir_bridge = True
            train(config)
        """,
        "varies",
    )


def test_session_that_is_made_under_a_condition() -> None:
    # Settings that would act without a session, before one that had none.
    check_body_kept(
        """
        def train(config):
            if ready:
                tf.Session(config=config)


        train(tf.ConfigProto(intra_op_parallelism_threads=2))
        tf.Session()
        """,
        "session-without-config",
    )


def test_function_that_may_return_before_its_session() -> None:
    check_body_kept(
        """
        def train(config):
            if not ready:
                return None
            return tf.Session(config=config)


        train(tf.ConfigProto(intra_op_parallelism_threads=2))
        tf.Session()
        """,
        "session-without-config",
    )


def test_environment_that_the_function_sets_first() -> None:
    check_body_kept(
        """
        import os


        def train(config):
            os.environ["CUDA_VISIBLE_DEVICES"] = "1"
            return tf.Session(config=config)


        train(tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
        """,
        "late-environment",
    )


def test_processes_that_the_function_may_start_first() -> None:
    check_body_kept(
        """
        import multiprocessing


        def train(config):
            multiprocessing.Process(target=print).start()
            return tf.Session(config=config)


        train(tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
        """,
        "fork",
    )


def test_query_inside_the_function() -> None:
    check_body_kept(
        """
        def train(config):
            print(tf.test.is_gpu_available())
            return tf.Session(config=config)


        train(tf.ConfigProto(device_count={"GPU": 1}))
        """,
        "probe-first",
    )


def test_keras_session_that_a_function_makes() -> None:
    text = migrated(
        """
        import tensorflow as tf
        from keras import backend as K


        def make(config):
            return tf.Session(config=config)


        K.set_session(make(tf.ConfigProto(allow_soft_placement=True)))
        """
    )
    assert "return tf.Session()\n" in text
    assert "K.set_session(make())\n" in text


@pytest.mark.parametrize("given", ["config", "config=config"])
def test_method_that_is_called_by_its_class(given: str) -> None:
    # `self` is the first argument there.
    result = migrated(
        f"""
        import tensorflow.compat.v1 as tf

        tf.disable_v2_behavior()


        class Trainer:
            def make(self, config, other=None):
                return tf.Session(config=config)


        config = tf.ConfigProto(allow_soft_placement=True)
        Trainer.make(Trainer(), {given})
        """
    )
    assert "def make(self, other=None):\n        return tf.Session()\n" in result
    assert "\nTrainer.make(Trainer())\n" in result


# A class, the line that calls its method, and both afterwards; None where it is kept.
OVERRIDDEN: dict[str, tuple[str, str, str | None]] = {
    "super": ("super().make(config)", "Model().make(config)", "super().make()"),
    "the class": ("Base.make(self, config)", "Model().make(config)", "Base.make(self)"),
    "the class, by a keyword": (
        "Base.make(self, config=config)",
        "Model.make(Model(), config)",
        "Base.make(self)",
    ),
    # The one that it overrides would keep the parameter.
    "not at all": ("return tf.Session(config=config)", "Model().make(config)", None),
    "an object that may be of both": ("super().make(config)", "pick().make(config)", None),
}


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_method_that_overrides_another_one(name: str) -> None:
    body, call, after = OVERRIDDEN[name]
    text = source(
        f"""
        import tensorflow.compat.v1 as tf

        tf.disable_v2_behavior()


        class Base:
            def make(self, config):
                return tf.Session(config=config)


        class Model(Base):
            def make(self, config):
                {body}


        config = tf.ConfigProto(allow_soft_placement=True)
        {call}
        """
    )
    if after is None:
        check_not_converted(text)
        return
    result = migrated(text)
    assert result.count("def make(self):\n") == 2
    assert f"        {after}\n" in result
    assert f"\n{call.replace(', config', '').replace('config', '')}\n" in result


# What a class method does with the class that it gets.
CLASS_METHODS = {
    "return cls(config)": "return cls()",
    "return cls(config=config)": "return cls()",
    "made = cls\n        return made(config)": None,
    "return list(map(cls, [config]))": None,
    "return make(cls, config)": None,
}


@pytest.mark.parametrize("subclass", ["", "\n\nclass Other(Model):\n    pass\n"])
@pytest.mark.parametrize("body", CLASS_METHODS)
def test_class_method_that_makes_an_object(body: str, subclass: str) -> None:
    text = f"""\
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class Model:
    def __init__(self, config):
        self.sess = tf.Session(config=config)

    @classmethod
    def create(cls):
        config = tf.ConfigProto(allow_soft_placement=True)
        {body}
{subclass}

model = Model.create()
"""
    after = CLASS_METHODS[body]
    if after is None or subclass:
        check_not_converted(text)
    else:
        result = migrated(text)
        assert f"        {after}\n" in result
        assert "def __init__(self):\n        self.sess = tf.Session()\n" in result


@pytest.mark.parametrize(
    ("decorator", "first"),
    [("staticmethod", ""), ("classmethod", "cls, ")],
    ids=["static", "class"],
)
def test_method_of_a_class_with_a_parameter(decorator: str, first: str) -> None:
    check_body(
        f"""
        class Trainer:
            @{decorator}
            def make({first}config, other=None):
                return tf.Session(config=config)


        config = tf.ConfigProto(allow_soft_placement=True)
        Trainer.make(config)
        Trainer().make(other=2, config=config)
        """,
        f"""
        class Trainer:
            @{decorator}
            def make({first}other=None):
                return tf.Session()


        tf.config.set_soft_device_placement(True)
        Trainer.make()
        Trainer().make(other=2)
        """,
    )


GIVES_BACK = """
        def configure(config, growth=True):
            config.gpu_options.allow_growth = growth
            return config

"""


@pytest.mark.parametrize(
    ("session", "call"),
    [
        ("sess = tf.Session(config=configure(tf.ConfigProto()))", "configure()"),
        ("sess = tf.Session(config=configure(tf.ConfigProto(), True))", "configure(True)"),
        (
            "sess = tf.Session(config=configure(growth=False, config=tf.ConfigProto()))",
            "configure(growth=False)",
        ),
        (
            "config = configure(\n            tf.ConfigProto(),\n            growth=True,\n"
            "        )\n        sess = tf.Session(config=config)",
            "configure(growth=True)",
        ),
    ],
)
def test_a_function_that_returns_the_config_that_it_is_given(session: str, call: str) -> None:
    check_body(
        f"""{GIVES_BACK}
        {session}
        """,
        f"""
        def configure(growth=True):
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, growth)


        {call}
        sess = tf.Session()
        """,
    )


@pytest.mark.parametrize(
    "session",
    [
        "tf.Session(config=configure(configure(tf.ConfigProto())))",
        "tf.Session(config=configure(\n            tf.ConfigProto(),  # all\n        ))",
        "tf.Session(config=configure(*made))",
    ],
    ids=["within another", "comment", "starred"],
)
def test_a_call_that_returns_its_config_and_cannot_be_written_without(session: str) -> None:
    text = f"{GIVES_BACK}\n        made = tf.ConfigProto(), True\n        sess = {session}\n"
    check_not_converted("import tensorflow as tf\n\n" + source(text))


# What else may give the object that a method is called of, and so another method.
OTHER_OBJECTS = {
    "by another object": "app = App()\napp.trainer = other\napp.main()",
    "by a name": 'app = App()\nsetattr(app, "trainer", other)\napp.main()',
    "by a computed name": "app = App()\nsetattr(app, name, other)\napp.main()",
    "in its dictionary": "app = App()\napp.__dict__.update(values)\napp.main()",
    "by a variable of the class": "App.trainer = other\nApp().main()",
    "by a property of a subclass": (
        "class Sub(App):\n    @property\n    def trainer(self):\n        return other\n\n"
        "Sub().main()"
    ),
    "by an unknown base class": "class Sub(App, Mixin):\n    pass\n\nSub().main()",
    "by a patch": 'with patch.object(app, "trainer", other):\n    app.main()',
}


@pytest.mark.parametrize("name", OTHER_OBJECTS)
def test_method_of_an_object_that_may_be_another_one(name: str) -> None:
    head = source(
        """
        import tensorflow as tf

        class Trainer:
            def train(self, config):
                return tf.Session(config=config)

        class App:
            def __init__(self):
                self.trainer = Trainer()

            def main(self):
                self.trainer.train(tf.ConfigProto(allow_soft_placement=True))

        """
    )
    check_kept(f"{head}{OTHER_OBJECTS[name]}\n", "passed-on")


MANAGER = """
import contextlib
import tensorflow as tf


@contextlib.contextmanager
def run(config):
    {body}


config = tf.ConfigProto(allow_soft_placement=True)
with run(config) as sess:
    sess.run(step)
"""


@pytest.mark.parametrize(
    "body",
    [
        "yield\n    tf.Session(config=config)",
        "yield tf.Session(config=config)\n    config.log_device_placement = True",
        "for _ in range(2):\n        yield tf.Session(config=config)",
        "yield from [tf.Session(config=config)]\n    tf.Session(config=config)",
    ],
)
def test_manager_that_uses_it_later(body: str) -> None:
    (found,) = [
        item
        for item in check_kept(MANAGER.format(body=body), "parameter").findings
        if item.code == "TFG902"
    ]
    assert "it is used later, since `run` is a generator" in found.message


@pytest.mark.parametrize(
    "alias", ["start = run", "kinds = {'plain': run}", "other = staticmethod(run)"]
)
@pytest.mark.parametrize("decorator", ["# plain", "@staticmethod"])
def test_method_that_its_class_names(alias: str, decorator: str) -> None:
    result = check_body_kept(
        f"""
        class Runner:
            {decorator}
            def run({"self, " if decorator == "# plain" else ""}config):
                return tf.Session(config=config)

            {alias}


        config = tf.ConfigProto(allow_soft_placement=True)
        Runner{"()" if decorator == "# plain" else ""}.run(config)
        """,
        "parameter",
    )
    (found,) = [item for item in result.findings if item.code == "TFG902"]
    assert "`run` is not only called, but used in line 8" in found.message
