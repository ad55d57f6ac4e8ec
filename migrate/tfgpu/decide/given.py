"""What is given for a parameter: by the calls of a function, or by what a decorator decorates."""

from __future__ import annotations

import ast

from tfgpu.code.order import Order
from tfgpu.code.tree import Tree, last_name
from tfgpu.flow.collect import Analysis


def given_for(parameter: ast.arg, tree: Tree, order: Order) -> list[ast.expr] | None:
    """Return all that callers may give for a parameter, its default too; None if not all is known.

    A method may be called with its object as first argument, so both arguments count there.
    """
    arguments = tree.parent[parameter]
    function = tree.parent[arguments]
    if not isinstance(arguments, ast.arguments) or not isinstance(function, ast.FunctionDef):
        return None
    is_plain = all(tree.builtin(item) == "staticmethod" for item in function.decorator_list)
    sites = order.sites(function) if is_plain else None
    if sites is None or parameter in (arguments.vararg, arguments.kwarg):
        return None
    owner = tree.parent[function]
    in_class = isinstance(owner, ast.ClassDef)
    name = owner.name if isinstance(owner, ast.ClassDef) and function.name == "__init__" else ""
    positional = [*arguments.posonlyargs, *arguments.args]
    index = positional.index(parameter) if parameter in positional else len(positional)
    found = [item for item in (*arguments.defaults, *arguments.kw_defaults) if item is not None]
    for site in sites:
        if not isinstance(site, ast.Call) or last_name(site.func) != (name or function.name):
            return None
        if any(isinstance(item, ast.Starred) for item in site.args):
            return None
        if any(keyword.arg is None for keyword in site.keywords):
            return None
        found += site.args[max(index - in_class, 0) : index + 1]
        found += [item.value for item in site.keywords if item.arg == parameter.arg]
    return found


def is_decorated(node: ast.Name, analysis: Analysis) -> bool:
    """Tell whether a name is what a decorator of the files is given: a function of theirs."""
    tree = analysis.tree
    bindings = tree.bindings(node)
    decorator = tree.function(bindings[0].node).node if len(bindings) == 1 else None
    if not isinstance(decorator, ast.FunctionDef) or decorator.decorator_list:
        return False
    name, parameters = decorator.name, decorator.args.args
    if bindings[0].node not in parameters[:1] or analysis.symbols.is_renamed(name):
        return False
    used = (*tree.names.get(name, ()), *tree.attributes.get(name, ()))
    for use in used:
        function = tree.parent[use]
        innermost = getattr(function, "decorator_list", [])[-1:]
        if isinstance(function, ast.ClassDef) or innermost != [use]:
            return False
    return bool(used) and not analysis.callees.finders.finds(decorator.name)
