"""Where the values of a random program's settings come from: names, functions, other files."""

from __future__ import annotations

from tests.differential.beside import Beside
from tests.differential.files import Lines, Module, indented

# Another value of the same kind, by a value that programs set.
_OTHERS = {
    "True": "False", "False": "True", "0.5": "0.25", "0.25": "0.5", "'0'": "'1'", "'1'": "'0'",
    "'0,1'": "'0'", "3": "5", "5": "3", "2": "3", "60000": "0",
}  # fmt: skip


class Values(Beside):
    """Writes values of settings as expressions, and what those read."""

    def _value(self, module: Module, value: str) -> str:
        """Return an expression for a value: the value itself, or what leads to it, or to another.

        Which of the two it is only a run shows.
        """
        other = _OTHERS.get(value)
        if other is None or not self._maybe(0.35):
            return value
        ways = (
            self._by_name, self._by_branch, self._by_function, self._by_object, self._by_mapping,
            self._by_star, self._by_hook, self._by_expression, self._by_option,
        )  # fmt: skip
        return self._chance.choice(ways)(module, value, other)

    def _defined(self, module: Module, name: str, *lines: str) -> str:
        """Define a name in one of the files, and return what another one calls it."""
        home = self._home(module)
        home.define(*lines)
        return self._reference(module, home, name)

    def _by_name(self, module: Module, value: str, other: str) -> str:
        name, extra = self._new("VALUE"), self._new("other")
        lines = self._pick(
            {
                f"{name} = {value}": 4,
                f"{name} = {other}\n{name} = {value}": 1,
                f"{name}, {extra} = {value}, {other}": 1,
                f"{name}, {extra} = {value}, {other}\n{name}, {extra} = {extra}, {name}": 1,
                f"{name} = {other}\nfor {name} in ({other}, {value}):\n    pass": 1,
                f"{name} = {value}\nif ({name} := {other}) is None:\n    print('none')": 1,
                f"{name} = {value}\nclass {extra}:\n    {name} = {other}": 1,
                f"{name} = {value}\ndef {extra}():\n    {name} = {other}\n    return {name}": 1,
                f"{name} = {value}\ntry:\n    {name} = {other}\n    {name} = int('x')\n"
                "except ValueError:\n    pass": 1,
            }
        )
        return self._defined(module, name, *lines.split("\n"))

    def _by_branch(self, module: Module, value: str, other: str) -> str:
        name, home = self._new("VALUE"), self._home(module)
        condition = self._condition(home)
        home.define(f"{name} = {value}", f"if {condition}:", f"    {name} = {other}")
        return self._reference(module, home, name)

    def _by_function(self, module: Module, value: str, other: str) -> str:
        """Define a variable and a function that replaces it; maybe call it."""
        name, function, home = self._new("VALUE"), self._new("change"), self._home(module)
        home.define(f"{name} = {value}")
        home.define(f"def {function}():", f"    global {name}", f"    {name} = {other}")
        if self._maybe(0.3):
            home.define(f"{function}()")
        reference = self._reference(module, home, name)
        if self._maybe(0.3):
            return f"({self._reference(module, home, function)}(), {reference})[1]"
        return reference

    def _by_object(self, module: Module, value: str, other: str) -> str:
        name, made = self._new("Values"), self._new("values")
        body: Lines = self._pick(
            {
                f"value = {value}": 3,
                f"value = {other}\ndef __init__(self):\n    self.value = {value}": 2,
                f"@property\ndef value(self):\n    print('asked')\n    return {value}": 1,
                f"def __getattr__(self, name):\n    print(name)\n    return {value}": 1,
                f"value = {other}\ndef __init_subclass__(cls):\n    cls.value = {value}": 1,
            }
        ).split("\n")
        lines = [f"class {name}:", *indented(body), f"{made} = {name}()"]
        if body == [f"value = {value}"] and self._maybe(0.3):
            lines.append(f"{made}.value = {other}")
        return f"{self._defined(module, made, *lines)}.value"

    def _by_mapping(self, module: Module, value: str, other: str) -> str:
        name = self._new("VALUES")
        changes: dict[tuple[str, ...], int] = {
            (): 4,
            (f"{name}['value'] = {other}",): 1,
            (f"{name}.update(value={other})",): 1,
        }
        lines = [f"{name} = dict(value={value})", *self._pick(changes)]
        read = {"['value']": 3, f".get('value', {other})": 1, f".get('other', {other})": 1}
        return self._defined(module, name, *lines) + self._pick(read)

    def _by_star(self, module: Module, value: str, other: str) -> str:
        """Take a value from a settings file, of one layer or two."""
        name, file = self._new("VALUE"), self._new("settings")
        base, local = self._new("base"), self._new("local")
        star = f"from {base} import *"
        tried = f"try:\n    from {local} import *\nexcept ImportError:\n    "
        self._extra[f"{file}.py"] = self._pick(
            {
                f"{name} = {value}\n": 2,
                f"{star}\n": 2,
                f"{star}\nif {name} is None:\n    {name} = {other}\n": 1,
                f"{star}\n{name} = {other}\n": 1,
                f"{name} = {other}\n{star}\n": 1,
                f"{tried}{name} = {value}\n": 1,
                f"{star}\n{tried}pass\n": 2,
                f"{star}\n\ndef change():\n    global {name}\n    {name} = {other}\n": 1,
            }
        )
        exports = self._pick({"": 4, f"__all__ = [{name!r}]\n": 1})
        self._extra[f"{base}.py"] = f"{exports}{name} = {value}\n"
        if self._maybe(0.5):
            self._extra[f"{local}.py"] = f"{name} = {other}\n"
        way = self._pick({f"import {file}": 2, f"from {file} import *": 2, "": 1})
        module.need(way or f"from {file} import {name}")
        return f"{file}.{name}" if way == f"import {file}" else name

    def _by_hook(self, module: Module, value: str, other: str) -> str:
        """Ask a module that answers, or one that another one changes."""
        file, by = self._new("settings"), self._new("changes")
        module.need(f"import {file}")
        if self._maybe(0.25):
            answer = f"    print(name)\n    return {value}\n"
            self._extra[f"{file}.py"] = f"def __getattr__(name):\n{answer}"
            return f"{file}.value"
        self._extra[f"{file}.py"] = f"value = {value}\n"
        change = self._pick(
            {
                f"{file}.value = {other}": 2,
                f"setattr({file}, 'value', {other})": 1,
                f"vars({file}).update(value={other})": 1,
            }
        )
        change = change if self._maybe(0.7) else f"def change():\n    {change}"
        self._extra[f"{by}.py"] = f"import {file}\n\n{change}\n"
        module.need(f"import {by}")
        return f"{file}.value"

    def _by_expression(self, module: Module, value: str, other: str) -> str:
        values = self._new("VALUES")
        expression = self._pick(
            {
                f"({value} or {other})": 1,
                f"({value} and {other})": 1,
                f"[{other}, {value}][1]": 1,
                f"(lambda: {value})()": 1,
                f"[each for each in [{value}]][0]": 1,
                f"({other} if {self._condition(module)} else {value})": 1,
                f"{values}.pop()": 1,
                f"next({values})": 1,
                f"str({value})" if value.startswith("'") else f"type({value})({value})": 1,
            }
        )
        if expression.startswith(values):
            module.define(f"{values} = [{other}, {value}] * 4")
        elif values in expression:
            module.define(f"{values} = iter([{value}, {other}] * 4)")
        return expression

    def _by_option(self, module: Module, value: str, other: str) -> str:
        name, home = self._new("options"), self._home(module)
        kind = "str" if value.startswith("'") else "float" if "." in value else "int"
        form, given = f"type={kind}, default={value}", ["--value", other.strip("'")]
        if value in ("True", "False"):
            form, given = "action='store_true'", given[:1]
        home.need("import argparse")
        home.define(
            "parser = argparse.ArgumentParser()",
            f"parser.add_argument('--value', {form})",
            f"{name} = parser.parse_args({given if self._maybe(0.25) else []})",
        )
        return f"{self._reference(module, home, name)}.value"
