"""The reader of ConfigProto as text beside protobuf's own: what the one refuses the other does."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.tools import book
from tfgpu.texts.meaning import meanings
from tfgpu.texts.prototext import BrokenTextError, config_texts
from tfgpu.texts.schema import MESSAGES, ROOT

_TYPES = {1: "double", 2: "float", 3: "int64", 5: "int32", 8: "bool", 9: "string", 14: "enum"}

TEXTS = [
    "gpu_options { allow_growth: true }",
    "gpu_options: { allow_growth: 1 }",
    "gpu_options { allow_growth: T }",
    "gpu_options { allow_growth: TRUE }",
    "gpu_options { allow_growth: 't' }",
    "gpu_options { allow_growth: 2 }",
    "gpu_options { allow_growth: -1 }",
    "gpu_options { allow_growth: 1.0 }",
    "gpu_options { allow_growth: True, };",
    "gpu_options { allow_growth: true;; }",
    "gpu_options { allow_growth = true }",
    "gpu_options { allow_growth: true allow_growth: true }",
    "gpu_options { allow_growth: true } gpu_options { visible_device_list: '0' }",
    "gpu_options {} gpu_options {}",
    "gpu_options { allow_growth: false allow_growth: true }",
    "gpu_options { allow_growth: true allow_growth: false }",
    "intra_op_parallelism_threads: 0 intra_op_parallelism_threads: 4",
    "gpu_options { allow_growth: [true] }",
    "gpu_options { experimental {} experimental {} }",
    "allow_soft_placement: true gpu_options: 3",
    "allow_soft_placement: true gpu_options: 'allow_growth: true'",
    "gpu_options [{}]",
    "gpu_options { per_process_gpu_memory_fraction: .5 }",
    "gpu_options { per_process_gpu_memory_fraction: 1 }",
    "gpu_options { per_process_gpu_memory_fraction: inf }",
    "gpu_options { per_process_gpu_memory_fraction: -inf }",
    "gpu_options { per_process_gpu_memory_fraction: nan }",
    "gpu_options { per_process_gpu_memory_fraction: '0.5' }",
    "gpu_options { per_process_gpu_memory_fraction: true }",
    "gpu_options { per_process_gpu_memory_fraction: half }",
    "gpu_options { per_process_gpu_memory_fraction: 1/2 }",
    "gpu_options { per_process_gpu_memory_fraction: 0.5F }",
    "gpu_options { per_process_gpu_memory_fraction: 0.5d }",
    "gpu_options { visible_device_list: 0 }",
    "gpu_options { visible_device_list: BFC }",
    "gpu_options { visible_device_list: true }",
    "gpu_options { visible_device_list: ['0'] }",
    "gpu_options { visible_device_list: '0' \",1\" }",
    "gpu_options { visible_device_list {} }",
    "gpu_options { [a.b] { x: 1 } }",
    "gpu_options { alow_growth: true }",
    "gpu_options { experimental { virtual_devices { memory_limit_mb: [1, 2.5] priority: 1 } } }",
    "gpu_options { experimental { virtual_devices [{ memory_limit_mb: 1 }, {}] } }",
    "gpu_options { experimental { virtual_devices: [{}, < priority: 2 >] } }",
    "gpu_options { experimental { virtual_devices [{},] } }",
    "gpu_options { experimental { virtual_devices { priority: 1.5 } } }",
    "gpu_options < allow_growth: true >",
    "gpu_options < allow_growth: true }",
    "gpu_options {",
    "gpu_options {}}",
    "gpu_options { allow_growth true }",
    "gpu_options { allow_growth: }",
    "device_filters: '/job:a' device_filters: '/job:b' gpu_options {}",
    "device_filters: ['/job:a', '/job:b'] gpu_options {}",
    "device_filters: ['/job:a', ] gpu_options {}",
    "device_filters: [] gpu_options {}",
    "device_filters ['/job:a'] gpu_options {}",
    "device_filters: [['/job:a']] gpu_options {}",
    "device_filters: [1] gpu_options {}",
    "device_filters {} gpu_options {}",
    "device_count { key: 'GPU' value: 1 }",
    "device_count { key: 'GPU' value: 1 } device_count { key: 'GPU' value: 2 }",
    "device_count { key: 'GPU' value: 1 value: 2 }",
    "device_count { key: GPU value: 1 }",
    "device_count { key: 'GPU' value: '1' }",
    "device_count { 'GPU': 1 }",
    "device_count [{ key: 'GPU' value: 1 }, { key: 'CPU' value: 2 }]",
    "device_count: [{ key: 'GPU' }]",
    "session_inter_op_thread_pool { num_threads: 1 } session_inter_op_thread_pool {}",
    "session_inter_op_thread_pool { num_threads: 1 num_threads: 2 }",
    "intra_op_parallelism_threads: 2147483647",
    "intra_op_parallelism_threads: 2147483648",
    "intra_op_parallelism_threads: -2147483648",
    "intra_op_parallelism_threads: -2147483649",
    "intra_op_parallelism_threads: 99999999999999999999",
    "intra_op_parallelism_threads: 0x10",
    "intra_op_parallelism_threads: 010",
    "intra_op_parallelism_threads: 089",
    "intra_op_parallelism_threads: 4.0",
    "intra_op_parallelism_threads: 4e0",
    "intra_op_parallelism_threads: 4u",
    "intra_op_parallelism_threads: true",
    "intra_op_parallelism_threads: '4'",
    "intra_op_parallelism_threads: many",
    "intra_op_parallelism_threads 4",
    "intra_op_parallelism_threads {}",
    "intra_op_parallelism_threads: 4 intra_op_parallelism_threads: 4",
    "allow_soft_placement: true,log_device_placement: true,",
    "allow_soft_placement: yes",
    "allow_soft_placement: true allow_soft_placement: false",
    "operation_timeout_in_ms: 9223372036854775807",
    "operation_timeout_in_ms: 9223372036854775808",
    "graph_options { optimizer_options { global_jit_level: ON_1 } }",
    "graph_options { optimizer_options { global_jit_level: 1 } }",
    "graph_options { optimizer_options { global_jit_level: 'ON_1' } }",
    "graph_options { optimizer_options { global_jit_level: ON_3 } }",
    "graph_options { optimizer_options { global_jit_level: 1.5 } }",
    "graph_options { rewrite_options { optimizers: 'a' optimizers: 'b' } }",
    "graph_options { rewrite_options { custom_optimizers { name: 'a' name: 'b' } } }",
    "cluster_def { job { tasks { key: 0 value: 'a' } tasks { key: 1 } } } gpu_options {}",
    "cluster_def { job { tasks { key: '0' } } } gpu_options {}",
    "rpc_options { compression_level: 1 compression_level: 1 } gpu_options {}",
    "# c\ngpu_options { # x\n allow_growth: true # y }\n}",
    "// c\ngpu_options { allow_growth: true }",
]


@pytest.fixture(scope="module")
def config_proto() -> Any:
    """TensorFlow's ConfigProto."""
    return pytest.importorskip("tensorflow.core.protobuf.config_pb2").ConfigProto


