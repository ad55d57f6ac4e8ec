"""All rules together, and the look-ups that the analysis makes in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from tfgpu.dataclass import dataclass
from tfgpu.rulebook.compiled import cached_rulebook, packed_rulebook
from tfgpu.rulebook.model import (
    CallRule,
    Helper,
    NamesRule,
    QueryRule,
    Removed,
    Rename,
    Rule,
    SettingRule,
    SinkRule,
    VariableRule,
)
from tfgpu.rulebook.plain import PlainNames
from tfgpu.rulebook.table import RuleError, nearest

R = TypeVar("R", bound=Rule)

# The rules of a checkout: at the top level, so that they can be read without reading code.
RULES = Path(__file__).resolve().parents[3] / "rules"

# The messages that a ConfigProto is built from: canonical constructor -> path of its field.
MESSAGES: Mapping[str, str] = {
    "tf.ConfigProto": "",
    "tf.ConfigProto.Experimental": "experimental",
    "tf.GPUOptions": "gpu_options",
    "tf.GPUOptions.Experimental": "gpu_options.experimental",
    "tf.GPUOptions.Experimental.VirtualDevices": "gpu_options.experimental.virtual_devices",
    "tf.GraphOptions": "graph_options",
    "tf.OptimizerOptions": "graph_options.optimizer_options",
    "tf.RewriterConfig": "graph_options.rewrite_options",
}


# The lists of names in `names/`.
_LISTS = (
    "starts_eager", "silent_starts", "starts_cuda", "no_gpu_kernel", "tf_config", "setters",
    "environment", "sessions", "v2_only", "missing", "differs", "graph_only", "answers",
    "control_flow", "plain",
)  # fmt: skip
# What makes TensorFlow's GPUs and is no query; other calls of `starts_runtime` do so only in
# TensorFlow 2, and much code that has them runs on TensorFlow 1.
_MAKERS = (
    "tf.config.list_logical_devices", "tf.config.experimental.list_logical_devices",
    "tf.distribute.MirroredStrategy",
)  # fmt: skip


# The kinds of rules that a house rule can have, with the key for the fields or symbols of each.
SUBJECTS: dict[type[Rule], str] = {
    SettingRule: "settings",
    SinkRule: "calls",
    QueryRule: "symbols",
    CallRule: "symbols",
}

_INTERNAL = "tf.python."
# What has names of its own, such as `num_gpus`, that much else is called by.
_OWN = ("tf.contrib.", _INTERNAL)


@dataclass(frozen=True, slots=True)
class Starts:
    """The names of `starts_runtime`: what may make the eager context in graph programs.

    `methods` are those of datasets, `below` beginnings of names, `quiet` what is left out of them.
    `last` are the last parts of names, which modules inside of TensorFlow have them under, too;
    `telling` those by which hardly anything else is called, whatever they are asked of. Those of
    `version1` make it in graphs of TensorFlow 1.15, too.
    """

    names: frozenset[str]
    methods: frozenset[str]
    below: tuple[str, ...]
    quiet: frozenset[str]
    last: frozenset[str]
    telling: frozenset[str]
    version1: frozenset[str]

    @classmethod
    def of(cls, lines: Iterable[str]) -> Starts:
        """Read the lines of the list."""
        rows = [line.split() for line in lines]
        names = frozenset(row[0] for row in rows)
        public = (line for line in names if line.startswith("tf.") and not line.startswith(_OWN))
        parts = {line.rpartition(".")[2] for line in public} - {"*"}
        return cls(
            names,
            frozenset(line[1:] for line in names if line.startswith(".")),
            tuple(sorted(line[:-1] for line in names if line.endswith(".*"))),
            frozenset(line[1:] for line in names if line.startswith("!")),
            frozenset(parts),
            frozenset(part for part in parts if "_" in part or not part.islower()),
            frozenset(row[0] for row in rows if row[1:]),
        )

    def has(self, name: str) -> bool:
        """Tell whether what has a canonical name may make the eager context."""
        if name.startswith(_INTERNAL) and name.rpartition(".")[2] in self.last:
            return True
        if not name.startswith(self.below):
            return name in self.names
        return not any(name == item or name.startswith(f"{item}.") for item in self.quiet)


class Rulebook:
    """Every rule of a set of rule files."""

    def __init__(
        self,
        rules: Iterable[Rule],
        renames: Iterable[Rename] = (),
        v1_only: Iterable[str] = (),
        starts_runtime: Iterable[str] = (),
        removed: Iterable[Removed] = (),
        names: Mapping[str, Iterable[str]] = MappingProxyType({}),
    ) -> None:
        self.renames = tuple(renames)
        self.v1_only = frozenset(v1_only)
        self.starts_runtime = Starts.of(starts_runtime)
        # The same while control flow of version 2 is on.
        self.control_flow = Starts.of(names.get("control_flow", ()))
        self.plain = PlainNames.of(names.get("plain", ()))
        self.removed_names = tuple(removed)
        # Calls that initialise the GPUs in eager code, that make GPU devices beside the eager
        # context, that load CUDA's driver, and that have no kernel for GPUs.
        self.starts_eager = frozenset(names.get("starts_eager", ()))
        self.silent_starts = frozenset(names.get("silent_starts", ()))
        self.starts_cuda = frozenset(names.get("starts_cuda", ()))
        # Names that TensorFlow 2 has and 1.15 has not; names of 1.15 that no TensorFlow 2 has;
        # names of both that differ, with the parameters by which a call means the same.
        self.v2_only = frozenset(names.get("v2_only", ()))
        self.missing = frozenset(names.get("missing", ()))
        self.differs = {
            words[0]: tuple(words[1:]) for words in map(str.split, names.get("differs", ()))
        }
        # What to do about names that TensorFlow 2 does not have, and where that is known from.
        self.answers = {
            name: (answer, source)
            for name, answer, source in (line.split(" | ") for line in names.get("answers", ()))
        }
        # Calls of Keras that work on graphs only.
        self.graph_only = frozenset(names.get("graph_only", ()))
        self.no_gpu_kernel = frozenset(names.get("no_gpu_kernel", ()))
        # Public names of tf.config, with parameters; those that set something; real variables.
        self.config_names = {
            words[0]: tuple(words[1:]) for words in map(str.split, names.get("tf_config", ()))
        }
        setters = list(map(str.split, names.get("setters", ())))
        self._setters = tuple(words[0] for words in setters if "(" not in words[0])
        # Functions and methods, each with a parameter that sets something.
        self.setting_arguments = frozenset(
            (name, parameter.rstrip(")"))
            for name, _, parameter in (words[0].partition("(") for words in setters)
            if parameter
        )
        self.gone_setters = frozenset(words[0] for words in setters if words[1:] == ["gone"])
        self.real_variables = frozenset(names.get("environment", ()))
        # What makes sessions, each with its kind; a name that starts with a dot is a method's.
        self.sessions = dict(line.split() for line in names.get("sessions", ()))
        self._set_rules(rules)

    def _set_rules(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(sorted(rules, key=lambda rule: rule.code))
        self._index: dict[str, Rule] = {}
        for rule in self.rules:
            for key in (rule.code, rule.name):
                if key in self._index:
                    raise RuleError(
                        rule.path, "code or name", key, f"none that {self._index[key].path} has"
                    )
                self._index[key] = rule

    def with_rules(self, more: Iterable[Rule]) -> Rulebook:
        """Return a rulebook that has more rules, and all else that this one has."""
        book = Rulebook([])
        for name, value in vars(self).items():
            if not isinstance(getattr(Rulebook, name, None), cached_property):
                setattr(book, name, value)
        book._set_rules([*self.rules, *more])
        return book

    def find(self, code_or_name: str) -> Rule | None:
        """Return the rule with this code or readable name."""
        return self._index.get(code_or_name)

    def knows(self, pattern: str) -> bool:
        """Tell whether a rule has this name, or a code that starts with this."""
        return bool(pattern) and any(
            rule.name == pattern or rule.code.startswith(pattern) for rule in self.rules
        )

    def nearest_rule(self, code_or_name: str) -> str | None:
        """Return the code or name of a rule nearest to one that no rule has."""
        for word in (code_or_name.upper(), code_or_name.lower()):
            if word != code_or_name and self.knows(word):
                return word
        return nearest(code_or_name, self._index)

    def _of(self, kind: type[R]) -> list[R]:
        return [rule for rule in self.rules if isinstance(rule, kind)]

    @cached_property
    def fields(self) -> Mapping[str, list[SettingRule]]:
        """The rules for each ConfigProto field, those with `beside` first."""
        table: dict[str, list[SettingRule]] = {}
        for rule in sorted(self._of(SettingRule), key=lambda rule: not rule.beside):
            for name in rule.settings:
                table.setdefault(name, []).append(rule)
        return table

    @cached_property
    def messages(self) -> frozenset[str]:
        """Paths of the fields that are messages and not values: `gpu_options` and the like."""
        return frozenset(MESSAGES.values())

    @cached_property
    def sinks(self) -> Mapping[str, SinkRule]:
        """The rule for each canonical name of a call that takes a config."""
        return {symbol: rule for rule in self._of(SinkRule) for symbol in rule.calls}

    @cached_property
    def sink_methods(self) -> Mapping[str, str]:
        """The canonical name of each method that takes a config, by its own name."""
        return {symbol.rpartition(".")[2]: symbol for symbol in self.sinks if is_method(symbol)}

    @cached_property
    def makers(self) -> Mapping[str, SinkRule]:
        """The rule for each call that makes a session from an object that took a config."""
        return {rule.maker: rule for rule in self._of(SinkRule) if rule.maker is not None}

    @cached_property
    def queries(self) -> Mapping[str, QueryRule]:
        """The rule for each canonical name of a call that initialises the GPUs."""
        return {symbol: rule for rule in self._of(QueryRule) for symbol in rule.symbols}

    @cached_property
    def calls(self) -> Mapping[str, CallRule]:
        """The rule for each canonical name of a call that is gone."""
        return {symbol: rule for rule in self._of(CallRule) for symbol in rule.symbols}

    @cached_property
    def variables(self) -> Mapping[str, VariableRule]:
        """The rule for each variable of the environment, and each request for GPUs."""
        return {name: rule for rule in self._of(VariableRule) for name in rule.variables}

    @cached_property
    def variable_names(self) -> frozenset[str]:
        """The names of the variables that count, without requests for GPUs."""
        return frozenset(name for name in self.variables if name.isidentifier())

    @cached_property
    def variables_of_devices(self) -> frozenset[str]:
        """The variables that are read when CUDA is initialised, or the GPUs are made."""
        rules = (rule for rule in self._of(VariableRule) if rule.read_with == "devices")
        return frozenset(name for rule in rules for name in rule.variables)

    @cached_property
    def makes_devices(self) -> frozenset[str]:
        """The canonical names of calls that make TensorFlow's GPUs."""
        return frozenset([*self.queries, "tf.Session", "tf.InteractiveSession", *_MAKERS])

    @cached_property
    def names_rule(self) -> NamesRule | None:
        """The rule for names that got a better one."""
        return next(iter(self._of(NamesRule)), None)

    @cached_property
    def helpers(self) -> Mapping[str, Helper]:
        """The functions that migrated code may call, by name."""
        return {helper.name: helper for rule in self._of(SettingRule) for helper in rule.helpers}

    @cached_property
    def setters(self) -> frozenset[str]:
        """The canonical names of calls of TensorFlow 2 that set something, older ones too."""
        older = (rename.before for rename in self.renames if rename.name in self._setters)
        return frozenset((*self._setters, *older))

    def rule_for(self, field: str, present: frozenset[str]) -> SettingRule | None:
        """Return the rule for a field, given all fields that are set together with it.

        The fields of a message that only a whole rule knows (`rpc_options.x`) have that rule.
        """
        while field not in self.fields and "." in field:
            field = field.rpartition(".")[0]
            if field in self.messages:
                return None
        for rule in self.fields.get(field, ()):
            if not rule.beside or present.intersection(rule.beside):
                return rule
        return None

    def nearest_field(self, field: str) -> str | None:
        """Return the real field nearest to a name that no rule knows (a misspelling, mostly).

        Fields of the same message go before others of a like name.
        """
        message, _, name = field.rpartition(".")
        known = [path.rpartition(".") for path in [*self.fields, *self.messages]]
        siblings = {last: f"{path}{dot}{last}" for path, dot, last in known if path == message}
        others = {last: f"{path}{dot}{last}" for path, dot, last in known}
        for names in (siblings, others):
            found = nearest(name, names)
            if found:
                return names[found]
        return None

    def is_v1_only(self, name: str) -> bool:
        """Tell whether TensorFlow 2 has a canonical name in compat.v1 only, or nowhere."""
        return _holds(self.v1_only, name)

    def is_v2_only(self, name: str) -> bool:
        """Tell whether TensorFlow 1.15 lacks a canonical name that TensorFlow 2 has."""
        return _holds(self.v2_only, name)

    def is_missing(self, name: str) -> bool:
        """Tell whether a canonical name of TensorFlow 1.15 is in no TensorFlow 2."""
        return _holds(self.missing, name)

    def answer(self, name: str) -> str | None:
        """Return what to do about a name that TensorFlow 2 does not have; None for other names."""
        parts = name.split(".")
        for count in range(len(parts), 1, -1):
            found = self.answers.get(".".join(parts[:count]))
            if found is not None:
                return found[0]
        return None

    def removed(self, name: str) -> Removed | None:
        """Return what is known of the removal of a canonical name from TensorFlow."""
        return next(
            (item for item in self.removed_names if f"{name}.".startswith(f"{item.name}.")), None
        )

    def spelling(self, name: str, min_tf: tuple[int, int]) -> str:
        """Return how TensorFlow from `min_tf` on spells a stable name."""
        for rename in self.renames:
            if rename.name == name and min_tf < rename.since:
                return rename.before
        return name


