"""ConfigProto as text: what protobuf reads, where it stands, and what its fields mean."""

from __future__ import annotations

import pytest

from tests.tools import book
from tfgpu.texts.meaning import Meaning, meanings
from tfgpu.texts.prototext import BrokenTextError, config_texts


def fields(text: str) -> list[tuple[str, object, tuple[int, int]]]:
    """Return path, value and place of the fields of the one ConfigProto in a text."""
    (config,) = config_texts(text)
    return [(field.path, field.value, field.start) for field in config.fields]


def means(text: str) -> list[Meaning]:
    """Return what the fields of the one ConfigProto in a text mean."""
    (config,) = config_texts(text)
    return meanings(config.fields, book())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("gpu_options { allow_growth: true }", True),
        ("gpu_options: < allow_growth: True >", True),
        ("gpu_options { allow_growth: f; }", False),
        ("gpu_options { per_process_gpu_memory_fraction: 0.5 },", 0.5),
        ("gpu_options { per_process_gpu_memory_fraction: .5f }", 0.5),
        ("gpu_options { visible_device_list: '0' ',1' }", "0,1"),
        ('gpu_options { visible_device_list: "\\060" } # 0', "0"),
        ("intra_op_parallelism_threads: 0x10", 16),
        ("intra_op_parallelism_threads: 010", 8),
        ("intra_op_parallelism_threads: - 1", -1),
    ],
)
def test_values_as_protobuf_reads_them(text: str, value: object) -> None:
    ((_, found, _),) = fields(text)
    assert found == value


def test_places_are_those_of_the_names() -> None:
    text = "# ü\ngpu_options {\n  allow_growth: true\n}\nlog_device_placement: true\n"
    assert [(path, place) for path, _, place in fields(text)] == [
        ("gpu_options.allow_growth", (2, 2)),
        ("log_device_placement", (4, 0)),
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("gpu_options {\n  allow_growth true\n}", (1, 15)),
        ("gpu_options { allow_growth: }", (0, 28)),
        ("gpu_options { allow_growth: true", (0, 32)),
        ("gpu_options { allow_growth: true }}", (0, 34)),
        ('gpu_options { visible_device_list: "0 }', (0, 35)),
        ("gpu_options {" * 200, (0, 663)),
    ],
)
def test_what_protobuf_refuses_has_a_place(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(BrokenTextError) as caught:
        config_texts(text)
    assert caught.value.place == place
    assert "\n" not in caught.value.why


def test_serving_platform_config() -> None:
    text = """platform_configs { key: "tensorflow" value { source_adapter_config {
      [type.googleapis.com/tensorflow.serving.SavedModelBundleSourceAdapterConfig] {
        legacy_config { session_config { gpu_options { allow_growth: true } } } } } } }"""
    (config,) = config_texts(text)
    assert config.serving
    assert [field.path for field in config.fields] == ["gpu_options.allow_growth"]


@pytest.mark.parametrize(
    "text",
    ["", "node { name: 'a' device: '/gpu:0' }", "item { id: 1 name: 'gpu_options' }"],
)
def test_other_messages_hold_no_config(text: str) -> None:
    assert config_texts(text) == []


@pytest.mark.parametrize(
    ("text", "code", "today"),
    [
        ("gpu_options { allow_growth: true }", "TFG101", "set_memory_growth(gpu, True)"),
        ("gpu_options { allow_growth: false }", "TFG101", ""),
        ("gpu_options { per_process_gpu_memory_fraction: 0.5 }", "TFG102", "_gpu_memory_limit_mib"),
        ("gpu_options { per_process_gpu_memory_fraction: ____ }", "TFG102", "(value, index)"),
        ('gpu_options { visible_device_list: "0,1" }', "TFG201", "[gpus[0], gpus[1]]"),
        ('device_count { key: "GPU" value: 1 }', "TFG202", "gpus[:1]"),
        ("intra_op_parallelism_threads: 2", "TFG401", "set_intra_op_parallelism_threads(2)"),
        ("graph_options { rewrite_options { constant_folding: OFF } }", "TFG511", "False"),
        ("gpu_options { alow_growth: true }", "TFG910", ""),
        ("graph_options { rewrite_options { constant_folding: NOPE } }", "TFG911", ""),
    ],
)
def test_fields_mean_what_their_rules_say(text: str, code: str, today: str) -> None:
    (found,) = means(text)
    assert found.rule.code == code
    assert today in found.code
    assert bool(found.code) == bool(today)


def test_fields_beside_each_other_have_the_rule_for_both() -> None:
    text = "gpu_options { allow_growth: true per_process_gpu_memory_fraction: 0.5 }"
    assert [item.rule.code for item in means(text)] == ["TFG103", "TFG102"]


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ('device_filters: "/job:a" device_filters: "/job:b" device_filters: "/job:c"', 3),
        ('device_filters: ["/job:a", "/job:b", "/job:c"]', 3),
        ("session_inter_op_thread_pool { num_threads: 2 } " * 3, 3),
        ("session_inter_op_thread_pool [{ num_threads: 2 }, { num_threads: 3 }]", 2),
        ("graph_options { rewrite_options { optimizers: 'a' optimizers: 'b' } }", 2),
        ("graph_options { rewrite_options { custom_optimizers { name: 'a' } " * 1
         + "custom_optimizers { name: 'b' } } }", 2),
        ("cluster_def { job { name: 'a' } job { name: 'b' } }", 2),
        ("device_count { key: 'GPU' value: 1 } device_count { key: 'CPU' value: 2 }", 2),
        ("device_count [{ key: 'GPU' value: 1 }, { key: 'CPU' value: 2 }]", 2),
    ],
)  # fmt: skip
def test_each_value_of_a_repeated_field_counts(text: str, paths: int) -> None:
    found = means(f"{text} gpu_options {{}}")
    assert len(found) == paths
    assert not any("again" in item.says for item in found)
    assert not any(item.is_idle or item.is_wrong for item in found)


def test_of_entries_with_one_key_the_last_one_counts() -> None:
    count = "device_count {{ key: 'GPU' value: {} }} "
    found = means("".join(map(count.format, (0, 1, 2))))
    assert ["again" in item.says for item in found] == [True, True, False]


def test_what_merge_takes_again_is_told_each_time() -> None:
    (config,) = config_texts("gpu_options { allow_growth: true } " * 3, merges=True)
    found = meanings(config.fields, book())
    assert ["again" in item.says for item in found] == [True, True, False]


def test_virtual_devices_are_one_message_each() -> None:
    text = "gpu_options { experimental { virtual_devices { memory_limit_mb: [100, 2e2] } } }"
    (found,) = means(text)
    assert "memory_limit=100" in found.code
    assert "memory_limit=200" in found.code
