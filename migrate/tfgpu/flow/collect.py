"""One pass over a parsed file that yields all its facts."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, partial

from tfgpu.code.canonical import canonical
from tfgpu.code.dotted import base_of
from tfgpu.code.rebinds import Rebinds
from tfgpu.code.reflection import Reflection
from tfgpu.code.swallowers import swallowing
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, assigns_one, last_name
from tfgpu.code.values import Values
from tfgpu.dataclass import dataclass, replace
from tfgpu.files.pattern import expression
from tfgpu.flow import reasons
from tfgpu.flow.callees import Callees
from tfgpu.flow.devices import device_problems
from tfgpu.flow.facts import Config, Facts, SessionUse, Setting, Sink
from tfgpu.flow.flow import Flow
from tfgpu.flow.locations import Reading
from tfgpu.flow.misspelt import misspelt_names
from tfgpu.flow.modern import old_names
from tfgpu.flow.possible import Possible
from tfgpu.flow.queries import Queries
from tfgpu.flow.reasons import Problem
from tfgpu.flow.replaced import replaced_alias, replaced_names, stored_paths
from tfgpu.flow.sessions import Sessions
from tfgpu.flow.unfollowed import unfollowed_settings
from tfgpu.flow.wrappers import is_hidden
from tfgpu.rulebook.book import MESSAGES, Rulebook
from tfgpu.rulebook.model import QueryRule

# `_Trainer__config`: `self.__config` of a class `Trainer`.
_MANGLED = expression(r"\b_[A-Za-z0-9]\w*?(__[A-Za-z]\w*)(?<!__)\b")


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A parsed file with its names, values and facts; or several that are analysed as one."""

    tree: Tree
    symbols: Symbols
    values: Values
    facts: Facts
    callees: Callees
    possible: Possible
    reflection: Reflection

    def of(self, tree: Tree) -> Analysis:
        """Return what there is of one file; configs keep all that flows into them."""
        if tree is self.tree:
            return self
        return replace(self, tree=tree, facts=self.facts.of(tree, self.tree))


def collect(tree: Tree, book: Rulebook, rebound: Collection[tuple[str, str]] = ()) -> Analysis:
    """Collect the facts of one file, or of several that are read as one.

    `rebound` are names of modules, each with the module's path, that other files assign to. The
    tree belongs to this analysis alone (`Tree.for_analysis`).
    """
    symbols = Symbols(tree)
    tree.swallow(swallowing(tree, symbols))
    callees = Callees(tree, symbols, book)
    named = Values(tree, symbols, rebound)
    reflection = Reflection(tree, symbols, callees.classes, callees.finders, named)
    rebinds = Rebinds(tree, symbols, reflection, callees.names)
    values = Values(tree, symbols, rebound, rebinds.may_bind)
    reading = Reading(tree, symbols, values, callees, reflection, book)
    flow = Flow(reading)
    configs = flow.configs()
    tree.open(flow.filled.opened())
    for config in configs:
        flow.filled.settle(config)
    through = flow.parameters.settle(flow.config_arguments)
    plain = [sink for sink in through if sink.argument is None or values.is_none(sink.argument)]
    foreign = [sink for sink in through if sink not in plain]
    lose = [item.function for item in flow.parameters.settled]
    lose += [item.function for item in flow.filled.found.values()]
    lose += [item.function for config in configs for item in config.passed]
    for function in lose:
        if lose.count(function) > 1:
            path = f"goes through `{function.name}`, which takes two configs"
            problem = reasons.Parameter(function, path, configs[0].built[0])
            configs[0].problems.append(problem)
    for config in configs:
        config.problems.extend(_returned(config, tree))
        if any(sink.through is not None for sink in config.sinks):
            config.exports.extend(flow.parameters.exports())
        config.problems.extend(flow.filled.problems(config, configs))
        config.doubts.extend(flow.parameters.doubts_behind(config))
        flow.unpack_beside(config)
    _find_problems(configs, tree, symbols)
    possible = Possible(reading, flow.parameters)
    for config in configs:
        config.settings[:] = [_with_constant(item, possible) for item in config.settings]
    facts = Facts(
        configs,
        plain,
        foreign,
        [],
        [],
        [],
        parameters=flow.parameters.settled,
        filled=list(flow.filled.found.values()),
    )
    analysis = Analysis(tree, symbols, values, facts, callees, possible, reflection)
    _read_calls(analysis, flow, reading)
    followed = {node for config in configs for node in _nodes(config)}
    facts.device_problems.extend(unfollowed_settings(tree, book, followed))
    facts.device_problems.extend(device_problems(tree, symbols, values, callees, facts, book))
    facts.old_names.extend(old_names(tree, symbols, book))
    facts.misspelt.extend(misspelt_names(tree, symbols, book))
    return analysis


