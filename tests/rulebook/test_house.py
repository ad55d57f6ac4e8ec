"""House rules: loaded beside the built-in ones, checked, and obeyed like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tools import write
from tests.tools import book, names, source
from tfgpu.engine import FileResult, analyse
from tfgpu.files.kinds import Kind
from tfgpu.options import Options
from tfgpu.rulebook.book import Rulebook, load_rulebook
from tfgpu.rulebook.table import RuleError
from tfgpu.rulebook.tokens import tokens

COMMON = """
code = "HOU001"
name = "make-session"
equivalence = "approximate"
summary = "mylib.make_session(gpu_fraction=...) loses its fraction"
why = "mylib makes a session with that fraction"
source = "mylib/sessions.py"
"""
EXAMPLE = """
[[example]]
before = '''
x = 1
'''
"""
WRAPPER = (
    'kind = "sink"\n'
    + COMMON
    + """
argument = "growth"
setting = "gpu_options.allow_growth"
converts = "always"
makes = ["now"]

[calls]
"mylib.make_session" = ["name", "growth"]
"""
    + EXAMPLE
)
SINK = WRAPPER.replace('setting = "gpu_options.allow_growth"\n', "")
CALL = (
    'kind = "call"\n'
    + COMMON
    + """
symbols = ["mylib.gpus.let_grow"]
argument = "on"
setting = "gpu_options.allow_growth"
todo = "set it with tf.config"
"""
    + EXAMPLE
)
QUERY = (
    'kind = "query"\n'
    + COMMON
    + 'symbols = ["mylib.count_gpus"]\ntodo = "count with tf.config"\n'
    + EXAMPLE
)
GROW = (
    'for gpu in tf.config.list_physical_devices("GPU"):\n'
    "    tf.config.experimental.set_memory_growth(gpu, True)\n"
)
# Nothing tells which TensorFlow the program is for: these names are in both.
BRIDGE = GROW.replace("tf.config.list", "tf.config.experimental.list")


def with_rules(folder: Path, *texts: str) -> Rulebook:
    for number, text in enumerate(texts):
        write(folder / "rules" / f"rule{number}.toml", text)
    return load_rulebook(extra=(str(folder / "rules"),))


def result(folder: Path, program: str, rule: str = WRAPPER) -> FileResult:
    return analyse(source(program), with_rules(folder, rule), Options())


class TestLoading:
    def test_they_join_the_built_in_rules(self, tmp_path: Path) -> None:
        found = with_rules(tmp_path, WRAPPER)
        assert len(found.rules) == len(book().rules) + 1
        rule = found.find("HOU001")
        assert rule is not None
        assert rule is found.find("make-session")
        assert rule.path == str(tmp_path / "rules" / "rule0.toml")
        assert book().find("HOU001") is None
        assert b"make_session" in tokens(Kind.PYTHON, found)
        assert found.removed("tf.estimator") == book().removed("tf.estimator")

    def test_folders_and_files_each_once(self, tmp_path: Path) -> None:
        inner = write(tmp_path / "rules" / "deep" / "a.toml", WRAPPER)
        other = write(tmp_path / "b.toml", CALL.replace("HOU001", "HOU002").replace("make-s", "s"))
        places = (str(tmp_path / "rules"), str(other), str(inner))
        found = load_rulebook(extra=places)
        assert [rule.code for rule in found.rules if rule.code[:3] == "HOU"] == ["HOU001", "HOU002"]

    @pytest.mark.parametrize(
        ("texts", "told"),
        [
            ([WRAPPER.replace("HOU001", "TFG999")], "rule0.toml: code: found 'TFG999', expected "
             "one that does not start with TF: those are tfgpu's own"),
            ([WRAPPER.replace("HOU001", "HOUSE1")], "rule0.toml: code: found 'HOUSE1', expected "
             "three letters and three digits, as in TFG101"),
            ([WRAPPER.replace("make-session", "allow-growth")], "found 'allow-growth', expected "
             "none that memory/allow_growth.toml has"),
            ([WRAPPER, CALL], "code or name: found 'HOU001', expected none that"),
            ([WRAPPER, WRAPPER.replace("HOU001", "HOU002").replace('"make-s', '"s')],
             "rule1.toml: calls: found 'mylib.make_session', expected none that HOU001 is about"),
            ([WRAPPER.replace("mylib.make_session", "tf.Session")], "calls: found 'tf.Session', "
             "expected none that TFG601 is about"),
            ([WRAPPER.replace("mylib.make_session", "make_session")], "calls: found "
             "'make_session', expected a name with its module"),
            ([CALL.replace("mylib.gpus.let_grow", "let_grow")], "symbols: found 'let_grow', "
             "expected a name with its module"),
            ([WRAPPER.replace("allow_growth", "alow_growth")], "setting: found "
             "'gpu_options.alow_growth', expected a field of ConfigProto; did you mean "
             "gpu_options.allow_growth?"),
            ([WRAPPER.replace("gpu_options.allow_growth", "zzzzzzzzzz")], "setting: found "
             "'zzzzzzzzzz', expected a field of ConfigProto"),
            (['kind = "reason"\n' + COMMON + 'message = "m"\ntodo = "t"\n' + EXAMPLE],
             "kind: found 'HOU001', expected a setting, sink, query or call"),
            ([WRAPPER + "speed = 1\n"], "example[0].speed: found 1, expected no such key"),
            (["code = \n"], "the file: found 'Invalid value (at line 1, column 8)', expected TOML"),
        ],
    )  # fmt: skip
    def test_what_is_wrong_is_told(self, tmp_path: Path, texts: list[str], told: str) -> None:
        with pytest.raises(RuleError) as caught:
            with_rules(tmp_path, *texts)
        assert str(tmp_path / "rules") in str(caught.value)
        assert told in str(caught.value)

    def test_a_field_has_one_rule_but_for_what_stands_beside_it(self, tmp_path: Path) -> None:
        setting = COMMON + (
            'scope = "process"\nsettings = ["gpu_options.allow_growth"]\ntype = "bool"\n'
            '[[case]]\nkeep = "no"\ntodo = "t"\n' + EXAMPLE
        )
        with pytest.raises(RuleError, match=r"settings: found .* expected none that TFG101"):
            with_rules(tmp_path, setting)
        beside = setting.replace(
            'type = "bool"', 'type = "bool"\nbeside = ["allow_soft_placement"]'
        )
        found = with_rules(tmp_path / "other", beside)
        rule = found.rule_for("gpu_options.allow_growth", frozenset(["allow_soft_placement"]))
        assert rule is not None
        assert rule.code == "HOU001"

    def test_a_file_that_is_no_text(self, tmp_path: Path) -> None:
        with pytest.raises(RuleError, match="expected a file of UTF-8 text"):
            load_rulebook(extra=(str(write(tmp_path / "a.toml", b"\xff")),))


class TestWrappers:
    def test_the_value_becomes_settings_and_the_argument_goes(self, tmp_path: Path) -> None:
        made = result(
            tmp_path,
            """
            import tensorflow as tf
            from mylib import make_session as ms

            def train(name):
                with ms(name, growth=True, retry=2) as sess:  # a session
                    sess.run(1)
            """,
        )
        assert names(made) == ["make-session", "allow-growth"]
        assert {item.fix for item in made.findings} == {"safe"}
        assert made.new_text() == source("""
            import tensorflow as tf
            from mylib import make_session as ms

            def train(name):
                for gpu in tf.config.experimental.list_physical_devices("GPU"):
                    tf.config.experimental.set_memory_growth(gpu, True)
                with ms(name, retry=2) as sess:  # a session
                    sess.run(1)
            """)

    def test_by_place_and_without_tensorflow(self, tmp_path: Path) -> None:
        made = result(tmp_path, "import mylib\nsess = mylib.make_session(None, True)\n")
        assert made.new_text() == (
            "import mylib\nimport tensorflow as tf\n"
            f"{BRIDGE.replace('experimental.list', 'list')}sess = mylib.make_session(None)\n"
        )

    @pytest.mark.parametrize("call", ["make_session()", "make_session(growth=None)"])
    def test_without_a_value_there_is_nothing_to_do(self, tmp_path: Path, call: str) -> None:
        made = result(tmp_path, f"import mylib\nsess = mylib.{call}\n")
        assert (made.new_text(), made.findings, made.configs) == (None, [], [])

    @pytest.mark.parametrize(
        ("program", "reason"),
        [
            ("sess = mylib.make_session(growth=True)\nother = mylib.make_session(**options)\n",
             "foreign-config"),
            ("sess = mylib.make_session(growth=True)\nother = mylib.make_session(*options)\n",
             "foreign-config"),
            ("sess = mylib.make_session(growth='yes')\n", "wrong-type"),
            ("f = lambda: mylib.make_session(growth=True)\n", "no-place"),
            ("sess = mylib.make_session(start(), growth=read())\n", "evaluation-order"),
            ("import tensorflow as tf\na = mylib.make_session(growth=True)\nb = tf.Session("
             "config=tf.ConfigProto(timeline_step=True))\n", "unknown-field"),
        ],
    )  # fmt: skip
    def test_what_keeps_a_config_keeps_a_wrapper(
        self, tmp_path: Path, program: str, reason: str
    ) -> None:
        made = result(tmp_path, f"import mylib\n{program}")
        rule = book().find(reason)
        assert rule is not None
        assert rule.code in {item.kept_by for item in made.configs}
        assert made.new_text() is None

    def test_a_module_of_the_same_name_elsewhere(self, tmp_path: Path) -> None:
        made = result(tmp_path, "from other import mylib\nmylib.make_session(growth=True)\n")
        assert made.findings == []


class TestOtherKinds:
    def test_a_call_that_sets_a_field_goes(self, tmp_path: Path) -> None:
        made = result(tmp_path, "from mylib import gpus\ngpus.let_grow(True)\n", CALL)
        assert made.new_text() == f"from mylib import gpus\nimport tensorflow as tf\n{GROW}"

    def test_a_sink_takes_a_config(self, tmp_path: Path) -> None:
        made = result(
            tmp_path,
            """
            import tensorflow.compat.v1 as tf
            import mylib
            tf.disable_v2_behavior()
            sess = mylib.make_session(growth=tf.ConfigProto(log_device_placement=True))
            """,
            SINK,
        )
        assert made.new_text() == source("""
            import tensorflow.compat.v1 as tf
            import mylib
            tf.disable_v2_behavior()
            tf.debugging.set_log_device_placement(True)
            sess = mylib.make_session()
            """)

    def test_a_query_is_told(self, tmp_path: Path) -> None:
        made = result(tmp_path, "import mylib\nn = mylib.count_gpus()\n", QUERY)
        assert names(made) == ["make-session"]

    def test_comments_ignore_house_rules(self, tmp_path: Path) -> None:
        program = "import mylib\nmylib.make_session(growth=True)  # tfgpu: ignore[HOU, TFG1] why\n"
        made = result(tmp_path, program)
        assert (made.findings, made.new_text()) == ([], None)
