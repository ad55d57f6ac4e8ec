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
from tfgpu.decide.cluster import Cluster
from tfgpu.decide.decision import Draft, Place
from tfgpu.decide.effect import Effect
from tfgpu.decide.forks import sends_code
from tfgpu.flow import reasons


def sent(decision: Draft, acts: list[Place], cluster: Cluster) -> Iterator[reasons.WrittenOut]:
    """Find sessions that another process may make, with a config of an object that it was sent."""
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
                # Its process does not turn the behaviour of TensorFlow 2 off, as the script does.
                as_code = coder and started and order.is_script(tree.file(end.call))
                if as_code or not started <= built:
                    yield reasons.WrittenOut(place.node, (coder or senders[0]).name)
                    return


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


def _started_by_others(node: ast.AST, tree: Tree, order: Order) -> set[ast.AST]:
    """Return the functions that calls which are not known may start, of those that run a node."""
    found: set[ast.AST] = set()
    seen: set[ast.AST] = set()
    waiting = [home_of(node, tree)]
    while waiting:
        home = waiting.pop()
        if home not in seen and not isinstance(home, ast.Module):
            seen.add(home)
            sites = order.sites(home)
            if sites is None:
                found.add(home)
            waiting += [home_of(site, tree) for site in sites or ()]
    return found
