"""The ways in which a step of a random program is reached, from plain to well hidden."""

from __future__ import annotations

from tests.differential.files import Body, Files, Lines, Module, indented


class Ways(Files):
    """Puts steps under conditions, and reaches them by values, classes and imports."""

    def _guarded(self, module: Module, lines: Lines) -> Lines:
        """Put a step under a condition, into a loop or a try, or leave it as it is."""
        way = self._pick({"": 14, "if": 2, "else": 1, "for": 1, "try": 2, "finally": 1})
        if way == "if":
            return [f"if {self._condition(module)}:", *indented(lines)]
        if way == "else":
            return [
                f"if {self._condition(module)}:",
                '    print("skipped")',
                "else:",
                *indented(lines),
            ]
        if way == "for":
            return ["for _ in range(2):", *indented(lines)]
        if way == "try":
            return [
                "try:",
                *indented(lines),
                "except Exception as error:",
                "    print(type(error).__name__)",
            ]
        if way == "finally":
            return ["try:", *indented(lines), "finally:", '    print("done")']
        return lines

    def _by_import(self, module: Module, body: Body) -> Lines:
        """Do a step while a file is imported."""
        later = [one for one in self._modules[1:] if one not in self._entries]
        later = [one for one in later if self._modules.index(one) > self._modules.index(module)]
        if not later:
            return body(module)
        home = self._chance.choice(later)
        home.define(*body(home))
        return [f"import {home.name}"]

    def _by_value(self, module: Module, name: str) -> Lines:
        """Call a function otherwise than by its name."""
        new = self._new
        way = self._chance.randrange(24)
        if way == 0:
            alias = new("alias")
            return [f"{alias} = {name}", f"{alias}()"]
        if way == 1:
            return [f"{{'go': {name}}}['go']()"]
        if way == 2:
            return [f"list(map(lambda _: {name}(), [0]))"]
        if way == 3:
            return [f"[go() for go in ({name},)]"]
        if way == 4:
            module.need("import functools")
            return [f"functools.partial({name})()"]
        if way == 5:
            module.need("import threading")
            thread = new("thread")
            return [
                f"{thread} = threading.Thread(target={name})",
                f"{thread}.start()",
                f"{thread}.join()",
            ]
        if way == 6:
            call = new("call")
            module.define(f"def {call}(callback, *rest):", "    return callback(*rest)")
            return [f"{call}({name})"]
        if way == 7:
            hooks = new("HOOKS")
            module.define(f"{hooks} = []")
            return [f"{hooks}.append({name})", f"for hook in {hooks}:", "    hook()"]
        if way == 8:
            now = new("now")
            module.define(f"def {now}(function):", "    function()", "    return function")
            return [f"@{now}", f"def {new('decorated')}():", f"    {name}()"]
        if way == 9:
            steps = new("steps")
            module.define(f"def {steps}():", "    yield 1", f"    {name}()", "    yield 2")
            return [f"for _ in {steps}():", "    print('item')"]
        if way == 10:
            module.need("import asyncio")
            work = new("work")
            module.define(
                f"async def {work}():",
                "    await asyncio.sleep(0)",
                f"    {name}()",
            )
            return [f"asyncio.run({work}())"]
        if way == 11:
            module.need("from concurrent.futures import ThreadPoolExecutor")
            return [
                "with ThreadPoolExecutor(1) as pool:",
                f"    pool.submit({name}).result()",
            ]
        if way == 12:
            module.need("import contextlib")
            return [
                "with contextlib.ExitStack() as stack:",
                f"    stack.callback({name})",
            ]
        if way == 13:
            module.need("import contextlib")
            block = new("block")
            module.define(
                "@contextlib.contextmanager", f"def {block}():", f"    {name}()", "    yield"
            )
            return [f"with {block}():", "    print('inside')"]
        if way == 14:
            return [f"sorted([1], key=lambda _: {name}() or 0)"]
        if way == 15:
            return [f"next(iter(lambda: {name}() or 1, None))"]
        if way == 16:
            return [f"(lambda go={name}: go())()"]
        if way == 17 and "." not in name:
            return [f"globals()[{name!r}]()"]
        if way == 18 and "." in name and "(" not in name:
            base, _, last = name.rpartition(".")
            return [f"getattr({base}, {last!r})()"]
        if way == 19:
            return [f"_ = {name}() if {self._condition(module)} else {name}()"]
        if way == 20:
            return [f"(None or {name})()"]
        if way == 21:
            wrap = new("wrap")
            module.need("import functools")
            module.define(
                f"def {wrap}(function):",
                "    @functools.wraps(function)",
                "    def inner(*rest):",
                "        return function(*rest)",
                "    return inner",
            )
            return [f"{wrap}({name})()"]
        if way == 22:
            return [f"exec({name + '()'!r})"] if "." not in name else [f"{name}()"]
        return [f"if {name}() is None:", "    print('none')"]

    def _by_class(self, module: Module, body: Body) -> Lines:
        """Do a step in a method that a class calls by itself."""
        home = self._home(module)
        lines = indented(indented(body(home)))
        name = self._new("Thing")
        new = self._reference(module, home, name)
        way = self._chance.randrange(12)
        methods = (
            ("__init__(self)", f"{new}()"),
            ("run(self)", f"{new}().run()"),
            ("__call__(self)", f"{new}()()"),
            ("__len__(self)", f"len({new}())"),
            ("__str__(self)", f"print({new}())"),
            ("__getitem__(self, key)", f"{new}()[0]"),
            ("__getattr__(self, name)", f"{new}().anything"),
            ("__eq__(self, other)", f"print({new}() == 1)"),
        )
        if way < len(methods):
            head, use = methods[way]
            tail = {"__len__": ["        return 0"], "__str__": ["        return 'thing'"]}
            lines += tail.get(head.partition("(")[0], [])
            if way == 0 and self._maybe(0.5):
                base = self._new("Base")
                home.define(f"class {base}:", f"    def {head}:", *lines)
                derived = ["    pass"]
                if self._maybe(0.5):
                    derived = ["    def __init__(self):", "        super().__init__()"]
                home.define(f"class {name}({base}):", *derived)
            elif way == 1 and self._maybe(0.4):
                base = self._new("Base")
                home.define(f"class {base}:", "    def run(self):", "        self.step()")
                home.define(f"class {name}({base}):", "    def step(self):", *lines)
            else:
                home.define(f"class {name}:", f"    def {head}:", *lines)
            return [use]
        if way == 8:
            home.define(f"class {name}:", "    @property", "    def value(self):", *lines)
            return [f"print({new}().value)"]
        if way == 9:
            home.define(
                f"class {name}:",
                "    def __enter__(self):",
                *lines,
                "        return self",
                "    def __exit__(self, *error):",
                "        return None",
            )
            return [f"with {new}():", "    print('entered')"]
        if way == 10:
            home.define(
                f"class {name}:", "    def __iter__(self):", *lines, "        return iter([1])"
            )
            return [f"for _ in {new}():", "    print('item')"]
        home.define(
            f"class {name}:", "    @staticmethod", "    def go():", *lines, "    @classmethod",
            "    def start(cls):", "        cls.go()",
        )  # fmt: skip
        return [f"{new}.start()"]