def is_refused(text: str) -> bool:
    """Tell whether the reader, or the rules for what it read, call a text wrong."""
    try:
        configs = config_texts(text)
    except BrokenTextError:
        return True
    found = [item for config in configs for item in meanings(config.fields, book())]
    return any(item.is_wrong for item in found)


def is_refused_by_protobuf(text: str, config_proto: Any) -> bool:
    """Tell whether protobuf refuses a text."""
    from google.protobuf import text_format  # noqa: PLC0415 - of TensorFlow's environment

    try:
        text_format.Parse(text, config_proto())
    except text_format.ParseError:
        return True
    return False


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_refused_where_protobuf_refuses_it(text: str, config_proto: Any) -> None:
    assert is_refused(text) == is_refused_by_protobuf(text, config_proto)


@pytest.mark.parametrize("seed", range(10))
def test_random_texts_are_refused_where_protobuf_refuses_them(seed: int, config_proto: Any) -> None:
    choice = random.Random(seed)
    refused = [
        (text, is_refused(text), is_refused_by_protobuf(text, config_proto))
        for text in (f"{_message(ROOT, choice)} gpu_options {{}}" for _ in range(40))
    ]
    assert [item for item in refused if item[1] != item[2]] == []
    assert len({by_protobuf for _, _, by_protobuf in refused}) == 2


def _message(name: str, choice: random.Random) -> str:
    """Return the fields of a message, most of them right."""
    fields = {key: field for key, field in MESSAGES[name].items() if key != "gpu_options"}
    parts = []
    for key in choice.choices(list(fields), k=choice.randint(0, 3)):
        kind = fields[key].type
        if kind in MESSAGES:
            inner = f"{{ {_message(kind, choice)} }}"
            parts.append(choice.choice((f"{key} {inner}", f"{key}: {inner}", f"{key} [{inner}]")))
        elif kind != "AttrValue":
            value = _value(kind, choice)
            parts.append(choice.choice((f"{key}: {value}",) * 6 + (f"{key}: [{value}]",)))
    return choice.choice((" ", "\n", "; ", ", ")).join(parts)


def _value(kind: str, choice: random.Random) -> str:
    values = {
        "bool": ("true", "False", "0", "1"),
        "int32": ("0", "-1", "0x1f", "2147483647"),
        "int64": ("0", "-1", "2147483648"),
        "double": ("0.5", "1e-3", "2", "-inf"),
        "float": ("0.5", "1e-3", "2"),
        "string": ("'a'", '"a" "b"', "''"),
        "enum": ("1", "0"),
    }
    others = ("true", "0.5", "'a'", "99999999999999999999", "-1", "word", "{}")
    return choice.choice(others if choice.random() < 0.1 else values[kind])


def test_schema_is_that_of_tensorflow(config_proto: Any) -> None:
    waiting, checked = [(config_proto.DESCRIPTOR, ROOT)], set()
    while waiting:
        message, name = waiting.pop()
        checked.add(name)
        for field in message.fields:
            known = MESSAGES[name][field.name]
            is_message = field.message_type is not None
            kind = known.type if is_message else _TYPES[field.type]
            is_list = field.message_type is not None or not hasattr(field, "is_repeated")
            assert (field.number, kind) == (known.number, known.type), field.full_name
            assert is_list or field.is_repeated == known.repeated, field.full_name
            if is_message and known.type in MESSAGES and known.type not in checked:
                waiting.append((field.message_type, known.type))
    assert checked == set(MESSAGES)
