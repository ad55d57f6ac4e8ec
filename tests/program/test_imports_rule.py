"""The switch of imports as a rule: asked for without conversions, and ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.report.next import after_migrate
from tfgpu.report.summary import Summary
from tfgpu.results import Result
from tfgpu.run import run

FILES = {
    "main.py": "import tensorflow as tf\nimport model\n\nsess = tf.Session(config={})\n",
    "model.py": "import tensorflow as tf\n\nx = tf.placeholder(tf.float32)\n",
    "names.py": "import tensorflow as tf\n\nX = tf.constant(1)\n",
}
KEPT = "tf.ConfigProto(operation_timeout_in_ms=6)"
CONVERTED = "tf.ConfigProto(allow_soft_placement=True)"


def migrated(folder: Path, config: str, options: Options) -> dict[str, Result]:
    for name, text in FILES.items():
        (folder / name).write_text(text.format(config))
    found = run([str(folder)], Job(options, rewrite=True), jobs=1)
    return {Path(result.path).name: result for result in found}


def notes(result: Result) -> list[tuple[int, str]]:
    return [(item.line, item.fix) for item in result.findings if item.code == "TFG805"]


def test_on_request_the_whole_program_is_switched_without_a_conversion(tmp_path: Path) -> None:
    found = migrated(tmp_path, KEPT, Options(imports=True))
    texts = {name: result.new_text or "" for name, result in found.items()}
    assert texts["main.py"].startswith(
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nimport model\n"
    )
    assert texts["model.py"].startswith("import tensorflow.compat.v1 as tf\n\nx =")
    assert texts["names.py"] == ""
    assert found["names.py"].findings == []
    assert notes(found["main.py"]) == notes(found["model.py"]) == [(1, "safe")]
    assert "import tensorflow as tf" in found["main.py"].findings[0].message


def test_a_script_that_others_import_is_in_graph_mode_by_itself(tmp_path: Path) -> None:
    script = "import tensorflow as tf\n\ndata = tf.data.Dataset.range(3)\nprint(data)\n"
    (tmp_path / "evaluate.py").write_text(script)
    (tmp_path / "main.py").write_text(
        f"import tensorflow as tf\nimport evaluate\n\nsess = tf.Session(config={CONVERTED})\n"
    )
    found = run([str(tmp_path)], Job(Options(), rewrite=True), jobs=1)
    texts = {Path(result.path).name: result.new_text or "" for result in found}
    switched = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
    assert texts["main.py"].startswith(switched)
    assert texts["evaluate.py"].startswith(switched)


def test_graph_mode_is_on_before_an_import_that_calls_its_own_code(tmp_path: Path) -> None:
    (tmp_path / "steps.py").write_text(
        "import tensorflow as tf\n\ndef step():\n    return tf.Session()\n\nstep()\n"
    )
    (tmp_path / "main.py").write_text(
        f"import steps\nimport tensorflow as tf\n\nsess = tf.Session(config={CONVERTED})\n"
    )
    found = run([str(tmp_path)], Job(Options(unsafe_fixes=True), rewrite=True), jobs=1)
    texts = {Path(result.path).name: result.new_text or "" for result in found}
    switched = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
    assert texts["steps.py"].startswith(switched)


@pytest.mark.parametrize(
    "first",
    [
        "try:\n    import fast\nexcept ImportError:\n    import net\n",
        "import sys\n\nif sys.argv:\n    import net\n",
        'net = __import__("net")\n',
    ],
)
def test_a_module_that_another_statement_imports_turns_graph_mode_on(
    tmp_path: Path, first: str
) -> None:
    (tmp_path / "net.py").write_text("import tensorflow as tf\n\nX = (lambda: tf.constant(1))()\n")
    (tmp_path / "main.py").write_text(
        f"{first}import tensorflow as tf\n\nsess = tf.Session(config={CONVERTED})\n"
    )
    found = run([str(tmp_path)], Job(Options(unsafe_fixes=True), rewrite=True), jobs=1)
    texts = {Path(result.path).name: result.new_text or "" for result in found}
    off = "disable_v2_behavior()\n"
    assert texts["net.py"].startswith(f"import tensorflow as tf\ntf.compat.v1.{off}")
    assert texts["main.py"].startswith(f"{first}import tensorflow.compat.v1 as tf\ntf.{off}")


def test_where_nothing_is_converted_nothing_is_written(tmp_path: Path) -> None:
    found = migrated(tmp_path, KEPT, Options())
    assert not any(result.changes or notes(result) for result in found.values())


@pytest.mark.parametrize("ignore", ["compat-v1-imports", "TFG805"])
def test_a_rule_that_is_ignored_leaves_the_imports_of_all_files(
    tmp_path: Path, ignore: str
) -> None:
    found = migrated(tmp_path, CONVERTED, Options(ignore=(ignore,)))
    assert "import tensorflow as tf\n" in (found["main.py"].new_text or "")
    assert not found["model.py"].changes
    assert found["main.py"].new_text == (
        migrated(tmp_path, CONVERTED, Options(keep_imports=True))["main.py"].new_text
    )


def test_nothing_is_said_of_a_switch_that_belongs_to_a_conversion(tmp_path: Path) -> None:
    found = migrated(tmp_path, CONVERTED, Options())
    assert found["model.py"].changes
    assert not any(notes(result) for result in found.values())


def test_what_keeps_the_imports_of_a_program_is_said_where_it_stands(tmp_path: Path) -> None:
    main = "import importlib\nimport tensorflow as tf\n\nnet = importlib.import_module(name)\n"
    (tmp_path / "main.py").write_text(f"{main}tf.Session(config={CONVERTED})\n")

    def told(options: Options) -> list[tuple[int, str]]:
        found = run([str(tmp_path)], Job(options, rewrite=True), jobs=1)
        findings = [item for result in found for item in result.findings]
        return [(item.line, item.message) for item in findings if item.code == "TFG806"]

    ((line, message),) = told(Options(imports=True))
    assert line == 4
    assert "`importlib.import_module(name)`" in message
    assert told(Options()) == [(line, message)]  # The program goes on with TensorFlow 1.


TRAIN = """import tensorflow as tf
import model

