"""What calls of tf.config need: the keys of the rules, against runs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.theory.conftest import Run
from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.model import Emit, SettingRule, SinkRule

Runner = Callable[..., Run]

# The code of each field, with a value that changes something, in the names of both versions.
CALLS = {
    "gpu_options.allow_growth": "grow(True)",
    "gpu_options.per_process_gpu_memory_fraction": "logical(gpus()[0], 2048)",
    "gpu_options.visible_device_list": "vis(gpus()[:1])",
    "gpu_options.experimental.virtual_devices": "logical(gpus()[0], 2048, 1024)",
    "device_count.GPU": "vis([])",
    "device_count.CPU": "logical(cpu(), None, None)",
    "allow_soft_placement": "tf.config.set_soft_device_placement(True)",
    "log_device_placement": "tf.debugging.set_log_device_placement(True)",
    "intra_op_parallelism_threads": "tf.config.threading.set_intra_op_parallelism_threads(3)",
    "inter_op_parallelism_threads": "tf.config.threading.set_inter_op_parallelism_threads(3)",
    "graph_options.optimizer_options.global_jit_level": "tf.config.optimizer.set_jit(True)",
    "graph_options.rewrite_options.constant_folding": (
        "tf.config.optimizer.set_experimental_options({'constant_folding': False})"
    ),
    "graph_options.rewrite_options.disable_meta_optimizer": (
        "tf.config.optimizer.set_experimental_options({'disable_meta_optimizer': True})"
    ),
    "graph_options.rewrite_options.min_graph_nodes": (
        "tf.config.optimizer.set_experimental_options({'min_graph_nodes': -1})"
    ),
    "experimental.enable_mlir_bridge": "tf.config.experimental.enable_mlir_bridge()",
    "experimental.mlir_bridge_rollout": "tf.config.experimental.disable_mlir_bridge()",
}


def rule(field: str) -> SettingRule:
    """Return the rule of a field that stands alone."""
    found = load_rulebook().rule_for(field, frozenset())
    assert found is not None
    return found


def code(field: str) -> list[Emit]:
    """Return what the cases of a rule emit."""
    return [case.emit for case in rule(field).cases if case.emit is not None]


def test_every_rule_that_emits_calls_is_measured() -> None:
    rules = [one for one in load_rulebook().rules if isinstance(one, SettingRule)]
    emits = [
        one
        for one in rules
        if any(case.emit is not None and not case.emit.environment for case in one.cases)
    ]
    assert {one.code for one in emits} == {rule(field).code for field in CALLS}


@pytest.mark.parametrize("field", CALLS)
def test_what_raises_after_the_eager_context(new: Runner, field: str) -> None:
    run = new(f'eager_context()\nnote("call", tried(lambda: {CALLS[field]}))')
    assert run.facts == {"call": "RuntimeError" if rule(field).raises_after_eager else "ran"}


@pytest.mark.parametrize("field", CALLS)
def test_same_call_before_and_after_the_eager_context(new: Runner, field: str) -> None:
    run = new(f'{CALLS[field]}\neager_context()\nnote("call", tried(lambda: {CALLS[field]}))')
    assert run.facts == {"call": "ran"}


DEFAULTS = {
    "vis(gpus())": "ran",
    "grow(False)": "RuntimeError",
    "tf.config.threading.set_inter_op_parallelism_threads(0)": "RuntimeError",
    "tf.config.threading.set_intra_op_parallelism_threads(0)": "RuntimeError",
}


@pytest.mark.parametrize("call", DEFAULTS)
def test_defaults_after_the_eager_context(new: Runner, call: str) -> None:
    run = new(f'eager_context()\nnote("call", tried(lambda: {call}))')
    again = new(f'{call}\neager_context()\nnote("call", tried(lambda: {call}))')
    assert run.facts == {"call": DEFAULTS[call]}
    assert again.facts == {"call": "ran"}


@pytest.mark.parametrize("field", CALLS)
def test_what_initialises_cuda(new: Runner, field: str) -> None:
    run = new(
        f"""
{CALLS[field]}
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
from tensorflow.python.client import device_lib
physical = len(gpus())
note("cuda", physical == 2)
"""
    )
    assert run.facts == {"cuda": any(emit.lists_gpus for emit in code(field))}


@pytest.mark.parametrize("call", CALLS.values())
def test_calls_after_a_session_do_not_raise(new: Runner, call: str) -> None:
    assert new(f'touch(tf.Session())\nnote("call", tried(lambda: {call}))').facts == {"call": "ran"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("logical(gpus()[0], 2048)", "logical(gpus()[0], 1024)"),
        ("logical(gpus()[0], 2048)", "logical(gpus()[0], 1024, 512)"),
        ("grow(False)", "grow(True)"),
        ("grow(True)", "grow(False)"),
        ("vis([])", "vis(gpus()[:1])"),
        ("vis(gpus()[0])", "vis(gpus())"),
    ],
)
@pytest.mark.parametrize("between", ["", "tf.Session()"])
def test_two_values_without_an_eager_context(
    new: Runner, first: str, second: str, between: str
) -> None:
    run = new(f'{first}\n{between}\nnote("call", tried(lambda: {second}))')
    assert run.facts == {"call": "ran"}


@pytest.mark.parametrize("field", CALLS)
def test_calls_have_a_form_for_tensorflow_1(tf1: Runner, field: str) -> None:
    run = tf1(f'note("call", tried(lambda: {CALLS[field]}))')
    bridge = all(case.no_bridge is None for case in rule(field).cases)
    assert run.facts == {"call": "ran" if bridge else "AttributeError"}


BRIDGE = {
    "growth": ("allow_growth=True", "grow(True)"),
    "fraction": (
        "per_process_gpu_memory_fraction=0.25",
        "logical(gpus()[0], 1024)\nlogical(gpus()[1], 512)",
    ),
    "virtual": (
        "virtual=[[2048, 1024], [512]]",
        "logical(gpus()[0], 2048, 1024)\nlogical(gpus()[1], 512)",
    ),
    "list": ("visible_device_list='1'", "vis(gpus()[1])"),
    "count": ("device_count={'GPU': 1}", "vis(gpus()[:1])"),
    "none": ("device_count={'GPU': 0}", "vis([])"),
    "soft": ("allow_soft_placement=True", "tf.config.set_soft_device_placement(True)"),
}


@pytest.mark.parametrize("name", BRIDGE)
def test_bridge_runs_on_tensorflow_1_as_the_config(tf1: Runner, name: str) -> None:
    fields, calls = BRIDGE[name]
    use = '\nnote("shown", shown(s))\ntouch(s)\nnote("soft", soft(s))\n'
    before = tf1(f"s = tf.Session(config=config({fields}))" + use)
    after = tf1(f"{calls}\ns = tf.Session()" + use)
    assert (before.facts, before.took, before.error) == (after.facts, after.took, "")
    if name == "soft":
        put_back = tf1(
            f"{calls}\ns = tf.Session()\ntf.config.set_soft_device_placement(None)\n"
            'note("soft", soft(tf.Session()))'
        )
        assert put_back.facts == {"soft": False}


def written_names() -> list[str]:
    """Return the names that rules write, in the spelling of TensorFlow 1.15."""
    book = load_rulebook()
    texts = ["tf.config.set_visible_devices tf.config.optimizer.set_experimental_options"]
    for one in book.rules:
        if isinstance(one, SettingRule):
            cases = [case for case in one.cases if case.no_bridge is None]
            emits = [case.emit for case in cases]
            emits += [one.put_back_of(case).emit for case in cases]
            emits.append(one.tf1_default)
            texts += [text for emit in emits if emit is not None for text in emit.texts()]
            texts += [helper.code for helper in one.helpers]
    names = {name.rstrip(".") for text in texts for name in re.findall(r"\btf\.[\w.]+", text)}
    return sorted(book.spelling(name, (1, 15)) for name in names)


def test_names_that_rules_write_are_in_both_versions(old: Runner) -> None:
    run = old(
        f"""
