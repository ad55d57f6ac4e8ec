"""The sessions of a random program, with configs and without."""

from __future__ import annotations

from tests.differential.configs import Configs
from tests.differential.files import EAGER2, Lines, Module, indented


class Sessions(Configs):
    """Writes steps that make sessions and use them."""

    def _configured(self, module: Module) -> Lines:
        """Return a session with a config, and its use."""
        way = self._pick(
            {
                "call": 8, "with": 8, "helper": 4, "class": 4, "parameter": 2, "interactive": 1,
                "monitored": 2, "supervisor": 1, "keras": 1, "creator": 1, "late": 2, "pair": 1,
                "graph": 1,
            }
        )  # fmt: skip
        if self._hazard is not None:
            way = self._pick({"late": 3, "class": 2})
        if way == "helper":
            return self._by_helper(module)
        if way == "class":
            return self._trainer(module)
        if way == "late":
            return self._late(module)
        lines, config = self._config(module)
        session = module.v1("Session")
        if way == "parameter":
            home, name = self._home(module), self._new("open_session")
            home.define(
                f"def {name}(config=None):", f"    return {home.v1('Session')}(config=config)"
            )
            session = self._reference(module, home, name)
            way = "call"
        if way == "call":
            made = [*lines, f"sess = {session}(config={config})", *self._use(module)]
            return self._in_graph(made + (["sess.close()"] if self._maybe(0.3) else []))
        if way == "with":
            return self._in_graph(
                [*lines, f"with {session}(config={config}) as sess:", *indented(self._use(module))]
            )
        if way == "graph":
            return [
                *lines,
                f"with {module.v1('Graph')}().as_default() as graph:",
                f"    with {session}(graph=graph, config={config}) as sess:",
                *indented(indented(self._use(module))),
            ]
        if way == "pair":
            pair = f"{session}(config={config}) as sess, {session}() as other"
            return self._in_graph([*lines, f"with {pair}:", *indented(self._use(module))])
        if way == "interactive":
            made = [*lines, f"sess = {module.v1('InteractiveSession')}(config={config})"]
            return self._in_graph([*made, *self._use(module), "sess.close()"])
        if way == "keras":
            keras = module.v1("keras.backend")
            made = [*lines, f"{keras}.set_session({session}(config={config}))"]
            return self._in_graph([*made, f"sess = {keras}.get_session()", *self._use(module)])
        return self._in_graph([*lines, *self._managed(module, way, config)])

    def _managed(self, module: Module, way: str, config: str) -> Lines:
        """Return a session that something else makes, its graph being its own."""
        opened = {
            "monitored": f"{module.v1('train.MonitoredTrainingSession')}(config={config})",
            "creator": f"{module.v1('train.MonitoredSession')}(session_creator="
            f"{module.v1('train.ChiefSessionCreator')}(config={config}))",
            "supervisor": f"{module.v1('train.Supervisor')}(logdir=None)"
            f".managed_session(config={config})",
        }[way]
        return [
            f"with {module.v1('Graph')}().as_default():",
            f"    step = {module.v1('train.get_or_create_global_step')}()",
            f"    with {opened} as sess:",
            "        print(sess.run(step))",
        ]

    def _in_graph(self, lines: Lines) -> Lines:
        """Put a session into a graph of its own where the program is eager."""
        if self._kind != EAGER2:
            return lines
        return ["with tf.Graph().as_default():", *indented(lines)]

    def _use(self, module: Module) -> Lines:
        """Return what a program does with `sess`."""
        tf = module.tf or "tf"
        way = self._pick({"run": 5, "gpu": 3, "devices": 2, "variable": 1, "none": 1})
        if way == "run":
            lines = [f"print(sess.run({tf}.constant(1.0) + 2.0))"]
        elif way == "gpu":
            lines = [
                f"with {tf}.device('/device:GPU:1'):",
                f"    there = {tf}.constant([1.0]) + {tf}.ones([1])",
                "try:",
                "    print(sess.run(there).shape)",
                "except Exception as error:",
                "    print(type(error).__name__)",
            ]
        elif way == "devices":
            return ["print([device.name for device in sess.list_devices()])"]
        elif way == "variable":
            lines = [
                f"state = {module.v1('Variable')}(1.0, use_resource=True)",
                "sess.run(state.initializer)",
                "print(sess.run(state).shape)",
            ]
        else:
            return ["print(sess.graph is not None)"]
        return ["with sess.graph.as_default():", *indented(lines)]

    def _by_helper(self, module: Module) -> Lines:
        """Return a session that a helper makes, and its use."""
        home, name = self._home(module), self._new("get_session")
        lines, config = self._config(home)
        session = home.v1("Session")
        if self._maybe(0.3):
            home.define(
                f"def {name}():", *indented(lines),
                f"    sess = {session}(config={config})", "    return sess",
            )  # fmt: skip
        else:
            home.define(
                f"def {name}():", *indented(lines), f"    return {session}(config={config})"
            )
        made = self._reference(module, home, name)
        if self._maybe(0.5):
            return self._in_graph([f"with {made}() as sess:", *indented(self._use(module))])
        return self._in_graph([f"sess = {made}()", *self._use(module)])

    def _trainer(self, module: Module) -> Lines:
        """Return a class with a config in its constructor and a session in a method."""
        home, name = self._home(module), self._new("Trainer")
        lines, config = self._config(home)
        session = home.v1("Session")
        init = ["def __init__(self):", *indented([*lines, f"self.config = {config}"])]
        use = self._use(home)
        way = self._pick({"with": 3, "property": 1, "init": 2, "enter": 1, "base": 1})
        made = f"{session}(config=self.config)"
        body = ["def train(self):", *indented([f"with {made} as sess:", *indented(use)])]
        call = "trainer.train()"
        if way == "property":
            body = ["@property", "def sess(self):", f"    return {made}",
                    "def train(self):", *indented(["sess = self.sess", *use])]  # fmt: skip
        elif way == "init":
            init = ["def __init__(self):",
                    *indented([*lines, f"self.sess = {session}(config={config})"])]  # fmt: skip
            body = ["def train(self):", *indented(["sess = self.sess", *use])]
        elif way == "enter":
            body = ["def __enter__(self):", f"    self.sess = {made}", "    return self.sess",
                    "def __exit__(self, *error):", "    self.sess.close()"]  # fmt: skip
            call = ""
        if way == "base":
            base = self._new("Base")
            home.define(f"class {base}:", *indented(init))
            home.define(f"class {name}({base}):", *indented(body))
        else:
            home.define(f"class {name}:", *indented([*init, *body]))
        new = f"{self._reference(module, home, name)}()"
        if not call:
            return self._in_graph([f"with {new} as sess:", *indented(self._use(module))])
        return self._in_graph([f"trainer = {new}", *self._between(module), call])

    def _late(self, module: Module) -> Lines:
        """Return a session some steps behind its config."""
        lines, config = self._config(module)
        name = self._new("kept")
        lines = [*lines, f"{name} = {config}", *self._between(module)]
        made = [f"sess = {module.v1('Session')}(config={name})", *self._use(module)]
        if self._kind == EAGER2 and self._maybe(0.7):
            return [*lines, *self._in_graph(made)]
        return self._in_graph([*lines, *made])

    def _between(self, module: Module) -> Lines:
        """Return what a program does between a config and its session."""
        if self._hazard is not None:
            hazard, self._hazard = self._hazard, None
            return hazard(module)
        if not self._maybe(0.6 if self._wild else 0.2):
            return []
        chosen = self._pick(
            {
                self._mode: 1,
                self._question: 1,
                self._eager: 5 if self._kind == EAGER2 else 0,
                self._session: 3 if self._wild else 0,
                self._environment: 2 if self._wild else 0,
                self._fork: 2 if self._wild else 0,
            }
        )
        if self._maybe(0.5):
            return chosen(module)
        name = self._function(module, chosen)
        return self._by_value(module, name) if self._wild else [f"{name}()"]

    def _session(self, module: Module) -> Lines:
        """Return a session without a config, spelled somehow."""
        session = module.v1("Session")
        way = self._chance.randrange(16)
        lines: Lines = []
        if way == 1:
            made = f"{module.v1('InteractiveSession')}()"
        elif way == 2:
            made = f"getattr({module.tf or 'tf'}, 'Session')()"
        elif way == 3:
            made = f"{{'session': {session}}}['session']()"
        elif way == 4:
            name = self._new("MySession")
            module.define(f"class {name}({session}):", "    pass")
            made = f"{name}()"
        elif way == 5:
            module.need("import functools")
            made = f"functools.partial({session})()"
        elif way == 6:
            made = f"(lambda: {session}())()"
        elif way == 7:
            name = self._new("build")
            module.define(f"def {name}(kind):", "    return kind()")
            made = f"{name}({session})"
        elif way == 8:
            lines = [f"Opened = {session}"]
            made = "Opened()"
        elif way == 9:
            made = f"{module.v1('keras.backend')}.get_session()"
        elif way == 10:
            name = self._new("Case")
            module.define(
                f"class {name}({module.v1('test.TestCase')}):",
                "    def runTest(self):",
                "        with self.session() as sess:",
                *indented(indented(indented(self._use(module)))),
            )
            return self._in_graph([f"{name}().runTest()"])
        elif way == 11:
            return self._managed(module, "monitored", "None")
        elif way == 12:
            made = f"{session}(config=None)"
        else:
            made = f"{session}()"
        if way != 1 and self._maybe(0.5):
            return self._in_graph([*lines, f"with {made} as sess:", *indented(self._use(module))])
        return self._in_graph([*lines, f"sess = {made}", *self._use(module)])