model.open_session(tf.ConfigProto(allow_soft_placement=True))
"""
MODEL = """import tensorflow as tf


def open_session(config=None):
    return tf.Session(config=config)
"""
UNCLEAR = [
    "import tensorflow as tf\nimport model\nprint(tf.add(1, 2))\n",
    "import tensorflow as tf\nimport model\nprint(tf.executing_eagerly())\n",
    "from tensorflow import executing_eagerly\nimport model\nprint(executing_eagerly())\n",
    "import tensorflow as tf\nimport model\nasks = tf.executing_eagerly\nprint(asks())\n",
]


@pytest.mark.parametrize("script", UNCLEAR)
def test_a_script_that_may_be_of_either_version_stays_and_is_told_of(
    tmp_path: Path, script: str
) -> None:
    for name, text in (("train.py", TRAIN), ("model.py", MODEL), ("evaluate.py", script)):
        (tmp_path / name).write_text(text)
    found = {
        Path(result.path).name: result
        for result in run([str(tmp_path)], Job(Options(), rewrite=True), jobs=1)
    }
    assert [name for name in found if found[name].changes] == ["model.py", "train.py"]
    (told,) = (item for item in found["evaluate.py"].findings if item.code == "TFG806")
    assert f"it shares `{tmp_path / 'model.py'}` with a program that is" in told.message


@pytest.mark.parametrize(
    "script",
    [
        "import tensorflow as tf\nimport model\nmodel.open_session()\nprint(tf.add(1, 2))\n",
        "import tensorflow as tf\nimport model\nwith tf.GradientTape():\n    print(tf.add(1, 2))\n",
    ],
    ids=["of TensorFlow 1", "of TensorFlow 2"],
)
def test_nothing_is_told_of_a_script_whose_version_is_known(tmp_path: Path, script: str) -> None:
    for name, text in (("train.py", TRAIN), ("model.py", MODEL), ("evaluate.py", script)):
        (tmp_path / name).write_text(text)
    found = run([str(tmp_path)], Job(Options(), rewrite=True), jobs=1)
    assert "TFG806" not in [item.code for result in found for item in result.findings]


HELPER = """import tensorflow as tf

