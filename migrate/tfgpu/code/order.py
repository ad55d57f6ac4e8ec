"""What runs before what in a program: the one answer for everybody who asks.

A place of the program is reached by *chains* of calls that start in an entry script: the module
code of the script, a call in it, a call in the function called there, and so on. Two places are
compared where their chains part. Whatever cannot be followed (a function that escapes into a
variable, a callback, a decorator, a special method that Python calls by itself) may run at any
time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from tfgpu.code.evaluation import comes_first
from tfgpu.code.finders import Finders
from tfgpu.code.processes import Processes
from tfgpu.code.scripts import is_test_module, runs_as_script_only
from tfgpu.code.sites import INLINE, Sites, home_of
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import LOOPS, Tree
from tfgpu.code.when import When

# The function or module whose code runs a node, and the node; from the entry script to the place.
Step = tuple[ast.AST, ast.AST]
Chain = tuple[Step, ...]

_DEPTH = 12
_MOST_CHAINS = 24
_LEAVES = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)


class Order:
    """What runs before what in one file, or in several that are read as one.

    With `is_part` their program has more files, which are not analysed.
    """

    def __init__(
        self, tree: Tree, symbols: Symbols, finders: Finders, is_part: bool = False
    ) -> None:
        self._tree = tree
        self._finders = finders
        self._processes = Processes(tree, symbols, finders)
        self._sites = Sites(tree, symbols, finders, self._processes, is_part)
        self._chains: dict[ast.AST, tuple[Chain, ...] | None] = {}
        self._homes: dict[ast.AST, ast.AST] = {}
        self._around: dict[ast.AST, frozenset[ast.AST]] = {}
        self._open: set[ast.AST] = set()
        self._is_cut = False
        self._asked: set[ast.AST] = set()

    def entries(self, tree: Tree) -> frozenset[str]:
        """Return the entry scripts that import a file; a file that nothing imports is its own."""
        return self._processes.entries(tree)

    def is_script(self, tree: Tree) -> bool:
        """Tell whether a program may start with a file under the name `__main__`."""
        return self._processes.is_script(tree)

    def second_imports(self, tree: Tree) -> Iterator[ast.AST]:
        """Yield what may import a file once more, by its own name, while it is run as a script."""
        return self._processes.second_imports(tree)

    # The questions.

    def before(self, one: ast.AST, other: ast.AST) -> When:
        """Tell whether a place is reached before another one is, in one process.

        ALWAYS is only answered where the two stand in one piece of code that runs once.
        """
        if not self.may_precede(one, other):
            return When.NEVER
        if self.may_precede(other, one) or self._tree.guards(one):
            return When.MAYBE
        return When.ALWAYS if self._home(one) is self._home(other) else When.MAYBE

    def follows(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether a run that reaches a place goes on to another one, as the text is written.

        What is in an `if` or a handler is not sure to be reached; a loop is taken to run.
        """
        first, second = self.chains(one), self.chains(other)
        home = self._home(one)
        if first is None and home is self._home(other):
            # Whoever runs it, and whenever: the two stand in one function.
            first, second = (((home, one),),), (((home, other),),)
        return any(self._goes_on(a, b) for a in first or () for b in second or ())

    def _goes_on(self, one: Chain, other: Chain) -> bool:
        if one == other:
            return any(self._loops(step) for _, step in one)
        if one[0][0] is not other[0][0] or not self._precedes(one, other):
            return False
        same = sum(1 for a, b in zip(one, other, strict=False) if a[1] is b[1])
        guards = self._doubts
        around = guards(one[same][1]) if same < len(one) else ()
        return all(
            guards(node) == around[: len(guards(node))] if number == same else not guards(node)
            for number, (_, node) in enumerate(other)
            if number >= same
        )

    def always_after(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether whatever reaches the first place has reached the other one before."""
        first, second = self.chains(one), self.chains(other)
        return bool(first) and all(
            any(self._is_passed(b, a) for b in second or ()) for a in first or ()
        )

    def _is_passed(self, one: Chain, other: Chain) -> bool:
        """Tell whether the end of one chain is always reached on the way to that of another one."""
        if one[0][0] is not other[0][0] or not self._precedes(one, other):
            return False
        same = sum(1 for a, b in zip(one, other, strict=False) if a[1] is b[1])
        if same == len(one) or same == len(other):
            return False
        guards = self._tree.guards
        (home, node), (there, behind) = one[same], other[same]
        around = guards(node)
        # One call may run several functions, in an order of its own.
        return (
            home is there
            and guards(behind)[: len(around)] == around
            and not any(
                guards(inner) or self._may_leave(function, inner)
                for function, inner in one[same + 1 :]
            )
        )

    def _may_leave(self, home: ast.AST, node: ast.AST) -> bool:
        """Tell whether a function may be left in front of a place in it."""
        position = self._tree.position
        return any(
            isinstance(item, _LEAVES) and position(item) < position(node) for item in ast.walk(home)
        )

    def _doubts(self, node: ast.AST) -> tuple[tuple[ast.AST, str], ...]:
        """Return the compound statements around a node that may leave it out."""
        return tuple(
            (around, part)
            for around, part in self._tree.guards(node)
            if not (part == "body" and isinstance(around, (*LOOPS, ast.Try)))
        )

    def between(self, one: ast.AST, middle: ast.AST, other: ast.AST) -> When:
        """Tell whether a place is reached after a first one and before another one."""
        if not (self.may_precede(one, middle) and self.may_precede(middle, other)):
            return When.NEVER
        return When.MAYBE

    def may_precede(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether a place may be reached before another one, in one process."""
        if not self.share_process(one, other):
            return False
        home, there = self._home(one), self._home(other)
        first, second = self._ways_of(one), self._ways_of(other)
        if first is None and second and not isinstance(home, ast.Module):
            return self._may_be_defined(home, other)
        if not first or not second:
            if home is there and first == second == ():
                return self._comes_first(one, other)  # If it should be called after all.
            # Whatever is never reached is not reached at any time.
            return first != () and second != ()
        ends = [(*way, (there, other)) for way in second]
        return any(self._precedes((*way, (home, one)), end) for way in first for end in ends)

    def _may_be_defined(self, home: ast.AST, other: ast.AST) -> bool:
        """Tell whether whoever runs a function may do so before a place, of which ways are known.

        Its `def` has run by then and, for a method, a call that makes an object of its class: the
        first of several that need each other comes from elsewhere.
        """
        if home in self._asked:
            return False
        needed = self._sites.needed(home)
        self._asked.add(home)
        found = any(self.may_precede(one, other) for one in ([home] if needed is None else needed))
        self._asked.discard(home)
        return found

    @property
    def dynamic(self) -> tuple[ast.expr, ...]:
        """Imports and executed text whose target is known only at run time."""
        return self._finders.dynamic

    @property
    def texts(self) -> tuple[ast.Call, ...]:
        """Calls such as `exec` whose code is not a literal."""
        return self._finders.texts

    def share_process(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether two places may be reached in one process: some entry script imports both."""
        a, b = self._tree.file(one), self._tree.file(other)
        entries = self._processes.entries
        return a is b or not entries(a).isdisjoint(entries(b))

    def is_watchable(self, node: ast.AST) -> bool:
        """Tell whether a node runs whenever its statement does: it is in no lambda."""
        home = self._home(node)
        return isinstance(home, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef)

    def sites(self, function: ast.AST) -> list[ast.AST] | None:
        """Return what starts a function; None if other code may start it, at any time."""
        return self._sites.of(function)

    def makers(self, method: ast.FunctionDef) -> list[ast.AST] | None:
        """Return the calls that make the objects of a method; None where not all are known."""
        return self._sites.needed(method)

    def is_reached(self, node: ast.AST) -> bool:
        """Tell whether any run of the program may reach a node."""
        return self.chains(node) != ()

    def runs_once(self, node: ast.AST) -> bool:
        """Tell whether a node is reached at most once in a process."""
        found = self.chains(node)
        if found is None:
            return False
        # However many modules import one, its code runs once; that of a script once more.
        if any(_runs_again(chain) for chain in found):
            return False
        ways = list(dict.fromkeys(map(_from_module, found)))
        if any(self._loops(step) for way in ways for _, step in way):
            return False
        return all(
            not self.share_process(one[0][0], other[0][0]) for one, other in combinations(ways, 2)
        )

    # Chains.

    def chains(self, node: ast.AST) -> tuple[Chain, ...] | None:
        """Return every way from an entry script to a node; None where not all of them are known."""
        home, ways = self._home(node), self._ways_of(node)
        return None if ways is None else tuple((*way, (home, node)) for way in ways)

    def _ways_of(self, node: ast.AST) -> tuple[Chain, ...] | None:
        """Return the chains to the module or function that runs a node, where they may run it."""
        home = self._home(node)
        ways = self._ways_to(home)
        if ways and isinstance(home, ast.Module) and runs_as_script_only(node, self._tree):
            return tuple(way for way in ways if not way)
        return ways

    def _ways_to(self, home: ast.AST) -> tuple[Chain, ...] | None:
        """Return the chains to the start of a function or module; None where not all are known."""
        return self._chains[home] if home in self._chains else self._follow(home)

    def _home(self, node: ast.AST) -> ast.AST:
        """Return the module, function or lambda whose code runs a node."""
        home = self._homes.get(node)
        if home is None:
            home = self._homes[node] = home_of(node, self._tree)
        return home

    def _follow(self, home: ast.AST) -> tuple[Chain, ...] | None:
        """Find the chains to the start of a function or module, and keep them if they are all."""
        if home in self._open and isinstance(home, ast.Module):
            # A module that is being imported is not run again by modules that it imports, but a
            # script is: they do not know it by the name `__main__`.
            self._is_cut = True
            return ((),) if self._processes.is_script(self._tree.file(home)) else ()
        if home in self._open or len(self._open) > _DEPTH:
            return None
        outermost = not self._open
        self._open.add(home)
        before, self._is_cut = self._is_cut, False
        found = self._ways(home)
        self._open.discard(home)
        if outermost or not self._is_cut:
            self._chains[home] = found
        self._is_cut = before or self._is_cut
        return found

    def _ways(self, home: ast.AST) -> tuple[Chain, ...] | None:
        """Return the chains that lead to the start of a function or module."""
        if isinstance(home, ast.Module):
            tree = self._tree.file(home)
            if self._processes.may_be_loaded(tree):
                return None
            sites: list[ast.AST] | None = self._processes.imports_of(tree)
            found: list[Chain] = [()] if self._processes.starts(tree) else []
        else:
            sites, found = self._sites.of(home), []
        if sites is None:
            return () if self._is_never_made(home) else None
        for site in sites:
            ways = self.chains(site)
            if ways is None or len(found) + len(ways) > _MOST_CHAINS:
                return None
            found += ways
        return tuple(found)

    def _is_never_made(self, home: ast.AST) -> bool:
        """Tell whether a function stands in another one that is never reached."""
        if isinstance(home, ast.Module):
            return False
        outer = self._home(home)
        return not isinstance(outer, ast.Module) and self._ways_to(outer) == ()

    def _precedes(self, one: Chain, other: Chain) -> bool:
        """Tell whether the end of one chain may be reached before the end of another one."""
        if one[0][0] is not other[0][0]:
            # Two processes, or two modules that pytest imports in an order of its own.
            homes = (one[0][0], other[0][0])
            return all(is_test_module(self._tree.file(home).path) for home in homes)
        for (home, first), (there, second) in zip(one, other, strict=False):
            if home is not there:
                return True  # One call that runs several functions, as that of a class may.
            if first is not second:
                return self._comes_first(first, second)
            if self._loops(first):
                return True
        return True

    def _comes_first(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether one of two nodes of a function may run before the other one."""
        tree = self._tree
        if self._loop_set(one) & self._loop_set(other):
            return True
        if tree.exclusive(one, other):
            return False
        if other in set(tree.within(one)):
            # An argument, or the statement around it, whose effect comes after.
            return True
        if one in set(tree.within(other)):
            # A compound statement begins before what is in it; an expression ends after it.
            return isinstance(one, ast.stmt)
        return comes_first(one, other, tree)

    def _loops(self, node: ast.AST) -> bool:
        return bool(self._loop_set(node))

    def _loop_set(self, node: ast.AST) -> frozenset[ast.AST]:
        """Return the loops that may reach a node again, in its module or function."""
        if node not in self._around:
            self._around[node] = frozenset(self._find_loops(node))
        return self._around[node]

    def _find_loops(self, node: ast.AST) -> Iterator[ast.AST]:
        home = self._home(node)
        child = node
        for around in self._tree.within(node):
            if around is home:
                return
            if (
                (isinstance(around, ast.While) and child not in around.orelse)
                or (isinstance(around, ast.For | ast.AsyncFor) and child in around.body)
                or (isinstance(around, INLINE) and child is not around.generators[0])
            ):
                yield around
            child = around


def _runs_again(chain: Chain) -> bool:
    """Tell whether a chain leads from a script to itself, which a module imports by its name."""
    return any(home is chain[0][0] for home, _ in chain[1:])


def _from_module(chain: Chain) -> Chain:
    """Return the part of a chain that starts in the module that its last functions are run from."""
    last = max(number for number, (home, _) in enumerate(chain) if isinstance(home, ast.Module))
    return chain[last:]
