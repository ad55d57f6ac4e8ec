"""Programs of several files: what passes between them, and what is decided for all of them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.results import Result
from tfgpu.run import run

HELPER = """
    import tensorflow as tf

    def get_config(growth=True):
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = growth
        return config
"""
HELPER_AFTER = """
    import tensorflow as tf

    def get_config(growth=True):
        tf.config.set_soft_device_placement(True)
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, growth)
"""
KEPT = """
    import tensorflow as tf

    def odd():
        return tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=60000))
"""
GROWTH = """
    import tensorflow as tf

    def make():
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        return tf.Session(config=config)
"""


def results(
    folder: Path, files: dict[str, str], per_file: bool = False, keep_imports: bool = False
) -> dict[str, Result]:
    """Write files into a folder, migrate them, and return what came of each."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"))
    job = Job(Options(keep_imports=keep_imports), rewrite=True, per_file=per_file)
    found = list(run([str(folder)], job, jobs=1))
    assert [result.reason for result in found] == [None] * len(found)
    return {str(Path(result.path).relative_to(folder)): result for result in found}


def check(folder: Path, files: dict[str, tuple[str, str]]) -> None:
    """Check what files become together, and that nothing changes after that."""
    found = results(folder, {name: before for name, (before, _) in files.items()})
    for name, (before, after) in files.items():
        text = found[name].new_text
        assert (dedent(before).lstrip("\n") if text is None else text) == (
            dedent(after).lstrip("\n")
        )
    again = results(folder, {name: after for name, (_, after) in files.items()})
    assert not [name for name, result in again.items() if result.changes]


