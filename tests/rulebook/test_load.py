"""Rule files: what a right one becomes, and what a wrong one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.load import (
    parse_removed,
    parse_renames,
    parse_rule,
)
from tfgpu.rulebook.model import (
    Conflict,
    Emit,
    Harmless,
    PutBack,
    QueryRule,
    ReasonRule,
    SettingRule,
    SinkRule,
)
from tfgpu.rulebook.table import RuleError, version

COMMON = """
code = "TFG101"
name = "allow-growth"
equivalence = "exact"
summary = "A summary"
why = '''
Because.
'''
source = "measured"
"""
EXAMPLE = """
[[example]]
before = '''
x = 1
'''
"""
SETTING = (
    COMMON
    + """
scope = "process"
settings = ["gpu_options.allow_growth"]
type = "bool"
put_back.each_gpu = "f(False)"
raises_after_eager = true

[[case]]
emit.each_gpu = "f($value)"
"""
    + EXAMPLE
)
SINK = (
    'kind = "sink"\n'
    + COMMON
    + """
argument = "config"
converts = "always"
makes = ["now"]
[calls]
"tf.Session" = ["target", "graph", "config"]
"""
    + EXAMPLE
)
QUERY = 'kind = "query"\n' + COMMON + 'symbols = ["tf.test.x"]\ntodo = "t"\n' + EXAMPLE
REASON = 'kind = "reason"\n' + COMMON + 'message = "m"\ntodo = "t"\n' + EXAMPLE


def test_setting_rule() -> None:
    text = SETTING.replace(
        "[[case]]",
        """
beside = ["gpu_options.x"]
[enum]
ON = 1
[[helper]]
name = "_help"
imports = ["os"]
code = '''
def _help():
    pass
'''
[[case]]
value = [false, 1]
drop = "nothing"
[[case]]
above = 1
below = 2.5
shape = "literal"
keep = "no"
todo = "do it"
[[case]]
guard = "$value"
unsafe = "may differ"
""",
    )
    rule = parse_rule(text, "memory/a.toml")
    assert isinstance(rule, SettingRule)
    assert (rule.code, rule.name, rule.group, rule.path) == (
        "TFG101",
        "allow-growth",
        "memory",
        "memory/a.toml",
    )
    assert (rule.why, rule.summary, rule.source) == ("Because.", "A summary", "measured")
    assert rule.settings == ("gpu_options.allow_growth",)
    assert rule.beside == ("gpu_options.x",)
    assert rule.enum == {"ON": 1}
    assert rule.helpers[0].code == "def _help():\n    pass\n"
    assert rule.helpers[0].imports == ("os",)
    first, second, third = rule.cases
    assert (first.values, first.drop) == ((False, 1), "nothing")
    assert (second.above, second.below, second.shape) == (1, 2.5, "literal")
    assert (second.keep, second.todo) == ("no", "do it")
    assert third.emit is not None
    assert (third.guard, third.unsafe, third.emit.each_gpu) == (
        "$value",
        "may differ",
        "f($value)",
    )
    assert list(third.emit.texts()) == ["", "", "f($value)", "", "", ""]


def test_effects_of_a_setting() -> None:
    text = SETTING.replace(
        "[[case]]",
        """
