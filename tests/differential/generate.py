"""Random programs of one to four files that configure GPUs as TensorFlow 1 programs do.

`program(seed)` is the same program for the same seed. A program does a few things in a row (its
steps): sessions with configs, plain sessions, writes to the environment, forks, questions about
devices, input pipelines. A step stands where it is, or in a function or class of any of the files,
and is reached by one of many spellings.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.differential.branches import Branches
from tests.differential.files import EAGER2, ONE, TF1, Lines, Module, indented, notebook
from tests.differential.runner import Entry, Program

_DEPTH = 2  # of steps reached through each other


class Maker(Branches):
    """Makes one program."""

    def make(self) -> Program:
        """Return the program."""
        for entry in self._entries:
            self._script(entry)
        files = {f"{one.name}.py": one.text(self._chance) for one in self._modules}
        files |= self._extra
        entries = [Entry("main.py")]
        entries += [Entry(f"{one.name}.py") for one in self._entries[1:]]
        if self._maybe(0.4):
            entries.append(Entry("main.py", ["1"], {"FLAG": "1"}))
        tensorflow1 = self._kind == TF1
        entries = [
            Entry(one.script, one.argv, one.variables, tensorflow1=tensorflow1) for one in entries
        ]
        main = self._modules[0]
        if "if __name__" not in files["main.py"] and self._maybe(0.15):
            del files["main.py"]
            files["main.ipynb"] = notebook(main)
            entries = [
                Entry(one.script.replace("main.py", "main.ipynb"), (), one.variables, tensorflow1)
                for one in entries
                if not one.argv
            ]
        return Program(files, entries)

    def _script(self, entry: Module) -> None:
        lines: Lines = []
        if self._manner == ONE and entry is self._modules[0]:
            lines = self._one_hazard(entry)
        else:
            count = self._pick({1: 3, 2: 5, 3: 4, 4: 1} if self._wild else {1: 5, 2: 3, 3: 1})
            for _ in range(count):
                lines += self._step(entry, _DEPTH if self._wild else 1)
        if self._maybe(0.2):
            lines += self._mode(entry)
        layout = self._pick({"flat": 5, "main": 4, "class": 1})
        if layout == "main":
            entry.define("def main():", *indented(lines))
            lines = ["if __name__ == '__main__':", "    main()"]
        elif layout == "class":
            name = self._new("App")
            entry.define(f"class {name}:", "    def run(self):", *indented(indented(lines)))
            lines = [f"{name}().run()"]
        entry.body += lines

    def _step(self, module: Module, depth: int) -> Lines:
        """Return something that a program does, there or elsewhere."""
        if depth > 0 and self._maybe(0.55):
            return self._reached(module, depth)
        return self._guarded(module, self._plain_step(module))

    def _one_hazard(self, module: Module) -> Lines:
        """Return sessions with configs, and one thing beside them that can change what they do."""
        hazards = {
            self._session: 6,
            self._environment: 3,
            self._fork: 2,
            self._question: 1,
            self._dataset: 1,
        }
        if self._kind == EAGER2:
            hazards[self._eager] = 6
        chosen = self._pick(hazards)

        def hazard(user: Module) -> Lines:
            way = self._pick({"here": 3, "function": 3, "value": 5, "class": 3, "import": 1})
            if way == "here":
                return chosen(user)
            if way == "class":
                return self._by_class(user, chosen)
            if way == "import":
                return self._by_import(user, chosen)
            name = self._function(user, chosen)
            return [f"{name}()"] if way == "function" else self._by_value(user, name)

        def configured(user: Module) -> Lines:
            return self._configured(user)

        place = self._pick({"before": 2, "between": 6, "after": 3})
        lines = hazard(module) if place == "before" else []
        if place == "between":
            self._hazard = hazard
        for _ in range(self._pick({1: 3, 2: 1})):
            body = [f"{self._function(module, configured)}()"]
            lines += body if self._maybe(0.5) else self._configured(module)
        left, self._hazard = self._hazard, None
        return lines + (hazard(module) if place == "after" or left else [])

    def _plain_step(self, module: Module) -> Lines:
        kinds: dict[Callable[[Module], Lines], int] = {
            self._configured: 12,
            self._question: 2,
            self._dataset: 1,
            self._mode: 2,
            self._session: 4 if self._wild else 1,
            self._environment: 2 if self._wild else 0,
            self._fork: 1 if self._wild else 0,
        }
        if self._kind == EAGER2:
            kinds[self._eager] = 3
        return self._pick(kinds)(module)

    def _reached(self, module: Module, depth: int) -> Lines:
        if self._shared and self._maybe(0.2):
            home, name = self._chance.choice(self._shared)
            if self._modules.index(home) > self._modules.index(module):
                return [f"{self._reference(module, home, name)}()"]

        def body(home: Module) -> Lines:
            return self._step(home, depth - 1)

        if self._maybe(0.5 if self._wild else 0.9):
            return self._guarded(module, [f"{self._function(module, body)}()"])
        if self._maybe(0.4):
            return self._by_class(module, body)
        if self._maybe(0.15):
            return self._by_import(module, body)
        return self._by_value(module, self._function(module, body))


def program(seed: int) -> Program:
    """Return the program of a seed."""
    return Maker(seed).make()