class TestHelpersOfOtherFiles:
    @pytest.mark.parametrize(
        ("helper", "statement", "call"),
        [
            ("util.py", "from util import get_config", "get_config(False)"),
            ("util.py", "from util import get_config as configure", "configure(False)"),
            ("util.py", "import util", "util.get_config(False)"),
            ("tools/util.py", "from tools import util", "util.get_config(False)"),
            ("tools/util.py", "import tools.util", "tools.util.get_config(False)"),
            ("tools/util.py", "import tools.util as u", "u.get_config(False)"),
            ("tools/util.py", "from tools.util import get_config", "get_config(False)"),
        ],
    )
    def test_the_helper_configures_and_its_callers_call_it(
        self, tmp_path: Path, helper: str, statement: str, call: str
    ) -> None:
        user = f"import tensorflow as tf\n{statement}\n\nsess = tf.Session(config={call})\n"
        after = (
            f"import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n{statement}\n\n"
            f"{call}\nsess = tf.Session()\n"
        )
        check(tmp_path, {helper: (HELPER, HELPER_AFTER), "main.py": (user, after)})

    def test_names_in_parentheses(self, tmp_path: Path) -> None:
        head = "from util import (\n    get_config,  # the options\n)\n"
        user = f"import tensorflow as tf\n{head}\nsess = tf.Session(config=get_config())\n"
        after = (
            f"import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n{head}\n"
            "get_config()\nsess = tf.Session()\n"
        )
        check(tmp_path, {"util.py": (HELPER, HELPER_AFTER), "main.py": (user, after)})

    def test_the_nearest_of_two_packages_of_one_name(self, tmp_path: Path) -> None:
        other = "def get_config():\n    return {}\n"
        user = "import tensorflow as tf\nfrom pkg.util import get_config\n\n"
        after = (
            "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
            "from pkg.util import get_config\n\nget_config()\nsess = tf.Session()\n"
        )
        check(
            tmp_path,
            {
                "one/src/pkg/__init__.py": ("", ""),
                "one/src/pkg/util.py": (other, other),
                "two/src/pkg/__init__.py": ("", ""),
                "two/src/pkg/util.py": (HELPER, HELPER_AFTER),
                "two/tests/main.py": (f"{user}sess = tf.Session(config=get_config())\n", after),
            },
        )

    def test_a_star_import_brings_the_same_tensorflow(self, tmp_path: Path) -> None:
        user = """
            import tensorflow as tf
            from util import *

            x = tf.placeholder(tf.float32)
            sess = tf.Session(config=get_config())
        """
        found = results(tmp_path, {"util.py": HELPER, "main.py": user})
        for name in ("util.py", "main.py"):
            text = found[name].new_text
            assert text is not None
            assert text.startswith("import tensorflow.compat.v1 as tf\n")
            assert ("tf.disable_v2_behavior()" in text) is (name == "main.py")

    def test_relative_imports(self, tmp_path: Path) -> None:
        user = """
            import tensorflow as tf
            from ..util import get_config

            def train():
                with tf.Session(config=get_config()) as sess:
                    sess.run([])
        """
        after = """
            import tensorflow.compat.v1 as tf
            tf.disable_v2_behavior()
            from ..util import get_config

            def train():
                get_config()
                with tf.Session() as sess:
                    sess.run([])
        """
        check(
            tmp_path,
            {"pkg/util.py": (HELPER, HELPER_AFTER), "pkg/train/loop.py": (user, after)},
        )

    def test_a_helper_behind_a_helper(self, tmp_path: Path) -> None:
        middle = """
            from util import get_config

            def config_of(flags):
                return get_config(flags.growth)
        """
        middle_after = """
            from util import get_config

            def config_of(flags):
                get_config(flags.growth)
        """
        user = """
            import tensorflow as tf
            import middle

            def main(flags):
                sess = tf.Session(config=middle.config_of(flags))
        """
        after = """
            import tensorflow.compat.v1 as tf
            tf.disable_v2_behavior()
            import middle

            def main(flags):
                middle.config_of(flags)
                sess = tf.Session()
        """
        check(
            tmp_path,
            {
                "util.py": (HELPER, HELPER_AFTER),
                "middle.py": (middle, middle_after),
                "main.py": (user, after),
            },
        )

    def test_one_use_that_is_not_a_call_keeps_all(self, tmp_path: Path) -> None:
        user = (
            "import tensorflow as tf\nimport util\n\nsess = tf.Session(config=util.get_config())\n"
        )
        other = "import util\n\nREGISTRY = {'config': util.get_config}\n"
        found = results(tmp_path, {"util.py": HELPER, "main.py": user, "other.py": other})
        assert not any(result.changes for result in found.values())
        assert [config.kept_by for config in found["util.py"].configs] == ["TFG907"]

    @pytest.mark.parametrize(
        ("user", "reason"),
        [
            ("from util import *\nfrom more import *\n", "TFG907"),
            (
                "try:\n    from more import get_config\n"
                "except ImportError:\n    from util import get_config\n",
                "TFG907",
            ),
            ("import util, more\ndef get_config(): ...\n", "TFG945"),
        ],
    )
    def test_a_call_that_may_be_of_one_of_two_helpers(
        self, user: str, reason: str, tmp_path: Path
    ) -> None:
        start = "import tensorflow as tf\n"
        user = f"{start}{user}sess = tf.Session(config=get_config())\n"
        helper = f"{start}def get_config():\n    return tf.ConfigProto()\n"
        found = results(tmp_path, {"util.py": helper, "more.py": helper, "main.py": user})
        assert not any(result.changes for result in found.values())
        kept = {config.kept_by for result in found.values() for config in result.configs}
        # With the other one, where it is known that the call is not of that.
        assert kept - {"TFG938"} == {reason}

    def test_a_helper_that_is_replaced_from_outside_is_kept(self, tmp_path: Path) -> None:
        user = (
            "import tensorflow as tf\nimport util\n\nsess = tf.Session(config=util.get_config())\n"
        )
        other = "import util\n\nutil.get_config = None\n"
        found = results(tmp_path, {"util.py": HELPER, "main.py": user, "other.py": other})
        assert not any(result.changes for result in found.values())

    def test_the_result_that_another_file_changes_is_kept(self, tmp_path: Path) -> None:
        user = """
            import tensorflow as tf
            from util import get_config

            config = get_config()
            config.operation_timeout_in_ms = 60000
            sess = tf.Session(config=config)
        """
        found = results(tmp_path, {"util.py": HELPER, "main.py": user})
        assert found["util.py"].configs[0].kept_by == "TFG405"
        assert not any(result.changes for result in found.values())