def _holds(names: frozenset[str], name: str) -> bool:
    """Tell whether a list has a canonical name, or a name that it starts with."""
    first, *parts = name.split(".")
    return first == "tf" and any(".".join(parts[: end + 1]) in names for end in range(len(parts)))


def is_method(symbol: str) -> bool:
    """Tell whether a canonical name is that of a method: its class is written with a capital."""
    return symbol.split(".")[-2][:1].isupper()


@cache
def load_rulebook(folder: Path | None = None, extra: tuple[str, ...] = ()) -> Rulebook:
    """Load every rule below a folder (the built-in rules by default), once.

    `extra` are folders, or files, of house rules that join them.

    Raises:
        RuleError: a rule file is wrong, or two rules share a code, a name or what they are about.
    """
    if extra:
        return _with_house_rules(load_rulebook(folder), extra)
    if folder is not None:
        return read_rulebook(folder)
    packed = packed_rulebook()
    if packed is not None:
        return packed
    return cached_rulebook(str(RULES), lambda: read_rulebook(RULES))


def subjects(rule: Rule) -> Iterable[str]:
    """Return the fields or symbols of a rule that no other rule may have."""
    if isinstance(rule, SettingRule):
        return () if rule.beside else rule.settings
    if isinstance(rule, SinkRule):
        return rule.calls
    return rule.symbols if isinstance(rule, QueryRule | CallRule) else ()


