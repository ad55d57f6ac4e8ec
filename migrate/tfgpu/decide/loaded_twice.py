"""Configs in variables of a script that is also imported: Python loads it twice in one process.

The script is `__main__`; `import train` in a module of it does not find that, and makes a second
copy with variables of its own. So do imports of a module by two names. What one copy sets does not
reach the sessions of the other one, but tf.config does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.order import Order
from tfgpu.code.scripts import runs_as_script_only
from tfgpu.code.tree import Tree
from tfgpu.decide.decision import Draft
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.reasons import Problem


def loaded_twice(decision: Draft, analysis: Analysis, order: Order) -> Iterator[Problem]:
    """Find configs that are read where another copy of their module may not have set the same."""
    config, tree = decision.config, analysis.tree
    made = [*config.roots, *(setting.node for setting in config.settings)]
    for home, name in config.exports:
        # What a module does whenever it is loaded is the same in both copies.
        partly = [node for node in made if not _is_loaded(node, home, tree)]
        again = next(order.second_imports(home), None) if partly else None
        if again is not None and any(
            _is_elsewhere(node, use, tree)
            for node in partly
            for use in _uses(home, name, decision, analysis)
        ):
            place = f"a second copy of its module ({tree.where_from(again, config.built[0])})"
            yield reasons.UsedElsewhere(config.built[0], name.lstrip("."), place)
            return


def _is_loaded(node: ast.AST, home: Tree, tree: Tree) -> bool:
    """Tell whether a node runs whenever its file, which is that of a variable, is loaded."""
    at_top = tree.file(node) is home and tree.function(node).kind == "module"
    return at_top and not runs_as_script_only(node, tree)


def _is_elsewhere(node: ast.AST, use: ast.AST, tree: Tree) -> bool:
    """Tell whether a use of a variable may run where what sets it, or a field of it, did not."""
    if tree.function(node) is tree.function(use):
        return runs_as_script_only(node, tree) and not runs_as_script_only(use, tree)
    return True


def _uses(home: Tree, name: str, decision: Draft, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield what reads a variable of a module, or a class, but for what only changes its config."""
    config, tree = decision.config, analysis.tree
    yield from (item.statement for item in config.imports)
    uses: list[ast.expr] = []
    if not name.startswith("."):
        kinds = {binding.kind for binding in home.root.bindings.get(name, ())}
        uses += analysis.symbols.uses((home.root, name)) if "def" not in kinds else ()
    else:
        # Attributes of other objects belong to one of them, whose methods are those of one copy.
        in_class = any(tree.scope(root).kind == "class" for root in config.roots)
        for use in tree.attributes.get(name[1:], ()):
            if isinstance(use.ctx, ast.Load) and (in_class or _is_shared(use.value, analysis)):
                uses.append(use)
    yield from (use for use in uses if tree.statement(use) not in config.statements)


def _is_shared(node: ast.expr, analysis: Analysis) -> bool:
    """Tell whether an expression is a class, or an object, that a variable of a module holds."""
    variable = analysis.symbols.variable(node)
    is_module = variable is not None and variable[0].kind == "module"
    return is_module or (isinstance(node, ast.Name) and node.id == "cls")