def names():
    return tf.config.experimental.list_physical_devices("GPU")
"""
BRIDGED = """import tensorflow as tf
from tensorflow.contrib import slim
import helper

print(helper.names(), slim)
with tf.Session() as sess:
    pass
"""


def test_names_of_1_15_stay_in_every_file_of_a_program_of_tensorflow_1(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(BRIDGED)
    found = run([str(tmp_path)], Job(Options(), rewrite=True), jobs=1)
    assert [result.new_text for result in found] == [None, None]
    assert "TFG801" not in [item.code for result in found for item in result.findings]


def test_names_of_a_program_that_is_switched_become_stable_in_the_same_run(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "main.py").write_text(FILES["main.py"].format(CONVERTED) + "import helper\n")
    (tmp_path / "model.py").write_text(FILES["model.py"])
    for _ in range(2):
        found = list(run([str(tmp_path)], Job(Options(), rewrite=True), jobs=1))
        for result in found:
            if result.new_text is not None:
                Path(result.path).write_text(result.new_text)
    assert [result.new_text for result in found] == [None, None, None]
    assert "tf.config.list_physical_devices" in (tmp_path / "helper.py").read_text()


TIMED = """import tensorflow as tf

def timed():
    config = tf.ConfigProto(operation_timeout_in_ms=6)
    config.{setting}
    return config