def _nodes(config: Config) -> Iterator[ast.AST]:
    """Yield the nodes of a config; what is emptied again, or replaced by a copy, is no setting."""
    yield from (setting.node for setting in config.settings)
    yield from (problem.node for problem in config.problems)
    for statement in config.statements:
        yield from ast.walk(statement)


def _with_constant(setting: Setting, possible: Possible) -> Setting:
    """Return a setting with the one value that it ever has, where there is one."""
    value = setting.value
    found = None if value.constant is not None else possible.values(value.node)
    if found is None or any(item != found[0] for item in found):
        return setting
    return replace(setting, value=replace(value, constant=found[0]))


def _returned(config: Config, tree: Tree) -> Iterator[Problem]:
    """Find calls that are given a config and return it, and that cannot be written without it.

    Such a call becomes a statement in front of the one that it stands in. Where one stands within
    another, that would turn the order of their settings round; a comment would be lost.
    """
    calls = {call for call, _ in config.calls}
    for item in (item for item in config.passed if item.call in calls):
        inside = calls.intersection(ast.walk(item.call)) - {item.call}
        if inside or "#" in tree.source(item.call):
            path = f"goes through `{item.function.name}`, which returns it"
            yield reasons.Parameter(item.call, path, config.built[0])


def _find_problems(configs: list[Config], tree: Tree, symbols: Symbols) -> None:
    """Add what is wrong with configs for the way in which the program names things."""
    if not configs:
        return
    replaced = replaced_names(tree, symbols)
    stored = list(_stored_settings(tree, symbols))
    mangled = _has_mangled(tree)
    aliases = cache(partial(replaced_alias, tree=tree))
    for config in configs:
        root = config.built[0]
        config.problems.extend(_imported_by_string(config, symbols))
        config.problems.extend(_replaced(config, replaced, aliases))
        config.problems.extend(reasons.ReplacedName(root, *found) for found in stored)
        if mangled:
            config.problems.append(reasons.ConfigRead(root, root))


def _read_calls(analysis: Analysis, flow: Flow, reading: Reading) -> None:
    """Add the facts of all calls: sessions, queries, and configs of names that are not known."""
    tree, symbols, facts = analysis.tree, analysis.symbols, analysis.facts
    callees, book = reading.callees, reading.book
    queries = Queries(tree)
    known: set[ast.AST] = set()
    for call in tree.calls:
        name = symbols.name(call.func) or ""
        if name not in MESSAGES and _looks_like_tensorflow(call, symbols):
            facts.unresolved.append(call)
        query = book.queries.get(name)
        if query is not None:
            facts.queries.append(queries.query(call, query))
        sink = callees.sink(call) or callees.maker(call)
        if sink is None:
            continue
        if _makes_session(sink, query):
            known.add(call)
        if sink.rule.converts == "gone":
            facts.session_uses.append(_session_use(sink, analysis, flow))
        elif is_hidden(sink) or (_makes_session(sink, query) and flow.hides_config(sink)):
            facts.foreign_sinks.append(sink)
        elif sink.argument is None or analysis.values.is_none(sink.argument):
            if _makes_session(sink, query):
                facts.plain_sinks.append(sink)
        elif sink.argument not in flow.config_arguments:
            facts.foreign_sinks.append(sink)
    sessions = Sessions(reading, known)
    facts.possible_sessions.extend(sessions.find())
    looks = sessions.looks() if facts.configs else ()
    looked = [reasons.ConfigRead(look, look, "may be") for look in looks]
    for config in facts.configs:
        config.looks.extend(looked)


def _imported_by_string(config: Config, symbols: Symbols) -> Iterator[Problem]:
    """Find the string by which the TensorFlow of a config is imported, which is never switched."""
    for node in (*(call.func for call in config.built), *(sink.call.func for sink in config.sinks)):
        if any(_is_raw(path) for path in symbols.paths(node)):
            call = symbols.string_import(node)
            if call is not None:
                yield reasons.ImportedByString(call, call)
                return


def _has_mangled(tree: Tree) -> bool:
    """Tell whether a private name of a class is used in the form that it has outside of it."""
    words = {word for file in tree.files for word in file.words if word.startswith("__")}
    words.update(word for word in tree.attributes if word.startswith("__"))
    private = {word for word in words if not word.endswith("__")}
    return bool(private) and any(
        found[1] in private for file in tree.files for found in _MANGLED.finditer(file.text)
    )


