"""Control flow of a random program around configs: branches, loops, errors, and early ends."""

from __future__ import annotations

from tests.differential.files import Lines, Module, indented
from tests.differential.trainers import Trainers

_Blocks = list[Lines]


class Branches(Trainers):
    """Writes functions that come to their sessions, or do not, and are called oftener than once."""

    def _configured(self, module: Module) -> Lines:
        """Return a session with a config, and its use."""
        return self._branched(module) if self._maybe(0.06) else super()._configured(module)

    def _branched(self, module: Module) -> Lines:
        """Return calls of a function that builds a config, and makes a session, on some ways."""
        home, name = self._home(module), self._new("train")
        blocks: _Blocks = [[line] for line in self._build(home, "config")]
        is_shared = self._maybe(0.1)
        if self._maybe(0.5) and not is_shared:
            blocks.insert(0, ["config = None"])
        blocks += [self._between(home)] if self._maybe(0.15) else []
        blocks.append(self._opened(home, "config"))
        blocks += [self._session(home)] if self._maybe(0.1) else []
        for _ in range(self._pick({1: 6, 2: 3, 3: 1})):
            blocks = self._turned(blocks)
        lines = [line for block in blocks for line in block]
        if is_shared:
            home.define("config = None")
            lines.insert(0, "global config")
        if self._maybe(0.15):
            inner = self._new("inner")
            lines = [f"def {inner}():", *indented(lines), f"return {inner}()"]
        home.define(f"def {name}(flag):", *indented(lines))
        call = f"{self._reference(module, home, name)}(flag)"
        flags = self._pick(
            {
                "True": 2,
                "True, False": 4,
                "False, True": 4,
                "True, True": 1,
                "False, True, False": 1,
            }
        )
        calls = ["try:", f"    {call}", "except Exception as error:",
                 "    print(type(error).__name__)"]  # fmt: skip
        lines = [f"for flag in ({flags},):", *indented(calls if self._maybe(0.7) else [call])]
        return self._in_graph(lines + (self._session(module) if self._maybe(0.5) else []))

    def _turned(self, blocks: _Blocks) -> _Blocks:
        """Put one more turn into blocks: a way out of them, or a statement around some."""
        start = self._chance.randrange(len(blocks))
        end = self._chance.randint(start + 1, len(blocks))
        before, some, behind = blocks[:start], blocks[start:end], blocks[end:]
        way = self._pick(
            {"leave": 5, "if": 4, "else": 1, "loop": 3, "try": 3, "none": 1, "with": 1}
        )
        if way == "leave":
            return [*before, self._left("return", "raise ValueError(flag)"), *some, *behind]
        if way == "none":
            return [*before, ["config = None"], *some, *behind]
        if way == "loop":
            at = self._chance.randint(0, len(some))
            head = self._pick({"for step in range(2):": 4, "while True:": 1})
            is_for = head.startswith("for")
            ways = ("break", "return", *(["continue"] if is_for else []))
            left = [self._left(*ways)] if self._maybe(0.7) else []
            inside = [*some[:at], *left, *some[at:], *([] if is_for else [["break"]])]
            return [*before, [head, *_block(inside)], *behind]
        if way == "try":
            at = self._chance.randint(0, len(some))
            inside = [*some[:at], self._left("raise ValueError(flag)", "return"), *some[at:]]
            caught = self._pick(
                {"print('error')": 3, "config = None": 2, "return": 1, "raise": 1, "pass": 1}
            )
            tail = ["except ValueError:", f"    {caught}"]
            if self._maybe(0.3):
                tail = ["finally:", "    print('done')"]
            return [*before, ["try:", *_block(inside), *tail], *behind]
        if way == "with":
            return [*before, ["with open(__file__):", *_block(some)], *behind]
        head = f"if {self._asked()}:"
        other = self._pick({"print('other')": 2, "config = None": 3, "return": 1})
        if way == "else":
            return [*before, [head, f"    {other}", "else:", *_block(some)], *behind]
        lines = [head, *_block(some)]
        if self._maybe(0.3):
            lines += ["else:", f"    {other}"]
        return [*before, lines, *behind]

    def _left(self, *ways: str) -> Lines:
        return [f"if {self._asked()}:", f"    {self._chance.choice(ways)}"]

    def _asked(self) -> str:
        return self._pick({"flag": 4, "not flag": 4, "config is None": 1})


def _block(blocks: _Blocks) -> Lines:
    return indented([line for block in blocks for line in block])