def there(name):
    found = tf
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    return found is not None
note("missing", [name for name in {written_names()!r} if not there(name)])
"""
    )
    assert run.facts == {"missing": []}


MAKERS = {
    "tf.Session": "tf.Session()",
    "tf.InteractiveSession": "tf.InteractiveSession()",
    "tf.train.MonitoredTrainingSession": "tf.train.MonitoredTrainingSession()",
    "tf.train.SingularMonitoredSession": "tf.train.SingularMonitoredSession()",
    "tf.train.MonitoredSession": "tf.train.MonitoredSession(tf.train.ChiefSessionCreator())",
    "tf.train.Supervisor.managed_session": (
        "tf.train.Supervisor(logdir=None).managed_session().__enter__()"
    ),
    "tf.train.Supervisor.prepare_or_wait_for_session": (
        "tf.train.Supervisor(logdir=None).prepare_or_wait_for_session()"
    ),
    "tf.train.SessionManager.prepare_session": (
        "tf.train.SessionManager().prepare_session('', init_op=tf.global_variables_initializer())"
    ),
    "tf.train.SessionManager.recover_session": "tf.train.SessionManager().recover_session('')",
}


@pytest.mark.parametrize("name", MAKERS)
def test_which_sessions_make_the_eager_context(new: Runner, name: str) -> None:
    rules = [one for one in load_rulebook().rules if isinstance(one, SinkRule)]
    said = any(name in one.makes_eager_context for one in rules)
    run = new(
        f'tf.train.get_or_create_global_step()\n{MAKERS[name]}\nnote("eager", has_eager_context())'
    )
    assert run.facts == {"eager": said}