tf1_default.statements = "g(False)"
harmless.values = [true]
harmless.unless_caught = ["ValueError"]
[[conflict]]
fields = ["device_count.CPU"]
order = "after"
effect = "fails"
[[case]]
value = [true]
scope = "session"
put_back = "none needed"
no_bridge = "1.15 has no such call"
emit.statements = "g(True)"
[[case]]
""",
    )
    rule = parse_rule(text, "a.toml")
    assert isinstance(rule, SettingRule)
    assert rule.raises_after_eager
    assert not rule.hides_gpus
    assert rule.tf1_default == Emit(statements="g(False)")
    assert rule.harmless == Harmless((True,), ("ValueError",))
    assert rule.conflicts == (Conflict(("device_count.CPU",), "after", "fails"),)
    first, last = rule.cases
    assert (rule.scope_of(first), rule.scope_of(last)) == ("session", "process")
    assert rule.put_back_of(first) == PutBack(no_code="none needed")
    assert rule.put_back_of(last) == PutBack(emit=Emit(each_gpu="f(False)"))
    assert rule.put_back_of(None) == rule.put_back
    assert (first.no_bridge, last.no_bridge) == ("1.15 has no such call", None)


def test_a_setting_that_is_never_converted_needs_no_effects() -> None:
    text = SETTING.replace('emit.each_gpu = "f($value)"', 'keep = "no"\ntodo = "t"')
    text = text.replace(f"{PUT_BACK}\nraises_after_eager = true\n", "")
    rule = parse_rule(text, "a.toml")
    assert isinstance(rule, SettingRule)
    assert rule.put_back == PutBack(no_code="impossible")


@pytest.mark.parametrize(
    ("emit", "lists", "needs"),
    [
        (Emit(each_gpu="f(gpu)"), True, True),
        (Emit(visible="[]"), True, True),
        (Emit(statements='f(tf.config.list_physical_devices("CPU")[0])'), True, True),
        (Emit(statements="tf.config.threading.set_inter_op_parallelism_threads(1)"), False, True),
        (Emit(environment='os.environ["A"] = "1"'), False, True),
        (Emit(statements="tf.config.set_soft_device_placement(True)"), False, False),
        (Emit(options={"a": "True"}), False, False),
    ],
)
def test_what_code_needs(emit: Emit, lists: bool, needs: bool) -> None:
    assert (emit.lists_gpus, emit.needs_unmade_devices) == (lists, needs)


def test_when_sessions_are_made() -> None:
    text = SINK.replace(
        MAKES, 'maker = "tf.M"\nmakes_eager_context = ["tf.M"]\n[makes]\n"tf.Session" = ["later"]'
    )
    rule = parse_rule(text, "sessions/a.toml")
    assert isinstance(rule, SinkRule)
    assert rule.makes == {"tf.Session": frozenset(["later"])}
    assert rule.makes_eager_context == {"tf.M"}


def test_example_without_after_stays_as_it_is() -> None:
    (example,) = parse_rule(SETTING, "a.toml").examples
    assert example.before == example.after == "x = 1\n"
    assert (example.gpus, example.min_tf, example.unsafe, example.keep_imports) == (
        "2x16GiB",
        "2.4",
        False,
        False,
    )
    assert example.ignore == ()


def test_example_with_everything() -> None:
    text = SETTING + (
        "after = '''\ny = 1\n'''\ngpus = '1x8GiB'\nunsafe = true\nmin_tf = '2.0'\n"
        "keep_imports = true\nignore = ['TFG1']\nimported_by = 'import example'\n"
        "alone = true\nneeds = 'a'\n"
    )
    (example,) = parse_rule(text, "a.toml").examples
    assert (example.after, example.gpus, example.min_tf) == ("y = 1\n", "1x8GiB", "2.0")
    assert example.unsafe
    assert example.keep_imports
    assert (example.ignore, example.imported_by) == (("TFG1",), "import example\n")
    assert example.alone
    assert example.needs == "a"


def test_other_kinds() -> None:
    sink = parse_rule(SINK, "sessions/a.toml")
    assert isinstance(sink, SinkRule)
    assert sink.calls == {"tf.Session": ("target", "graph", "config")}
    assert (sink.argument, sink.target, sink.maker, sink.blockers) == ("config", None, None, ())
    query = parse_rule(QUERY, "queries/a.toml")
    assert isinstance(query, QueryRule)
    assert (query.symbols, query.forms, query.unsafe, query.todo) == (
        ("tf.test.x",),
        {},
        "",
        "t",
    )
    reason = parse_rule(REASON, "hazards/a.toml")
    assert isinstance(reason, ReasonRule)
    assert (reason.message, reason.todo) == ("m", "t")


LINE = 'scope = "process"'
PUT_BACK = 'put_back.each_gpu = "f(False)"'
MAKES = 'makes = ["now"]'
WRONG = {
    "no-toml": (SETTING + "=", "the file", "expected TOML"),
    "no-code": (SETTING.replace('code = "TFG101"\n', ""), "code", "found None, expected a string"),
    "code-form": (
        SETTING.replace("TFG101", "TF1"),
        "code",
        "found 'TF1', expected three letters and three digits, as in TFG101",
    ),
    "name-form": (
        SETTING.replace('"allow-growth"', '"Allow growth"'),
        "name",
        "found 'Allow growth', expected lower-case words joined by '-'",
    ),
    "kind": (
        'kind = "other"\n' + SETTING,
        "kind",
        "found 'other', expected one of setting, sink, query, reason",
    ),
    "equivalence": (
        SETTING.replace('"exact"', '"nearly"'),
        "equivalence",
        "found 'nearly', expected one of exact, approximate, environment, none",
    ),
    "summary-type": (SETTING.replace('"A summary"', "1"), "summary", "found 1, expected a string"),
    "scope": (
        SETTING.replace('"process"', '"all"'),
        "scope",
        "found 'all', expected one of session, gpu, process",
    ),
    "case-scope": (
        SETTING.replace("emit.each", "scope = 'all'\nemit.each"),
        "case[0].scope",
        "found 'all', expected one of session, gpu, process",
    ),
    "scope-without-emit": (
        SETTING.replace('emit.each_gpu = "f($value)"', "scope = 'gpu'\ndrop = 'x'"),
        "case[0].scope",
        "found 'gpu', expected this key only beside emit",
    ),
    "no-put-back": (
        SETTING.replace(PUT_BACK, ""),
        "put_back",
        "found None, expected a table of what to emit, or one of impossible, none needed",
    ),
    "put-back-word": (
        SETTING.replace(PUT_BACK, 'put_back = "no"'),
        "put_back",
        "found 'no', expected one of impossible, none needed",
    ),
    "put-back-key": (
        SETTING.replace(PUT_BACK, 'put_back.each = "x"'),
        "put_back.each",
        "found 'x', expected no such key; did you mean each_gpu?",
    ),
    "no-raises": (
        SETTING.replace("raises_after_eager = true\n", ""),
        "raises_after_eager",
        "found None, expected true or false",
    ),
    "raises-not": (
        SETTING.replace("raises_after_eager = true", "raises_after_eager = false"),
        "raises_after_eager",
        "found False, expected true, as the code acts on devices or threads",
    ),
    "hides-not": (
        SETTING.replace("emit.each_gpu", "emit.visible"),
        "hides_gpus",
        "found False, expected true, as a case emits visible GPUs",
    ),
    "conflict-order": (
        SETTING + "[[conflict]]\nfields = ['x']\norder = 'before'\neffect = 'fails'\n",
        "conflict[0].order",
        "found 'before', expected one of any, after",
    ),
    "conflict-fields": (
        SETTING + "[[conflict]]\nfields = []\norder = 'any'\neffect = 'fails'\n",
        "conflict[0].fields",
        "found [], expected at least one field",
    ),
    "harmless": (
        SETTING + "[harmless]\nunless_caught = ['ValueError']\n",
        "harmless.values",
        "found None, expected a list of values",
    ),
    "type": (SETTING.replace('"bool"', '"float"'), "type", "found 'float', expected one of bool"),
    "settings-type": (
        SETTING.replace('["gpu_options.allow_growth"]', '"gpu"'),
        "settings",
        "found 'gpu', expected a list of strings",
    ),
    "settings-items": (
        SETTING.replace('["gpu_options.allow_growth"]', "[1]"),
        "settings",
        "found [1], expected a list of strings",
    ),
    "unknown-key": (
        SETTING.replace(LINE, LINE + "\nspeed = 1"),
        "speed",
        "found 1, expected no such key",
    ),
    "unknown-case-key": (
        SETTING.replace("emit.each", "guards = 1\nemit.each"),
        "case[0].guards",
        "found 1, expected no such key",
    ),
    "unknown-emit-key": (
        SETTING.replace("emit.each_gpu", "emit.each"),
        "case[0].emit.each",
        "expected no such key",
    ),
    "empty-emit": (
        SETTING.replace('"f($value)"', '""'),
        "case[0].emit.",
        "found {}, expected something to emit",
    ),
    "two-actions": (
        SETTING.replace("emit.each", "drop = 'x'\nemit.each"),
        "case[0].",
        "found ['drop', 'emit'], expected exactly one of drop, keep and emit",
    ),
    "no-action": (
        SETTING.replace('emit.each_gpu = "f($value)"', "above = 1"),
        "case[0].",
        "found [], expected exactly one of drop, keep and emit",
    ),
    "keep-without-todo": (
        SETTING.replace('emit.each_gpu = "f($value)"', 'keep = "no"'),
        "case[0].todo",
        "found None, expected what to do by hand",
    ),
    "shape": (
        SETTING.replace("emit.each", "shape = 'round'\nemit.each"),
        "case[0].shape",
        "found 'round', expected one of literal",
    ),
    "above-type": (
        SETTING.replace("emit.each", "above = 'x'\nemit.each"),
        "case[0].above",
        "found 'x', expected a number",
    ),
    "above-bool": (
        SETTING.replace("emit.each", "above = true\nemit.each"),
        "case[0].above",
        "found True, expected a number",
    ),
    "no-case": (
        SETTING.replace('[[case]]\nemit.each_gpu = "f($value)"\n', ""),
        "case",
        "found None, expected at least one case",
    ),
    "case-type": (
        SETTING.replace('[[case]]\nemit.each_gpu = "f($value)"\n', "case = [1]\n"),
        "case",
        "found [1], expected a list of tables",
    ),
    "case-no-list": (
        SETTING.replace('[[case]]\nemit.each_gpu = "f($value)"\n', "case = 1\n"),
        "case",
        "found 1, expected a list of tables",
    ),
    "emit-type": (
        SETTING.replace("emit.each_gpu", "emit"),
        "case[0].emit",
        "found 'f($value)', expected a table",
    ),
    "options-type": (
        SETTING.replace('emit.each_gpu = "f($value)"', "emit.options = { a = 1 }"),
        "case[0].emit.options.a",
        "found 1, expected a table of strings",
    ),
    "enum-items": (
        SETTING.replace(LINE, LINE + "\nenum = { ON = 'x' }"),
        "enum.ON",
        "found 'x', expected a table of numbers",
    ),
    "enum-type": (
        SETTING.replace(LINE, LINE + "\nenum = 1"),
        "enum",
        "found 1, expected a table of numbers",
    ),
    "no-example": (SETTING.replace(EXAMPLE, ""), "example", "found None, expected at least one"),
    "example-without-before": (
        SETTING.replace("before = '''\nx = 1\n'''", "unsafe = true"),
        "example[0].before",
        "found None, expected a string of Python code",
    ),
    "example-flag": (
        SETTING + "unsafe = 1\n",
        "example[0].unsafe",
        "found 1, expected true or false",
    ),
    "example-key": (SETTING + "speed = 1\n", "example[0].speed", "found 1, expected no such key"),
    "helper-key": (
        SETTING + "\n[[helper]]\nname = 'a'\ncode = 'b'\nspeed = 1\n",
        "helper[0].speed",
        "found 1, expected no such key",
    ),
    "sink-converts": (
        SINK.replace('"always"', '"often"'),
        "converts",
        "found 'often', expected one of always, never, growth-only, eager, gone",
    ),
    "sink-without-makes": (
        SINK.replace(MAKES, ""),
        "makes",
        "found None, expected when each call makes its session",
    ),
    "sink-makes": (
        SINK.replace(MAKES, 'makes = ["soon"]'),
        "makes",
        "found ['soon'], expected some of now, on enter, later, again",
    ),
    "sink-makes-of-others": (
        SINK.replace(MAKES, "") + "[makes]\n'tf.Other' = ['now']\n",
        "makes",
        "found ['tf.Other'], expected each of the calls",
    ),
    "sink-later-without-maker": (
        SINK.replace(MAKES, 'makes = ["later"]'),
        "maker",
        "found None, expected the call that makes the session later",
    ),
    "sink-eager-context-of-others": (
        SINK.replace(MAKES, MAKES + '\nmakes_eager_context = ["tf.Other"]'),
        "makes_eager_context",
        "found ['tf.Other'], expected some of the calls, or the maker",
    ),
    "sink-without-argument": (
        SINK.replace('argument = "config"\n', ""),
        "argument",
        "found None, expected a string",
    ),
    "sink-calls": (
        SINK.replace('["target", "graph", "config"]', "2"),
        "calls.tf.Session",
        "found 2, expected a table of lists of parameters",
    ),
    "sink-without-calls": (
        SINK.replace('"tf.Session" = ["target", "graph", "config"]', ""),
        "calls",
        "found None, expected at least one call",
    ),
    "query-form": (
        QUERY + "[forms]\nsum = 'x'\n",
        "forms.sum",
        "one of value, names, count, any",
    ),
    "query-initialises": (
        QUERY.replace("symbols", "initialises = ['names']\nsymbols"),
        "initialises",
        "some of the forms",
    ),
    "query-without-todo": (
        QUERY.replace('todo = "t"\n', ""),
        "todo",
        "found None, expected a string",
    ),
    "reason-without-message": (
        REASON.replace('message = "m"\n', ""),
        "message",
        "found None, expected a string",
    ),
}


@pytest.mark.parametrize(
    "condition", ["value = [1]", "above = 1", "below = 1", "shape = 'literal'"]
)
def test_last_case_has_no_condition(condition: str) -> None:
    text = SETTING.replace("emit.each", f"{condition}\nemit.each")
    with pytest.raises(RuleError, match="a last case without a condition"):
        parse_rule(text, "a.toml")
    # A rule that stands beside another one need not take every value.
    text = text.replace(LINE, f'{LINE}\nbeside = ["x"]')
    assert parse_rule(text, "a.toml").code == "TFG101"


@pytest.mark.parametrize("name", WRONG)
def test_wrong_rule(name: str) -> None:
    text, key, words = WRONG[name]
    with pytest.raises(RuleError) as caught:
        parse_rule(text, "memory/a.toml")
    assert caught.value.path == "memory/a.toml"
    assert caught.value.key == key
    assert str(caught.value).startswith(f"memory/a.toml: {key}: found ")
    assert words in str(caught.value)


def test_renames() -> None:
    text = '[[rename]]\nname = "tf.a"\nsince = "2.1"\nbefore = "tf.b"\n'
    (rename,) = parse_renames(text, "names/renames.toml")
    assert (rename.name, rename.since, rename.before) == ("tf.a", (2, 1), "tf.b")
    for wrong, key in (
        (text.replace("2.1", "2"), "rename[0].since"),
        (text + "speed = 1\n", "rename[0].speed"),
        ("speed = 1\n" + text, "speed"),
        (text.replace('name = "tf.a"\n', ""), "rename[0].name"),
    ):
        with pytest.raises(RuleError) as caught:
            parse_renames(wrong, "names/renames.toml")
        assert (caught.value.path, caught.value.key) == ("names/renames.toml", key)


def test_removed() -> None:
    text = '[[removed]]\nname = "tf.a"\nsince = "2.1"\ninstead = "b"\n'
    (removed,) = parse_removed(text, "names/removed.toml")
    assert (removed.name, removed.since, removed.instead) == ("tf.a", "2.1", "b")
    for wrong, key in (
        (text + "speed = 1\n", "removed[0].speed"),
        ("speed = 1\n" + text, "speed"),
        (text.replace('since = "2.1"\n', ""), "removed[0].since"),
    ):
        with pytest.raises(RuleError) as caught:
            parse_removed(wrong, "names/removed.toml")
        assert (caught.value.path, caught.value.key) == ("names/removed.toml", key)


def test_version() -> None:
    assert version("2.15") == (2, 15)
    for wrong in ("2", "2.1.0", "a.b", ""):
        with pytest.raises(ValueError):
            version(wrong)


def test_folder_of_rules(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "a.toml").write_text(SETTING)
    (tmp_path / "memory" / "note.txt").write_text("no rule")
    book = load_rulebook(tmp_path)
    assert [rule.path for rule in book.rules] == ["memory/a.toml"]
    assert book.renames == ()
    assert book.v1_only == frozenset()


def test_folder_of_rules_with_names(tmp_path: Path) -> None:
    (tmp_path / "names").mkdir()
    (tmp_path / "names" / "v1_only.txt").write_text("# names\n\nSession\nConfigProto\n")
    (tmp_path / "names" / "renames.toml").write_text(
        '[[rename]]\nname = "tf.a"\nsince = "2.1"\nbefore = "tf.b"\n'
    )
    book = load_rulebook(tmp_path)
    assert book.v1_only == {"Session", "ConfigProto"}
    assert [rename.name for rename in book.renames] == ["tf.a"]


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (SETTING.replace('"allow-growth"', '"other"'), "TFG101"),
        (SETTING.replace("TFG101", "TFG999"), "allow-growth"),
    ],
)
def test_code_and_name_are_given_once(tmp_path: Path, other: str, found: str) -> None:
    (tmp_path / "a.toml").write_text(SETTING)
    (tmp_path / "b.toml").write_text(other)
    with pytest.raises(RuleError, match=f"b.toml: code or name: found '{found}'.*a.toml has"):
        load_rulebook(tmp_path)


def test_wrong_file_in_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "b.toml").write_text("code = 1")
    with pytest.raises(RuleError, match=r"^memory/b\.toml: code: found 1, expected a string$"):
        load_rulebook(tmp_path)
