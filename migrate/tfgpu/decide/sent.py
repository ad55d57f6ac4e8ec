"""Objects with a config that other processes are sent: these have the config, and no setting.

A pool pickles the functions and arguments of its tasks, for workers that run already, and so does
a process that is not forked: the ConfigProto of `self.config` comes with the object. Settings of
tf.config that the constructor made are those of the process before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.order import Order
from tfgpu.code.scripts import runs_as_script_only
from tfgpu.code.sites import home_of
from tfgpu.code.tree import Tree
from tfgpu.decide.assumptions import Assumption, unless_called
from tfgpu.decide.cluster import Cluster
from tfgpu.decide.decision import Draft, Place
from tfgpu.decide.effect import Effect
from tfgpu.decide.forks import sends_code
from tfgpu.flow import reasons
from tfgpu.flow.facts import Doubt
from tfgpu.flow.reasons import Problem


def sent(decision: Draft, acts: list[Place], cluster: Cluster) -> Iterator[Problem | Assumption]:
    """Find sessions that another process may make, with a config of an object that it was sent.

    No process that was sent something runs them if known calls alone start their functions.
    """
    tree, order = cluster.tree, cluster.order
    for place in acts:
        found = cluster.effects.senders
        senders = [item for item in found if order.share_process(item.node, place.node)]
        if not senders or _is_everywhere(place.node, senders, cluster):
            continue
        coder = next((item for item in senders if sends_code(item.name)), None)
        built = _started_by_others(place.node, tree, order)
        for sink in decision.config.sinks:
            for end in sink.ends():
                started = _started_by_others(end.call, tree, order)
                problem = reasons.WrittenOut(place.node, (coder or senders[0]).name)
                in_graphs = sink.rule.converts != "eager"
                if coder and in_graphs and started and order.is_script(tree.file(end.call)):
                    yield _in_graphs(end.call, problem, order)
                for home in started:
                    if home not in built:
                        yield _unless_started(home, problem, cluster)


def _in_graphs(session: ast.expr, problem: Problem, order: Order) -> Problem | Assumption:
    """Return a problem that exists if a process which is sent code makes a session in eager mode.

    It does not turn the behaviour of TensorFlow 2 off, as the script does.
    """
    if not order.is_watchable(session):
        return problem
    return Assumption(problem, "graph-mode", session)


def _unless_started(home: ast.AST, problem: Problem, cluster: Cluster) -> Problem | Assumption:
    """Return a problem that exists if calls which are not known start a function."""
    if not isinstance(home, ast.FunctionDef):
        return problem
    tree, name = cluster.tree, home.name
    callees = (*tree.names.get(name, ()), *tree.attributes.get(name, ()))
    variable = (tree.scope(home), name)
    ours = [it for it in callees if cluster.analysis.symbols.variable(it) in (variable, None)]
    calls = (call for it in ours if isinstance(call := tree.parent[it], ast.Call))
    known = tuple(call for call in calls if call.func in ours)
    return unless_called(Doubt(problem, home, known), cluster.order) if known else problem


def _is_everywhere(node: ast.AST, senders: list[Effect], cluster: Cluster) -> bool:
    """Tell whether each process runs a node, as that of a module, or was forked behind it."""
    tree, order = cluster.tree, cluster.order
    is_script = order.is_script(tree.file(node))
    return (
        isinstance(home_of(node, tree), ast.Module)
        and not runs_as_script_only(node, tree)
        and not (is_script and any(sends_code(sender.name) for sender in senders))
        and not any(order.may_precede(sender.node, node) for sender in senders)
    )


def _started_by_others(node: ast.AST, tree: Tree, order: Order) -> dict[ast.AST, None]:
    """Return the functions that calls which are not known may start, of those that run a node."""
    found: dict[ast.AST, None] = {}
    seen: set[ast.AST] = set()
    waiting = [home_of(node, tree)]
    while waiting:
        home = waiting.pop()
        if home not in seen and not isinstance(home, ast.Module):
            seen.add(home)
            sites = order.sites(home)
            if sites is None:
                found[home] = None
            waiting += [home_of(site, tree) for site in sites or ()]
    return found
