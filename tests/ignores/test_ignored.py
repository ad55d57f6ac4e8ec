"""What comments do: findings are not told, and what they are about stays as it is."""

from __future__ import annotations

import pytest

from tests.tools import UNSAFE, analysed, check_body, check_noop, migrated, names, source
from tfgpu.options import Options

RAW = "import tensorflow as tf\n"
CONFIG = RAW + (
    "config = tf.ConfigProto(){}\n"
    "config.gpu_options.allow_growth = True{}\n"
    "sess = tf.Session(config=config){}\n"
)
IGNORE = "  # tfgpu: ignore[{}]"


def config(*places: str) -> str:
    """Return the program with comments that ignore rules behind its statements."""
    return CONFIG.format(*(IGNORE.format(rule) if rule else "" for rule in places))


class TestFindings:
    def test_the_finding_of_the_line_and_no_other(self) -> None:
        call = "tf.test.is_gpu_available()"
        program = f"{RAW}a = {call}  # tfgpu: ignore[TFG7]\nb = {call}\n"
        assert [item.line for item in analysed(program).findings] == [3]

    @pytest.mark.parametrize("rule", ["is-gpu-available", "TFG701", "TFG7", "TFG", "TFG1, TFG701"])
    def test_by_name_code_and_prefix(self, rule: str) -> None:
        program = f"{RAW}a = tf.test.is_gpu_available()  # tfgpu: ignore[{rule}]\n"
        assert "is-gpu-available" not in names(analysed(program))

    def test_of_another_rule(self) -> None:
        program = f"{RAW}a = tf.test.is_gpu_available()  # tfgpu: ignore[allow-growth]\n"
        assert names(analysed(program)) == ["is-gpu-available", "ignore-unused"]

    def test_of_the_file(self) -> None:
        program = f"# tfgpu: ignore-file[TFG7]\n{RAW}a = tf.test.is_gpu_available()\n"
        assert names(analysed(program)) == []

    def test_findings_on_comments_are_not_ignored_by_comments(self) -> None:
        program = "x = 1  # tfgpu: ignore-file[TFX, nothing]\n"
        assert names(analysed(program)) == ["ignore-unknown", "ignore-unused"]
        assert names(analysed(program, Options(ignore=("TFX003",)))) == ["ignore-unknown"]

    def test_unknown_with_the_nearest(self) -> None:
        (finding,) = analysed("x = 1  # tfgpu: ignore[alow-growth]\n").findings
        assert finding.message == (
            "no rule has the code or name alow-growth; did you mean allow-growth?"
        )
        assert (finding.line, finding.column, finding.end_column) == (1, 8, 36)
        assert finding.snippet == "x = 1  # tfgpu: ignore[alow-growth]"

    def test_malformed_is_an_error(self) -> None:
        (finding,) = analysed("x = 1  # tfgpu: ignore  # more\n").findings
        assert (finding.name, finding.severity) == ("ignore-malformed", "error")
        assert finding.message.endswith("ignores nothing: # tfgpu: ignore")

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            (Options(), True),
            (Options(select=("TFG1", "TFX")), True),
            (Options(ignore=("allow-growth",)), False),
            (Options(select=("TFG7", "TFX")), False),
            (Options(select=("TFG101",)), False),
        ],
    )
    def test_unused_is_told_where_it_can_be_known(self, options: Options, told: bool) -> None:
        found = analysed("x = 1  # tfgpu: ignore[allow-growth]\n", options).findings
        assert [item.name for item in found] == ["ignore-unused"] * told

    def test_severities_are_those_of_the_options(self) -> None:
        options = Options(severity=(("TFX", "note"), ("is-gpu-available", "error")))
        program = f"{RAW}a = tf.test.is_gpu_available()\nb = 1  # tfgpu: ignore\n"
        assert [item.severity for item in analysed(program, options).findings] == ["error", "note"]


