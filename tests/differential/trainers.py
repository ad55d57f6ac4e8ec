"""Classes of a random program that configs go through: constructors, bases, attributes, objects."""

from __future__ import annotations

from tests.differential.files import Lines, Module, indented
from tests.differential.sessions import Sessions


class Trainers(Sessions):
    """Writes classes with a config and a session."""

    def _trainer(self, module: Module) -> Lines:
        """Return an object that gets a config somehow, and makes its session in a method."""
        ways = {
            super()._trainer: 6, self._handed: 3, self._by_bases: 4, self._made_by_class: 2,
            self._of_method: 2, self._of_attribute: 3, self._set_up: 2, self._mixed_in: 1,
            self._of_handed: 3, self._in_record: 3,
        }  # fmt: skip
        return self._pick(ways)(module)

    def _opened(self, home: Module, config: str) -> Lines:
        """Return a session with a config, and its use."""
        session = home.v1("Session")
        if self._maybe(0.5):
            return [f"with {session}(config={config}) as sess:", *indented(self._use(home))]
        return [f"sess = {session}(config={config})", *self._use(home)]

    def _used(self, module: Module, home: Module, name: str, given: str = "") -> Lines:
        """Return what makes an object of a class, and trains with it, once or oftener."""
        owner = made = self._reference(module, home, name)
        if self._maybe(0.2):
            made = self._factory(module, home, name, given)
        lines = [f"trainer = {made}({given})", *self._between(module)]
        way = self._pick({"call": 8, "borrowed": 1, "again": 1, "bound": 1, "two": 1})
        if way == "borrowed":
            lines += [f"train = {owner}.train", "train(trainer)"]
        elif way == "again":
            lines += [f"trainer.__init__({given})", "trainer.train()"]
        elif way == "bound":
            lines += ["train = trainer.train", "train()"]
        elif way == "two":
            lines += [f"other = {made}({given})", "trainer.train()", "other.train()"]
        else:
            lines.append("trainer.train()")
        return self._in_graph(lines)

    def _factory(self, module: Module, home: Module, name: str, given: str) -> str:
        """Return a function, or a method, that makes an object of a class."""
        make, taken = self._new("make"), "given" if given else ""
        body = self._pick(
            {
                f"return {name}({taken})": 3,
                f"made = {name}({taken})\nprint('made')\nreturn made": 2,
                f"if {name}.__name__:\n    return {name}({taken})\nraise ValueError": 1,
                f"if {name}.__name__:\n    return {name}({taken})": 1,
            }
        )
        lines = [f"def {make}({taken}):", *indented(body.split("\n"))]
        if self._maybe(0.3):
            owner = self._new("Maker")
            home.define(f"class {owner}:", *indented(["@staticmethod", *lines]))
            return f"{self._reference(module, home, owner)}.{make}"
        home.define(*lines)
        return self._reference(module, home, make)

    def _handed(self, module: Module) -> Lines:
        """Hand a config to a constructor, or to a method."""
        home, name = self._home(module), self._new("Trainer")
        lines, config = self._config(module)
        if self._maybe(0.5):
            home.define(
                f"class {name}:",
                *indented(
                    ["def train(self, config=None):", *indented(self._opened(home, "config"))]
                ),
            )
            made = self._reference(module, home, name)
            call = [f"trainer = {made}()", *lines, *self._between(module)]
            return self._in_graph([*call, f"trainer.train({config})"])
        init = ["def __init__(self, config):", "    self.config = config"]
        if self._maybe(0.3):
            init += [f"    {line}" for line in self._between(home)]
        train = ["def train(self):", *indented(self._opened(home, "self.config"))]
        home.define(f"class {name}:", *indented([*init, *train]))
        if config.isidentifier():
            return [*lines, *self._used(module, home, name, config)]
        kept = self._new("kept")
        return [*lines, f"{kept} = {config}", *self._used(module, home, name, kept)]

    def _by_bases(self, module: Module) -> Lines:
        """Hand a config to what a class inherits."""
        home, base, name = self._home(module), self._new("Base"), self._new("Trainer")
        lines, config = self._config(home)
        way = self._pick({"super": 3, "class": 2, "inherited": 2, "override": 2})
        train = ["def train(self):", *indented(self._opened(home, "self.config"))]
        if way == "override":
            taken = ["def train(self, config):", *indented(self._opened(home, "config"))]
            home.define(f"class {base}:", *indented(taken))
            call = "super().train" if self._maybe(0.5) else f"{base}.train"
            given = config if call.startswith("super") else f"self, {config}"
            body = ["def train(self):", *indented([*lines, f"{call}({given})"])]
            home.define(f"class {name}({base}):", *indented(body))
            return self._used(module, home, name)
        init = ["def __init__(self, config=None):", "    self.config = config"]
        home.define(f"class {base}:", *indented([*init, *train]))
        call = f"super().__init__({config})"
        if way == "class":
            call = f"{base}.__init__(self, {config})"
        elif way == "inherited":
            derived = ["    pass"] if self._maybe(0.5) else indented(["steps = 3"])
            home.define(f"class {name}({base}):", *derived)
            made, more = self._config(module)
            kept = self._new("kept")
            return [*made, f"{kept} = {more}", *self._used(module, home, name, kept)]
        between = self._between(home) if self._maybe(0.3) else []
        body = ["def __init__(self):", *indented([*lines, *between, call])]
        home.define(f"class {name}({base}):", *indented(body))
        return self._used(module, home, name)

    def _made_by_class(self, module: Module) -> Lines:
        """Make the object in a method of the class."""
        home, name = self._home(module), self._new("Trainer")
        lines, config = self._config(home)
        init = ["def __init__(self, config):", "    self.config = config"]
        way = self._pick({f"cls({config})": 3, f"{name}({config})": 1})
        create = ["@classmethod", "def create(cls):", *indented([*lines, f"return {way}"])]
        if way.startswith(name) and self._maybe(0.5):
            create[:2] = ["@staticmethod", "def create():"]
        train = ["def train(self):", *indented(self._opened(home, "self.config"))]
        home.define(f"class {name}:", *indented([*init, *create, *train]))
        made = f"{self._reference(module, home, name)}.create()"
        call = [f"trainer = {made}", *self._between(module), "trainer.train()"]
        return self._in_graph(call)

    def _of_method(self, module: Module) -> Lines:
        """Ask a method of the object for its config."""
        home, name = self._home(module), self._new("Trainer")
        lines, config = self._config(home)
        head, ask = self._pick(
            {
                ("def make_config(self):", "self.make_config()"): 4,
                ("@property\ndef config(self):", "self.config"): 2,
                ("@staticmethod\ndef make_config():", "self.make_config()"): 2,
                ("@classmethod\ndef make_config(cls):", "self.make_config()"): 1,
            }
        )
        give = [*head.split("\n"), *indented([*lines, f"return {config}"])]
        if self._maybe(0.5):
            body = ["def train(self):", *indented(self._opened(home, ask))]
        else:
            body = ["def __init__(self):", f"    self.chosen = {ask}",
                    "def train(self):", *indented(self._opened(home, "self.chosen"))]  # fmt: skip
        parts = [[*give, *body]]
        bases = ""
        if self._maybe(0.4):
            base = self._new("Base")
            inherited = give
            parts, bases = [body], f"({base})"
            if self._maybe(0.4):
                parts = [[*give, *body]]
            elif self._maybe(0.5):
                raised = "    raise NotImplementedError" if self._maybe(0.8) else "    return None"
                inherited, parts = [*head.split("\n"), raised, *body], [give]
            home.define(f"class {base}:", *indented(inherited))
        home.define(f"class {name}{bases}:", *indented(parts[0]))
        return self._used(module, home, name)

    def _of_attribute(self, module: Module) -> Lines:
        """Read a config from an attribute of a class, or of an object."""
        home, name = self._home(module), self._new("Settings")
        lines, config = self._config(home)
        if self._maybe(0.5):
            given = [] if config == "config" else [f"config = {config}"]
            home.define(f"class {name}:", *indented([*lines, *given]))
            made = name
            if self._maybe(0.3):
                made = self._new("Trainer")
                train = ["def train(self):", *indented(self._opened(home, "self.config"))]
                home.define(f"class {made}({name}):", *indented(train))
                return self._used(module, home, made)
        else:
            init = ["def __init__(self):", *indented([*lines, f"self.config = {config}"])]
            made = self._new("settings")
            home.define(f"class {name}:", *indented(init))
            home.define(f"{made} = {name}()")
        asked = f"{self._reference(module, home, made)}.config"
        return self._in_graph([*self._between(module), *self._opened(module, asked)])

    def _set_up(self, module: Module) -> Lines:
        """Build a config in a method that has to run first."""
        home, name = self._home(module), self._new("Trainer")
        lines, config = self._config(home)
        init = ["def __init__(self):", "    self.config = None"]
        setup = ["def setup(self):", *indented([*lines, f"self.config = {config}"])]
        train = ["def train(self):"]
        way = self._pick({"inside": 3, "init": 2, "outside": 2, "asked": 2, "again": 1})
        if way == "inside":
            train.append("    self.setup()")
        elif way == "init":
            init.append("    self.setup()")
        elif way == "asked":
            train += ["    if self.config is None:", "        self.setup()"]
        elif way == "again":
            setup.insert(1, "    self.__init__()")
            train.append("    self.setup()")
        train += indented(self._opened(home, "self.config"))
        home.define(f"class {name}:", *indented([*init, *setup, *train]))
        if way == "outside":
            made = self._reference(module, home, name)
            call = [f"trainer = {made}()", "trainer.setup()", *self._between(module)]
            return self._in_graph([*call, "trainer.train()"])
        return self._used(module, home, name)

    def _mixed_in(self, module: Module) -> Lines:
        """Take the session from one of two bases."""
        home, one, name = self._home(module), self._new("Mixin"), self._new("Trainer")
        other = self._new("Base")
        lines, config = self._config(home)
        made = f"return {home.v1('Session')}(config={config})"
        home.define(f"class {one}:", *indented(["def open(self):", *indented([*lines, made])]))
        body = ["def train(self):", *indented(["sess = self.open()", *self._use(home)])]
        home.define(f"class {other}:", *indented(body))
        bases = f"{one}, {other}" if self._maybe(0.5) else f"{other}, {one}"
        home.define(f"class {name}({bases}):", "    pass")
        return self._used(module, home, name)

    def _of_handed(self, module: Module) -> Lines:
        """Read a config from an object that a function, or another object, is handed."""
        home, user, name = self._home(module), self._home(module), self._new("Settings")
        lines, config = self._config(home)
        init = ["def __init__(self):", *indented([*lines, f"self.config = {config}"])]
        home.define(f"class {name}:", *indented(init))
        train = self._new("train")
        way = self._pick({"function": 3, "object": 3, "twice": 1, "two": 1, "inside": 1})
        if way == "object":
            body = ["def __init__(self, settings):", "    self.settings = settings",
                    "def run(self):",
                    *indented(self._opened(user, "self.settings.config"))]  # fmt: skip
            user.define(f"class {train}:", *indented(body))
        elif way == "twice":
            inner = self._new("inner")
            opened = indented(self._opened(user, "settings.config"))
            user.define(f"def {inner}(settings):", *opened)
            user.define(f"def {train}(settings):", f"    {inner}(settings)")
        else:
            opened = indented(self._opened(user, "settings.config"))
            user.define(f"def {train}(settings):", *opened)
        made = f"{self._reference(module, home, name)}()"
        go = self._reference(module, user, train)
        after = ".run()" if way == "object" else ""
        if way == "inside":
            return self._in_graph([*self._between(module), f"{go}({made}){after}"])
        calls = [f"{go}(settings){after}"]
        if way == "two":
            calls.append(f"{go}({made}){after}")
        return self._in_graph([f"settings = {made}", *self._between(module), *calls])

    def _in_record(self, module: Module) -> Lines:
        """Put a config into a dictionary, or a namespace, that functions are handed or find."""
        user, record, train = self._home(module), self._new("options"), self._new("train")
        lines, config = self._config(module)
        makers = {
            "{}": 3, "{'steps': 3}": 2, "dict(steps=3)": 1, "{'config': None}": 1,
            f"{{'steps': 3, 'config': {config}}}": 3, f"dict(config={config})": 1,
            "argparse.Namespace(steps=3)": 2, f"argparse.Namespace(config={config})": 1,
        }  # fmt: skip
        made = self._pick(makers)
        part = ".config" if made.startswith("argparse") else "['config']"
        if part == ".config":
            module.need("import argparse")
        filled = [f"{record}{part} = {config}"] if config not in made else []
        if filled and self._maybe(0.2):
            filled = self._guarded(module, filled)
        start = [*lines, f"{record} = {made}"]
        if self._maybe(0.3):
            start, filled = [f"{record} = {made}"], [*lines, *filled]
        if config in made:
            start = [*lines, f"{record} = {made}"]
        lines = [*start, *filled, *self._between(module)]
        way = self._pick({"handed": 4, "here": 3, "inner": 2, "two": 1, "again": 1})
        if way == "here":
            lines += self._opened(module, record + part)
        elif way == "inner":
            lines += [f"def {train}():", *indented(self._opened(module, record + part))]
            lines.append(f"{train}()")
        else:
            user.define(f"def {train}(given):", *indented(self._opened(user, f"given{part}")))
            lines.append(f"{self._reference(module, user, train)}({record})")
        if way == "two":
            lines += [f"other = {made}", f"{self._reference(module, user, train)}(other)"]
        elif way == "again":
            lines.append(f"{self._reference(module, user, train)}(given={record})")
        if self._maybe(0.05):
            lines.append(f"print(len({f'vars({record})' if part == '.config' else record}))")
        return self._in_graph(lines)