class TestModulesOfTheProject:
    @pytest.mark.parametrize(
        "compat",
        [
            "import tensorflow.compat.v1 as tf\n",
            "import tensorflow\n\ntf = tensorflow.compat.v1\n",
            "try:\n    import tensorflow.compat.v1 as tf\nexcept ImportError:\n    tf = None\n",
            "from inner import tf\n",
        ],
    )
    def test_tensorflow_from_a_module_of_the_project(self, tmp_path: Path, compat: str) -> None:
        user = """
            from compat import tf

            config = tf.ConfigProto(allow_soft_placement=True)
            sess = tf.Session(config=config)
        """
        after = """
            from compat import tf

            tf.config.set_soft_device_placement(True)
            sess = tf.Session()
        """
        inner = "import tensorflow.compat.v1 as tf\n"
        files = {"compat.py": (compat, compat), "main.py": (user, after)}
        check(tmp_path, files | {"inner.py": (inner, inner)})

    def test_a_raw_module_of_the_project_is_switched(self, tmp_path: Path) -> None:
        user = """
            import compat

            sess = compat.tf.Session(config=compat.tf.ConfigProto(allow_soft_placement=True))
        """
        after = """
            import compat
            import tensorflow as tf

            tf.config.set_soft_device_placement(True)
            sess = compat.tf.Session()
        """
        found = results(tmp_path, {"compat.py": "import tensorflow as tf\n", "main.py": user})
        assert found["main.py"].new_text == dedent(after).lstrip("\n")

    @pytest.mark.parametrize(
        ("first", "added", "inside"),
        [
            ("from common import *\n", "import tensorflow as tf2\n", ""),
            ("from common import *\nfrom more import *\n", "", "import tensorflow as tf2\n"),
        ],
    )
    def test_tensorflow_is_not_imported_before_a_star_import_that_prepares_it(
        self, tmp_path: Path, first: str, added: str, inside: str
    ) -> None:
        common = (
            'import os\nos.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"\n'
            "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        )
        user = "config = tf.ConfigProto(allow_soft_placement=True)\ntf.Session(config=config)\n"
        files = {"common.py": common, "more.py": "NAME = 1\n", "main.py": first + user}
        assert results(tmp_path, files)["main.py"].new_text == (
            f"{first}{added}{inside}tf2.config.set_soft_device_placement(True)\ntf.Session()\n"
        )

    @pytest.mark.parametrize(
        ("files", "tf"),
        [
            ({"main.py": "from other import *\n@print(tf)\n", "other.py": "tf = 1\n"}, "tf1"),
            ({"main.py": "@", "other.py": "tf = 1\nfrom main import *\nprint(tf)\n"}, "_tf"),
        ],
        ids=["taken", "given"],
    )
    def test_a_name_that_a_star_import_brings_stays_what_it_is(
        self, tmp_path: Path, files: dict[str, str], tf: str
    ) -> None:
        session = "from tensorflow import Session\nSession()\n"
        for path, text in files.items():
            (tmp_path / path).write_text(text.replace("@", session))
        found = run([str(tmp_path)], Job(Options(imports=True), rewrite=True), jobs=1)
        text = next(item.new_text or "" for item in found if item.path.endswith("main.py"))
        assert f"import tensorflow.compat.v1 as {tf}\n{tf}.disable_v2_behavior()\n" in text

    def test_a_function_that_imports_tensorflow(self, tmp_path: Path) -> None:
        helper = """
            def import_tf():
                import tensorflow.compat.v1 as tf
                return tf
        """
        user = """
            from helper import import_tf

            def main():
                tf = import_tf()
                sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """
        after = """
            from helper import import_tf

            def main():
                tf = import_tf()
                tf.config.set_soft_device_placement(True)
                sess = tf.Session()
        """
        check(tmp_path, {"helper.py": (helper, helper), "main.py": (user, after)})


class TestPrograms:
    MAIN = "import growth\nimport odd\n\ngrowth.make()\nodd.odd()\n"

    def test_a_kept_config_keeps_its_program(self, tmp_path: Path) -> None:
        files = {"main.py": self.MAIN, "growth.py": GROWTH, "odd.py": KEPT}
        found = results(tmp_path, files, keep_imports=True)
        assert not any(result.changes for result in found.values())
        assert [config.kept_by for config in found["growth.py"].configs] == ["TFG938"]
        kept_for = found["growth.py"].kept_for
        assert kept_for is not None
        assert kept_for.place == f"{tmp_path / 'odd.py'}:4"
        assert kept_for.programs == (str(tmp_path / "main.py"),)

    def test_a_file_of_another_program_is_converted(self, tmp_path: Path) -> None:
        files = {"main.py": GROWTH, "other.py": KEPT}
        found = results(tmp_path, files)
        assert found["main.py"].configs[0].kept_by is None

    def test_a_shared_file_ties_two_programs_together(self, tmp_path: Path) -> None:
        files = {
            "one.py": "import growth\nimport odd\n",
            "two.py": "import growth\nimport again\n",
            "growth.py": GROWTH,
            "again.py": GROWTH,
            "odd.py": KEPT,
        }
        found = results(tmp_path, files)
        assert found["again.py"].configs[0].kept_by == "TFG938"

    def test_a_file_that_a_script_of_unknown_version_shares_is_done_at_once(
        self, tmp_path: Path
    ) -> None:
        model = "tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])\n"
        files = {
            "main.py": "import growth\n\ngrowth.make()\n",
            "growth.py": dedent(GROWTH) + "\n\ndef scale(x):\n    return 3 * x\n",
            "model.py": f"import growth\nimport tensorflow as tf\n\n{model}growth.scale(1)\n",
        }
        first = results(tmp_path, files)
        assert "tf.config.experimental.list_physical_devices" in (first["growth.py"].new_text or "")
        texts = {name: first[name].new_text or text for name, text in files.items()}
        second = results(tmp_path, texts)
        assert not [name for name, result in second.items() if result.changes]

    def test_per_file_decides_on_each_file(self, tmp_path: Path) -> None:
        files = {"main.py": self.MAIN, "growth.py": GROWTH, "odd.py": KEPT}
        found = results(tmp_path, files, per_file=True)
        assert found["growth.py"].configs[0].kept_by is None
        assert found["odd.py"].configs[0].kept_by is not None

    def test_imports_of_the_whole_program_are_switched(self, tmp_path: Path) -> None:
        model = "import tensorflow as tf\n\nx = tf.placeholder(tf.float32)\n"
        new = "import numpy as np\nimport tensorflow as tf\n\nx = tf.constant(1)\n"
        main = "import growth\nimport model\nimport new\n\ngrowth.make()\n"
        files = {"main.py": main, "growth.py": GROWTH, "model.py": model, "new.py": new}
        files["alone.py"] = model
        found = results(tmp_path, files)
        assert found["model.py"].new_text == (
            "import tensorflow.compat.v1 as tf\n\nx = tf.placeholder(tf.float32)\n"
        )
        # Nothing in it needs TensorFlow 1, or it belongs to no such program.
        assert not found["new.py"].changes
        assert not found["alone.py"].changes
        assert not results(tmp_path, files, keep_imports=True)["model.py"].changes

    def test_a_file_that_a_tensorflow_2_program_runs_too_means_the_same_to_both(
        self, tmp_path: Path
    ) -> None:
        shared = "import tensorflow as tf\n\ndef x():\n    return tf.placeholder(tf.float32)\n"
        old = "import growth\nimport shared\n\ngrowth.make()\n"
        eager = (
            "import tensorflow as tf\nimport shared\n\nwith tf.GradientTape() as tape:\n    pass\n"
        )
        files = {"old.py": old, "growth.py": GROWTH, "shared.py": shared}
        assert results(tmp_path, files)["shared.py"].changes
        found = results(tmp_path, files | {"new.py": eager})
        # disable_v2_behavior() in it would turn eager execution off under new.py.
        assert "disable_v2_behavior" not in (found["shared.py"].new_text or "")
        other = shared + "def y():\n    return tf.nn.dropout(1, 0.9)\n"
        found = results(tmp_path, files | {"new.py": eager, "shared.py": other})
        assert not found["shared.py"].changes
        assert found["growth.py"].changes
        contrib = eager.replace("import shared", "import shared\ntfe = tf.contrib.eager")
        assert results(tmp_path, files | {"new.py": contrib})["shared.py"].changes

    @pytest.mark.parametrize(
        "importer", ["from math import *\nimport seeds\n", "import project.tf.x\nimport seeds\n"]
    )
    def test_a_file_that_hands_no_tensorflow_on_is_not_switched(
        self, tmp_path: Path, importer: str
    ) -> None:
        seeds = "import tensorflow as tf\n\ntf.compat.v1.set_random_seed(1)\n"
        main = f"{importer}import growth\n\ngrowth.make()\n"
        files = {"main.py": main, "growth.py": GROWTH, "seeds.py": seeds}
        files |= dict.fromkeys(["project/__init__.py", "project/tf/__init__.py"], "")
        text = results(tmp_path, files | {"project/tf/x.py": "x = 1\n"})["seeds.py"].new_text
        # It is the first to import TensorFlow, which is all that changes there.
        assert text is not None
        assert text.replace("tf.compat.v1.disable_v2_behavior()\n", "") == seeds

    def test_the_switch_waits_where_the_program_is_kept_for_an_uncertainty(
        self, tmp_path: Path
    ) -> None:
        unsure = "import tensorflow as tf\n\nprint(tf.ConfigProto(allow_soft_placement=True))\n"
        model = "import tensorflow as tf\n\nx = tf.placeholder(tf.float32)\n"
        files = {"main.py": unsure + "import model\nimport growth\n", "model.py": model}
        found = results(tmp_path, files | {"growth.py": GROWTH})
        assert not any(result.changes for result in found.values())

    def test_contrib_is_listed_for_the_whole_program(self, tmp_path: Path) -> None:
        model = """
            import tensorflow as tf
            from tensorflow.contrib import slim

            x = tf.contrib.layers.flatten(tf.placeholder(tf.float32))
        """
        files = {"main.py": "import model\nimport growth\n", "model.py": model}
        found = results(tmp_path, files | {"growth.py": GROWTH})
        (finding,) = found["model.py"].findings
        assert finding.name == "contrib"
        assert "slim, layers.flatten" in finding.message


class TestProperties:
    SETTINGS = """
        import tensorflow as tf

        class Settings:
            @property
            def config(self):
                return tf.ConfigProto(allow_soft_placement=True)
    """
    SETTINGS_AFTER = """
        import tensorflow as tf

        class Settings:
            def config(self):
                tf.config.set_soft_device_placement(True)
    """
    MAIN = """
        import tensorflow as tf
        import settings

        def main():
            it = settings.Settings()
            return tf.Session(config=it.config)
    """
    MAIN_AFTER = """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        import settings

        def main():
            it = settings.Settings()
            it.config()
            return tf.Session()
    """

    def test_of_an_object_of_another_file(self, tmp_path: Path) -> None:
        check(
            tmp_path,
            {
                "settings.py": (self.SETTINGS, self.SETTINGS_AFTER),
                "main.py": (self.MAIN, self.MAIN_AFTER),
            },
        )

    @pytest.mark.parametrize("read", ["it.config", "getattr(it, 'config', None)"])
    def test_that_a_file_without_imports_reads(self, tmp_path: Path, read: str) -> None:
        main = self.MAIN.replace("import settings", "import settings, shown")
        files = {"settings.py": self.SETTINGS, "main.py": main}
        files["shown.py"] = f"def show(it):\n    print({read})\n"
        assert not [name for name, item in results(tmp_path, files).items() if item.changes]


class TestNothingInTensorFlow2:
    """Which rule says that tf.config has nothing for a config, whatever kept it."""

    PASSED = "import odd\nimport tensorflow as tf\n\nconfig = tf.ConfigProto()\nodd.use(config)\n"

    @pytest.mark.parametrize(
        ("text", "kept_by", "none_by"),
        [
            ("tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=6))", "TFG405", "TFG405"),
            ("tf.estimator.RunConfig(session_config=tf.ConfigProto())", "TFG606", "TFG606"),
            ("tf.Session(worker.target, config=tf.ConfigProto())", "TFG922", "TFG922"),
            # It may have one: what happens to it is only not seen.
            ("print(tf.ConfigProto())", "TFG901", None),
            # It stays whatever the call does that is not known.
            (
                "c = tf.ConfigProto()\nlog(c)\ntf.estimator.RunConfig(session_config=c)",
                "TFG606",
                "TFG606",
            ),
            (
                "class Tests(tf.test.TestCase):\n"
                "    def __init__(self, name):\n"
                "        super().__init__(name)\n"
                "        self.config = tf.ConfigProto()\n"
                "    def test_sum(self):\n"
                "        with self.test_session(config=self.config):\n            pass\n",
                "TFG609",
                "TFG609",
            ),
            ("tf.Session(config=tf.ConfigProto(allow_soft_placement=True))", None, None),
        ],
    )
    def test_one_config(
        self, tmp_path: Path, text: str, kept_by: str | None, none_by: str | None
    ) -> None:
        found = results(tmp_path, {"main.py": f"import tensorflow as tf\n\n{text}\n"})
        assert [(item.kept_by, item.none_by) for item in found["main.py"].configs] == [
            (kept_by, none_by)
        ]

    def test_beside_one_that_has_nothing(self, tmp_path: Path) -> None:
        found = results(tmp_path, {"one.py": dedent(GROWTH) + dedent(KEPT)})
        assert [(item.kept_by, item.none_by) for item in found["one.py"].configs] == [
            ("TFG916", None),
            ("TFG405", "TFG405"),
        ]

    @pytest.mark.parametrize("odd", [KEPT, PASSED])
    def test_in_one_program_with_it(self, tmp_path: Path, odd: str) -> None:
        files = {"main.py": TestPrograms.MAIN, "growth.py": GROWTH, "odd.py": odd}
        result = results(tmp_path, files)["growth.py"]
        [config] = result.configs
        assert (config.kept_by, config.none_by) == ("TFG938", None)


def test_a_config_beside_one_that_is_kept_in_another_file_names_that_file(tmp_path: Path) -> None:
    files = {
        "helper.py": """
            import tensorflow as tf

            def config():
                return tf.ConfigProto(operation_timeout_in_ms=60000)
        """,
        "main.py": """
            import tensorflow as tf
            from helper import config

            def main():
                options = tf.GPUOptions(allow_growth=True)
                first = tf.Session(config=tf.ConfigProto(gpu_options=options))
                return first, tf.Session(config=config())
        """,
    }
    found = results(tmp_path, files)["main.py"].findings
    (beside,) = (item.message for item in found if item.name == "program-kept")
    assert "TFG405" in beside
    assert "helper.py:4" in beside