def add_subjects(known: dict[str, Rule], rule: Rule, path: str) -> None:
    """Add the subjects of a rule to those of others.

    Raises:
        RuleError: another rule has one of them.
    """
    for subject in subjects(rule):
        other = known.setdefault(subject, rule)
        if other is not rule:
            raise RuleError(path, SUBJECTS[type(rule)], subject, f"none that {other.code} is about")


def read_rulebook(folder: Path) -> Rulebook:
    """Read every rule below a folder from its TOML file.

    Raises:
        RuleError: a rule file is wrong, or two rules share a code, a name, a field or a symbol.
    """
    from tfgpu.rulebook.load import (  # noqa: PLC0415 - mostly the rules are compiled
        parse_removed,
        parse_renames,
        parse_rule,
    )

    rules: list[Rule] = []
    renames: tuple[Rename, ...] = ()
    removed: tuple[Removed, ...] = ()
    for path in sorted(folder.rglob("*.toml")):
        name = path.relative_to(folder).as_posix()
        text = path.read_text(encoding="utf-8")
        if name == "names/renames.toml":
            renames = parse_renames(text, name)
        elif name == "names/removed.toml":
            removed = parse_removed(text, name)
        else:
            rules.append(parse_rule(text, name))
    v1_only = _names(folder / "names" / "v1_only.txt")
    starts_runtime = _names(folder / "names" / "starts_runtime.txt")
    names = {name: _names(folder / "names" / f"{name}.txt") for name in _LISTS}
    book = Rulebook(rules, renames, v1_only, starts_runtime, removed, names)
    known: dict[str, dict[str, Rule]] = {}  # by kind: a call can be a sink and a query
    for rule in rules:
        add_subjects(known.setdefault(type(rule).__name__, {}), rule, rule.path)
    return book


def _with_house_rules(book: Rulebook, folders: tuple[str, ...]) -> Rulebook:
    from tfgpu.rulebook.house import house_rules  # noqa: PLC0415 - few have rules of their own

    return book.with_rules(house_rules(book, folders))


def _names(path: Path) -> list[str]:
    """Return the lines of a list of names, without its comments; none where there is no list."""
    if not path.is_file():
        return []
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line[:1] not in "#"]