def _replaced(
    config: Config,
    replaced: Mapping[str, ast.AST],
    aliases: Callable[[str], ast.AST | None],
) -> Iterator[Problem]:
    """Find the place where the program replaces what makes, or takes, a config."""
    ends = (end.call for sink in config.sinks for end in sink.ends())
    for call in (*config.built, *ends):
        base = base_of(call.func)
        alias = base.id if isinstance(base, ast.Name) else ""
        name = last_name(call.func)
        place = replaced.get(name, replaced.get(""))
        if place is None and alias:
            name, place = alias, aliases(alias)
        if place is not None:
            yield reasons.ReplacedName(call, name, place)
            return


def _stored_settings(tree: Tree, symbols: Symbols) -> Iterator[tuple[str, ast.AST]]:
    """Yield what of tf.config the program replaces, by its name, and where."""
    for path, place in stored_paths(tree, symbols):
        name = canonical(path)
        if f"{name}.".startswith("tf.config.") or name == "tf.debugging.set_log_device_placement":
            yield name, place


def _is_raw(path: str) -> bool:
    """Tell whether a path names what only TensorFlow 1 has at the top of the module."""
    return path.startswith("tensorflow.") and not path.startswith(
        ("tensorflow.compat.", "tensorflow.core.", "tensorflow.python.")
    )


def _makes_session(sink: Sink, query: QueryRule | None) -> bool:
    """Tell whether a call that is given no config makes a session, or may well do so.

    The names of methods whose configs are never taken away are too common to tell.
    """
    return query is None and (sink.name is not None or sink.rule.converts != "never")


def _looks_like_tensorflow(call: ast.Call, symbols: Symbols) -> bool:
    """Tell whether a call is written like the constructor of a config."""
    function = call.func
    last = last_name(function)
    if last not in ("ConfigProto", "GPUOptions"):
        return False
    bindings = symbols.bindings(function)
    own = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return not any(isinstance(item.node, own) for item in bindings)


def _session_use(sink: Sink, analysis: Analysis, flow: Flow) -> SessionUse:
    """Follow the session of a `set_session` call to where it is made.

    A session that serves for something else, too, is none of Keras's own: it stays, and is given.
    """
    call, rule, session = sink.call, sink.rule, sink.argument
    tree, symbols = analysis.tree, analysis.symbols
    statement = tree.statement(call)
    stays = SessionUse(call, rule, None, ())
    if not isinstance(statement, ast.Expr) or statement.value is not call or session is None:
        return stays
    if any(name in rule.blockers for _, name in symbols.calls(tree)):
        return stays
    statements: list[ast.stmt] = [statement]
    made: ast.expr | None = session
    if isinstance(session, ast.Name):
        made = _only_value(session, analysis)
        bound = [tree.statement(binding.node) for binding in tree.bindings(session)]
        if not all(map(assigns_one, bound)):
            return stays
        statements += bound
    function = analysis.callees.classes.function(made.func) if isinstance(made, ast.Call) else None
    takes_config = any(item.function is function for item in flow.parameters.settled)
    if function is not None and made is session and not takes_config:
        returned = function.body[-1]
        if _is_called_once(function, analysis) and isinstance(returned, ast.Return):
            made = returned.value
            statements.append(returned)
    if not isinstance(made, ast.Call) or symbols.name(made.func) != "tf.Session":
        return stays
    arguments = [*made.args, *(keyword.value for keyword in made.keywords)]
    if not all(
        analysis.values.quiet(item) for item in arguments if item not in flow.config_arguments
    ):
        return stays
    return SessionUse(call, rule, made, tuple(statements))


def _only_value(name: ast.Name, analysis: Analysis) -> ast.expr | None:
    """Return the one value of a variable that is read nowhere but here."""
    variable = analysis.symbols.variable(name)
    if variable is None or variable[0].kind == "class":
        return None
    bindings = variable[0].bindings[variable[1]]
    reads = list(analysis.symbols.uses(variable))
    return bindings[0].value if len(bindings) == 1 and reads == [name] else None


def _is_called_once(function: ast.FunctionDef, analysis: Analysis) -> bool:
    """Tell whether a function is named once in its files, and has one `return`, its last line."""
    tree = analysis.tree
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    uses = analysis.symbols.uses((tree.scope(function), function.name))
    named = len({*uses, *tree.attributes.get(function.name, [])})
    return named == 1 and len(returns) == 1 and not function.decorator_list
