"""The inventory: every setting with its value, its guards, its sink, and what becomes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import book, source
from tfgpu.engine import Text, analyse_together
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.report.tables import cell_text
from tfgpu.results import Row
from tfgpu.run import run

JOB = Job(Options(), rewrite=False, inventory=True)


def rows(text: str) -> list[Row]:
    """Return the inventory of a program."""
    (result,) = process({"a.py": source(text).encode()}, JOB, book())
    assert result.reason is None
    return result.inventory


def row(text: str) -> Row:
    """Return the only row of a program."""
    (found,) = rows(text)
    return found


class TestConfigs:
    def test_a_setting(self) -> None:
        assert row(
            """
            import tensorflow as tf
            FRACTION = 0.4
            config = tf.ConfigProto()
            config.gpu_options.per_process_gpu_memory_fraction = FRACTION
            sess = tf.Session(config=config)
            """
        ) == Row(
            cell=0, line=4, column=1, kind="config",
            setting="gpu_options.per_process_gpu_memory_fraction", value="FRACTION", constant="0.4",
            guard="", sink="tf.Session", rule="TFG102", convertible="yes", reason="",
        )  # fmt: skip

    def test_a_value_that_only_the_run_tells(self) -> None:
        found = row(
            """
            import tensorflow as tf
            def run(args):
                tf.Session(config=tf.ConfigProto(allow_soft_placement=args.soft))
            """
        )
        assert (found.value, found.constant) == ("args.soft", "")

    def test_an_enum_by_its_name(self) -> None:
        found = row(
            """
            import tensorflow as tf
            options = tf.OptimizerOptions(opt_level=tf.OptimizerOptions.L1)
            graph = tf.GraphOptions(optimizer_options=options)
            tf.Session(config=tf.ConfigProto(graph_options=graph))
            """
        )
        assert (found.value, found.constant) == ("tf.OptimizerOptions.L1", "L1")

    def test_several_sinks_each_once(self) -> None:
        found = row(
            """
            import tensorflow as tf
            config = tf.ConfigProto(allow_soft_placement=True)
            a = tf.Session(config=config)
            b = tf.Session(config=config)
            c = tf.InteractiveSession(config=config)
            """
        )
        assert found.sink == "tf.Session, tf.InteractiveSession"

    def test_a_method_of_an_object_that_is_not_known_by_its_text(self) -> None:
        found = row(
            """
            import tensorflow as tf
            def run(sv):
                config = tf.ConfigProto(allow_soft_placement=True)
                return sv.prepare_or_wait_for_session("", config=config)
            """
        )
        assert found.sink.endswith("prepare_or_wait_for_session")

    def test_all_of_a_kept_config_have_the_reason(self) -> None:
        found = rows(
            """
            import tensorflow as tf
            config = tf.ConfigProto(allow_soft_placement=True, no_such_field=3)
            config.graph_options.timeline_step = 3
            tf.Session(config=config)
            """
        )
        assert [(item.setting, item.rule, item.convertible) for item in found] == [
            ("allow_soft_placement", "TFG301", "no"),
            ("no_such_field", "", "no"),
            ("graph_options.timeline_step", "TFG521", "no"),
        ]
        assert len({item.reason for item in found}) == 1
        assert found[0].reason

    def test_what_needs_unsafe_fixes(self) -> None:
        text = """
            import tensorflow as tf
            config = tf.ConfigProto()
            config.gpu_options.visible_device_list = "1,0"
            tf.Session(config=config)
            """
        safe = row(text)
        assert (safe.convertible, bool(safe.reason)) == ("unsafe", True)
        job = Job(Options(unsafe_fixes=True), rewrite=False, inventory=True)
        (result,) = process({"a.py": source(text).encode()}, job, book())
        (found,) = result.inventory
        assert (found.convertible, found.reason) == ("unsafe", "")

    def test_a_config_without_settings_has_no_rows(self) -> None:
        assert rows("import tensorflow as tf\ntf.Session(config=tf.ConfigProto())\n") == []


class TestGuards:
    def guard(self, body: str) -> str:
        """Return the guard of the one setting in the body of a function."""
        lines = "".join(f"    {line}\n" for line in source(body).splitlines())
        text = (
            f"import tensorflow as tf\n\ndef run(args):\n    config = tf.ConfigProto()\n{lines}"
            "    return tf.Session(config=config)\n"
        )
        return row(text).guard

    @pytest.mark.parametrize(
        ("body", "guard"),
        [
            ("if args.a and (args.b or not args.c):\n    config.X = True",
             "if args.a and (args.b or not args.c)"),
            ("if args.a:\n    pass\nelse:\n    config.X = True", "if not (args.a)"),
            ("if args.a:\n    pass\nelif args.b:\n    config.X = True",
             "if not (args.a); if args.b"),
            ("for i in range(3):\n    config.X = True", "for i in range(3)"),
            ("for i in range(3):\n    pass\nelse:\n    config.X = True", "else of a loop"),
            ("while args.a:\n    config.X = True", "while args.a"),
            ("try:\n    config.X = True\nexcept ValueError:\n    pass", "try"),
            ("try:\n    pass\nexcept (ValueError, KeyError):\n    config.X = True",
             "except (ValueError, KeyError)"),
            ("try:\n    pass\nexcept:\n    config.X = True", "except"),
            ("try:\n    pass\nexcept ValueError:\n    pass\nelse:\n    config.X = True",
             "else of a try"),
            ("try:\n    pass\nfinally:\n    config.X = True", ""),
            ("match args.a:\n    case [1, x] if x:\n        config.X = True", "case [1, x]"),
            ("with tf.Graph().as_default():\n    config.X = True", ""),
        ],
    )  # fmt: skip
    def test_as_it_is_written(self, body: str, guard: str) -> None:
        assert self.guard(body.replace("X", "gpu_options.allow_growth")) == guard

    def test_conditional_expressions(self) -> None:
        found = rows(
            """
            import tensorflow as tf
            def run(a):
                if a.x:
                    soft = tf.ConfigProto(allow_soft_placement=True)
                    log = tf.ConfigProto(log_device_placement=True)
                    return tf.Session(config=soft if a.y else log)
                other = tf.ConfigProto(allow_soft_placement=True) if a.z else None
                return tf.Session(config=other)
            """
        )
        assert "if a.z" in [item.guard for item in found]

    def test_calls_of_tensorflow_2(self) -> None:
        found = row(
            """
            import tensorflow as tf
            def run(gpus, a):
                for gpu in gpus:
                    print(1) if a else tf.config.experimental.set_memory_growth(gpu, True)
            """
        )
        assert found.guard == "for gpu in gpus; if not (a)"

    def test_the_condition_itself_is_not_guarded_by_itself(self) -> None:
        found = row(
            """
            import tensorflow as tf
            if tf.config.set_soft_device_placement(True):
                pass
            """
        )
        assert found.guard == ""


class TestTensorFlow2:
    def test_a_call_with_its_arguments(self) -> None:
        assert row(
            """
            from tensorflow import config
            config.set_visible_devices([], device_type="GPU", **more)
            """
        ) == Row(
            cell=0, line=2, column=1, kind="tf.config", setting="tf.config.set_visible_devices",
            value='[], device_type="GPU", **more', constant="", guard="", sink="", rule="",
            convertible="current", reason="",
        )  # fmt: skip

    def test_older_spellings_and_what_only_asks(self) -> None:
        found = rows(
            """
            import tensorflow as tf
            tf.config.experimental.set_visible_devices([], "GPU")
            tf.config.list_physical_devices("GPU")
            tf.debugging.set_log_device_placement(True)
            other.config.set_visible_devices([])
            """
        )
        assert [item.setting for item in found] == [
            "tf.config.experimental.set_visible_devices",
            "tf.debugging.set_log_device_placement",
        ]

    def test_arguments_that_set_something(self) -> None:
        found = rows(
            """
            import tensorflow as tf
            f = tf.function(g, jit_compile=True)
            @tf.function(experimental_compile=True)
            def h(x):
                return x
            model.compile(loss="mse", jit_compile=False)
            other(jit_compile=True)
            """
        )
        assert [(item.line, item.setting, item.constant) for item in found] == [
            (2, "tf.function(jit_compile)", "True"),
            (3, "tf.function(experimental_compile)", "True"),
            (6, "compile(jit_compile)", "False"),
        ]

    def test_calls_that_no_release_has_any_more(self) -> None:
        text = """
            import tensorflow as tf
            tf.config.gpu.set_per_process_memory_growth(True)
            """
        found = row(text)
        assert (found.kind, found.setting, found.convertible) == (
            "config", "gpu_options.allow_growth", "yes",
        )  # fmt: skip
        assert found.sink == "tf.config.gpu.set_per_process_memory_growth"
        assert (found.value, found.reason) == ("True", "")
        kept = rows(source(text) + "tf.config.gpu.set_per_process_memory_growth(False)\n")
        assert [(item.convertible, item.reason) for item in kept] == [("no", kept[0].rule)] * 2

    def test_calls_that_set_no_field_are_left_out(self) -> None:
        assert rows(
            """
            from keras.utils import multi_gpu_model
            model = multi_gpu_model(model, gpus=2)
            """
        ) == []  # fmt: skip


class TestWhereItIsAskedFor:
    def test_only_then(self) -> None:
        text = "import tensorflow as tf\ntf.config.set_soft_device_placement(True)\n"
        texts, options = {"": Text(text)}, {"": Options()}
        assert analyse_together(texts, book(), options)[""].inventory == []
        asked = analyse_together(texts, book(), options, with_inventory=True)
        assert len(asked[""].inventory) == 1

    def test_files_with_nothing_but_calls_of_tensorflow_2(self, tmp_path: Path) -> None:
        for number, name in enumerate(sorted(book().setters)):
            head = "import keras\n" if name.startswith("keras") else "import tensorflow as tf\n"
            (tmp_path / f"{number:02}.py").write_text(f"{head}{name}(x)\n")
        found = [item.inventory for item in run([str(tmp_path)], JOB, 1)]
        assert [[one.setting for one in item] for item in found] == [
            [name] for name in sorted(book().setters)
        ]

    def test_a_module_that_a_function_takes(self) -> None:
        found = row("def pin(tf, gpu):\n    tf.config.set_visible_devices(gpu, 'GPU')\n")
        assert (found.setting, found.line) == ("tf.config.set_visible_devices", 2)

    def test_the_settings_of_a_config_stand_in_their_own_files(self, tmp_path: Path) -> None:
        (tmp_path / "settings.py").write_text(
            source(
                """
                import tensorflow as tf
                def make():
                    return tf.ConfigProto(allow_soft_placement=True)
                """
            )
        )
        (tmp_path / "main.py").write_text(
            source(
                """
                import tensorflow as tf
                from settings import make
                def main():
                    config = make()
                    config.gpu_options.allow_growth = True
                    return tf.Session(config=config)
                """
            )
        )
        found = {
            Path(item.path).name: [(one.line, one.setting, one.sink) for one in item.inventory]
            for item in run([str(tmp_path)], JOB, 1)
        }
        assert found == {
            "main.py": [(5, "gpu_options.allow_growth", "tf.Session")],
            "settings.py": [(3, "allow_soft_placement", "tf.Session")],
        }

    def test_from_other_processes_too(self, tmp_path: Path) -> None:
        for number in range(30):
            config = "tf.ConfigProto(allow_soft_placement=True)"
            text = f"import tensorflow as tf\ntf.Session(config={config})\n"
            (tmp_path / f"{number:02}.py").write_text(text)
        one, two = ([item.inventory for item in run([str(tmp_path)], JOB, jobs)] for jobs in (1, 2))
        assert one == two
        assert all(len(item) == 1 for item in one)


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("@x", "'@x"),
        ("-x", "'-x"),
        ("-1", "-1"),
        ("0.5", "0.5"),
    ],
)
def test_no_cell_is_a_formula(value: str, cell: str) -> None:
    assert cell_text(value) == cell