class TestMigration:
    @pytest.mark.parametrize(
        "places",
        [("", "allow-growth", ""), ("", "TFG", ""), ("", "", "session-config"),
         ("", "", "TFG601, allow-growth")],
    )  # fmt: skip
    def test_a_config_with_something_ignored_stays_whole(self, places: tuple[str, ...]) -> None:
        check_noop(config(*places))
        result = analysed(config(*places))
        assert [item.kept_by for item in result.configs] == ["TFX004"]
        assert "ignored" not in names(result)

    def test_what_else_belongs_to_the_config_says_why_it_stays(self) -> None:
        (finding,) = analysed(config("", "allow-growth", "")).findings
        assert (finding.name, finding.fix) == ("session-config", "none")
        assert finding.todo == "see TFX004 ignored in line 3"

    def test_a_comment_on_the_constructor_is_about_nothing(self) -> None:
        result = analysed(config("allow-growth", "", ""))
        assert [item.kept_by for item in result.configs] == [None]
        assert "ignore-unused" in names(result)

    def test_the_other_configs_of_the_file_stay_too(self) -> None:
        program = config("", "allow-growth", "") + (
            "def f():\n    other = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))\n"
            "    return tf.Session(config=other)\n"
        )
        check_noop(program)
        assert [item.kept_by for item in analysed(program).configs] == ["TFX004", "TFG916"]

    def test_a_reason_to_keep_it_stays_the_reason(self) -> None:
        program = (
            f"{RAW}config = tf.ConfigProto()\nconfig.graph_options.timeline_step = 3"
            "  # tfgpu: ignore[TFG5]\nsess = tf.Session(config=config)\n"
        )
        result = analysed(program)
        assert [item.kept_by for item in result.configs] == ["TFG521"]
        assert names(result) == ["session-config"]

    def test_a_keras_session_that_is_ignored_keeps_its_config(self) -> None:
        program = source("""
            import tensorflow as tf
            from keras import backend as K
            config = tf.ConfigProto(allow_soft_placement=True)
            sess = tf.Session(config=config)
            K.set_session(sess){}
        """)
        assert migrated(program.format("")) != program.format("")
        check_noop(program.format("  # tfgpu: ignore[keras-set-session]"))

    def test_settings_that_would_move_stay_where_that_is_ignored(self) -> None:
        program = source("""
            import tensorflow as tf
            def batches():
                return tf.data.Dataset.range(8).map(lambda x: x + 1)
            data = batches(){}
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            sess = tf.Session(config=config)
        """)
        assert "runtime-first" in names(analysed(program.format("")))
        ignored = program.format("  # tfgpu: ignore[runtime-first]")
        check_noop(ignored)
        result = analysed(ignored)
        assert [item.kept_by for item in result.configs] == ["TFX004"]
        assert not {"runtime-first", "ignore-unused"} & set(names(result))

    def test_a_query_stays(self) -> None:
        body = "a = tf.test.is_gpu_available(){}\nb = tf.test.is_gpu_available()\n"
        program = "import tensorflow.compat.v2 as tf\n" + body.format("  # tfgpu: ignore[TFG701]")
        assert migrated(program, UNSAFE).count("is_gpu_available()") == 1

    @pytest.mark.parametrize(
        ("program", "options"),
        [
            ("for _ in x:\n    tf.test.is_gpu_available()  # tfgpu: ignore[TFG701]\n", UNSAFE),
            ("for _ in x:\n    tf.test.is_gpu_available()\n",
             Options(unsafe_fixes=True, ignore=("is-gpu-available",))),
        ],
    )  # fmt: skip
    def test_a_query_that_stays_keeps_a_config_that_it_would_show(
        self, program: str, options: Options
    ) -> None:
        program = (
            RAW
            + ("config = tf.ConfigProto()\nconfig.gpu_options.visible_device_list = '0'\n")
            + program
            + "sess = tf.Session(config=config)\n"
        )
        check_noop(program, options)
        assert [item.kept_by for item in analysed(program, options).configs] == ["TFG917"]

    def test_an_old_name_stays(self) -> None:
        name = "tf.config.experimental.list_physical_devices('GPU')"
        program = f"{RAW}a = {name}  # tfgpu: ignore[stable-names]\nb = {name}\n"
        assert migrated(program).count("experimental") == 1
        check_noop(f"{RAW}a = {name}\n", Options(ignore=("stable-names",)))

    @pytest.mark.parametrize("rule", ["unknown-name", "TFH"])
    def test_a_misspelt_name_stays(self, rule: str) -> None:
        program = f"{RAW}a = tf.config.list_physical_device('GPU')"
        assert migrated(program + "\n", UNSAFE) != program + "\n"
        check_noop(f"{program}{IGNORE.format(rule)}\n", UNSAFE)
        check_noop(program + "\n", Options(unsafe_fixes=True, ignore=(rule,)))

    def test_a_call_of_a_beta_stays_with_all_of_them(self) -> None:
        check_noop(
            f"{RAW}tf.config.gpu.set_per_process_memory_growth(True)  # tfgpu: ignore[TFG802]\n"
        )

    def test_comments_are_kept_where_the_file_is_migrated(self) -> None:
        check_body(
            """
            a = tf.test.is_gpu_available()  # tfgpu: ignore[is-gpu-available] asked early
            sess = tf.Session(config=tf.ConfigProto(log_device_placement=True))
            """,
            """
            a = tf.test.is_gpu_available()  # tfgpu: ignore[is-gpu-available] asked early
            tf.debugging.set_log_device_placement(True)
            sess = tf.Session()
            """,
        )