"""
MONITORED = "tf.train.MonitoredTrainingSession({scaffold}config=config.timed())"
MAPPED = "tf.data.Dataset.range(3).map(abs)"


@pytest.mark.parametrize(
    ("setting", "code", "start"),
    [
        ("gpu_options.allow_growth = True", MONITORED, "tf.train.MonitoredTrainingSession"),
        ("gpu_options.allow_growth = bool(_)", MONITORED, "tf.train.MonitoredTrainingSession"),
        ("gpu_options.visible_device_list = '1'", MONITORED, "tf.train.MonitoredTrainingSession"),
        ("intra_op_parallelism_threads = 3", MONITORED, "tf.train.MonitoredTrainingSession"),
        ("gpu_options.allow_growth = True", f"{MAPPED}\ntf.Session(config=config.timed())", ".map"),
        ("gpu_options.allow_growth = False", MONITORED, ""),
        ("gpu_options.visible_device_list = '0'", MONITORED, ""),
        ("inter_op_parallelism_threads = 3", MONITORED, ""),
        ("device_count['GPU'] = 1", MONITORED, ""),
        ("gpu_options.allow_growth = True", f"tf.Session(config=config.timed())\n{MAPPED}", ""),
    ],
)
def test_a_kept_config_that_tensorflow_2_would_ignore_keeps_the_imports(
    setting: str, code: str, start: str, tmp_path: Path
) -> None:
    (tmp_path / "config.py").write_text(TIMED.format(setting=setting))
    script = "import tensorflow as tf\nimport config\n" + code.format(scaffold="")
    (tmp_path / "main.py").write_text(f"{script}\n")
    results = list(run([str(tmp_path)], Job(Options(imports=True), rewrite=True), jobs=1))
    found = {Path(result.path).name: result for result in results}
    told = [item for item in found["main.py"].findings if item.code == "TFG807"]
    assert [item.new_text is None for item in results] == [bool(start)] * 2
    assert [(item.line, f"{start}`" in item.message) for item in told] == [(3, True)] * bool(start)
    assert all("config.py:4" in item.message for item in told)
    summary = Summary()
    for result in results:
        summary.add(result)
    assert summary.configs_losing == bool(start)
    said = " ".join(map(str, after_migrate(summary, (), (), 0, False)))
    assert ("TFG807" in said) == bool(start) == ("tf.compat.v1.ConfigProto" not in said)


@pytest.mark.parametrize(
    ("stand_in", "is_switched"),
    [
        ("tensorflow.py", False),
        ("tensorflow/__init__.py", False),
        ("tests/tensorflow/session.py", True),
    ],
)
def test_a_file_that_is_named_like_tensorflow_is_not_it(
    stand_in: str, is_switched: bool, tmp_path: Path
) -> None:
    (tmp_path / "main.py").write_text("import tensorflow as tf\ntf.Session().run(tf.ones(()))\n")
    path = tmp_path / stand_in
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("def ones(shape): ...\nclass Session: ...\n")
    results = list(run([str(tmp_path)], Job(Options(imports=True), rewrite=True), jobs=1))
    assert any(item.new_text is not None for item in results) == is_switched


@pytest.mark.parametrize(
    ("saver", "is_switched"),
    [
        ("saver=tf.train.Saver()", True),
        ("None, None, None, None, None, None, None, tf.train.Saver(max_to_keep=2)", True),
        ("saver=tf.train.Saver(sharded=True)", False),
        ("saver=tf.train.Saver(**options)", False),
        ("saver=made()", False),
        ("**options", False),
        ("init_fn=made", False),
    ],
)
def test_a_monitored_session_with_a_saver_of_its_own_makes_no_gpus_first(
    saver: str, is_switched: bool, tmp_path: Path
) -> None:
    (tmp_path / "config.py").write_text(TIMED.format(setting="gpu_options.allow_growth = True"))
    code = MONITORED.format(scaffold="scaffold=scaffold, ")
    (tmp_path / "main.py").write_text(
        f"import tensorflow as tf\nimport config\nscaffold = tf.train.Scaffold({saver})\n{code}\n"
    )
    results = list(run([str(tmp_path)], Job(Options(imports=True), rewrite=True), jobs=1))
    assert [item.new_text is not None for item in results] == [is_switched] * 2


@pytest.mark.parametrize(
    "code",
    [
        "make = tf.train.SingularMonitoredSession if _ else tf.train.MonitoredTrainingSession\n"
        "make(config=config.timed())",
        "def made():\n    return tf.train.ChiefSessionCreator(config=config.timed())\n"
        "tf.train.MonitoredSession(made())",
        "import functools\n"
        "functools.partial(tf.train.MonitoredTrainingSession, config=config.timed())()",
        "class Own(tf.train.SingularMonitoredSession):\n    pass\n\nOwn(config=config.timed())",
    ],
)
def test_a_kept_config_may_be_given_to_any_monitored_session(code: str, tmp_path: Path) -> None:
    (tmp_path / "config.py").write_text(TIMED.format(setting="gpu_options.allow_growth = True"))
    (tmp_path / "main.py").write_text(f"import tensorflow as tf\nimport config\n{code}\n")
    results = list(run([str(tmp_path)], Job(Options(imports=True), rewrite=True), jobs=1))
    assert [item.new_text for item in results] == [None, None]
    assert [item.code for result in results for item in result.findings].count("TFG807") == 1


@pytest.mark.parametrize(
    ("head", "is_told"),
    [
        ("import tensorflow\nimport tensorflow.python.client\ntf = tensorflow\n", True),
        ("import tensorflow as tf\n", False),
        ("import tensorflow.compat.v1 as tf\nimport tensorflow.python.client\n", False),
    ],
)
def test_what_leaves_a_converted_program_with_tensorflow_1_is_told(
    tmp_path: Path, head: str, is_told: bool
) -> None:
    (tmp_path / "main.py").write_text(f"{head}sess = tf.Session(config={CONVERTED})\n")
    (found,) = run([str(tmp_path)], Job(Options(), rewrite=True), jobs=1)
    assert found.changes
    told = [item.line for item in found.findings if item.name == "imports-stay"]
    assert told == ([2] if is_told else [])
