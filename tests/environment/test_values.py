"""What values mean to CUDA and TensorFlow, and which names are misspelt."""

from __future__ import annotations

import pytest

from tests.environment.reading import D, said
from tests.tools import book
from tfgpu.environment.devices import visible_devices
from tfgpu.environment.report import nearest


@pytest.mark.parametrize(
    ("value", "ids", "ended_by"),
    [
        ("0", ("0",), None),
        ("1,0", ("1", "0"), None),
        ("0, 1", ("0", "1"), None),
        ("", (), None),
        (" ", (), None),
        ("-1", (), "-1"),
        ("1,-1,2", ("1",), "-1"),
        ("0,", ("0",), ""),
        ("[0]", (), "[0]"),
        ("all", (), "all"),
        ("GPU-1234,GPU-5678", ("GPU-1234", "GPU-5678"), None),
        ("MIG-1234", ("MIG-1234",), None),
        ("GPU-1234,1", ("GPU-1234",), "1"),
    ],
)
def test_what_cuda_shows(value: str, ids: tuple[str, ...], ended_by: str | None) -> None:
    found = visible_devices(value)
    assert (found.ids, found.ended_by) == (ids, ended_by)


def test_a_gpu_twice_hides_all() -> None:
    assert visible_devices("0,1,00").twice == "0"
    assert visible_devices("0,1,0").ids == ()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            "1,0",
            "CUDA_VISIBLE_DEVICES=1,0: TensorFlow's GPU:0 is CUDA's GPU 1, GPU:1 is CUDA's GPU 0",
        ),
        ("", "CUDA_VISIBLE_DEVICES=: no GPU is visible"),
        ("-1", "CUDA_VISIBLE_DEVICES=-1: no GPU is visible"),
        ("none", "CUDA_VISIBLE_DEVICES=none: no GPU is visible"),
        ("0,", "CUDA_VISIBLE_DEVICES=0,: TensorFlow's GPU:0 is CUDA's GPU 0"),
        (
            "0,1,2,3,4",
            "CUDA_VISIBLE_DEVICES=0,1,2,3,4: 5 GPUs are visible, "
            "TensorFlow's GPU:0 is CUDA's GPU 0",
        ),
        (
            "[0]",
            "CUDA_VISIBLE_DEVICES=[0]: CUDA does not accept `[0]`, so no GPU is visible",
        ),
        (
            "0;1",
            "CUDA_VISIBLE_DEVICES=0;1: CUDA does not accept `0;1`, so at most "
            "TensorFlow's GPU:0 is CUDA's GPU 0",
        ),
        ("0,0", "CUDA_VISIBLE_DEVICES=0,0 names GPU 0 twice, which hides every GPU"),
    ],
)
def test_what_is_said_of_a_list(value: str, message: str) -> None:
    assert [item[3] for item in said("a.sh", f'export {D}="{value}"\n')] == [message]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("TF_FORCE_GPU_ALLOW_GROWTH=true", "force-gpu-allow-growth"),
        ("TF_FORCE_GPU_ALLOW_GROWTH=True", "value-not-understood"),
        ("TF_FORCE_GPU_ALLOW_GROWTH=1", "value-not-understood"),
        ("TF_FORCE_GPU_ALLOW_GROWTH=$X", "force-gpu-allow-growth"),
        ("TF_GPU_ALLOCATOR=cuda_malloc", "gpu-allocator"),
        ("TF_GPU_ALLOCATOR=async", "value-not-understood"),
        ("TF_GPU_THREAD_MODE=private", "value-not-understood"),
        ("TF_GPU_THREAD_COUNT=2", "gpu-memory-variables"),
        ("TF_GPU_THREAD_COUNT=two", "value-not-understood"),
        ("CUDA_DEVICE_ORDER=PCI_BUS_ID", "cuda-device-order"),
        ("CUDA_DEVICE_ORDER=PCI_BUS", "value-not-understood"),
        ("NVIDIA_VISIBLE_DEVICES=all", "nvidia-visible-devices"),
        ("NVIDIA_VISIBLE_DEVICES=0,1", "nvidia-visible-devices"),
        ("NVIDIA_DRIVER_CAPABILITIES=utility", "value-not-understood"),
        ("TF_XLA_FLAGS=--tf_xla_auto_jit=2", "xla-flags"),
    ],
)
def test_values_that_are_read(line: str, rule: str) -> None:
    assert [item[2] for item in said("a.sh", f"export {line}\n")] == [rule]


def test_a_long_value_is_cut() -> None:
    (found,) = said("a.sh", f"export TF_XLA_FLAGS=--{'x' * 80}\n")
    assert found[3].startswith(f"TF_XLA_FLAGS=--{'x' * 55}...: ")


@pytest.mark.parametrize(
    ("name", "real"),
    [
        ("CUDA_VISIBLE_DIVICES", D),
        ("CUDA_VISIBLE_DEVICE", D),
        ("CUDA_VISIABLE_DEVICES", D),
        ("CUDA_VISBLE_DEVICES", D),
        ("CUDA_VISIBLE_GPUS", D),
        ("CUDA_VISIBLE", D),
        ("CUDAVISIBLE_DEVICES", D),
        ("CUDA_VISIBLE\u200b_DEVICES", D),
        ("cuda_visible_devices", D),
        ("Cuda_Visible_Devices", D),
        ("VISIBLE_CUDA_DEVICES", D),
        ("NVIDIA_VISIBLE_DEVICE", "NVIDIA_VISIBLE_DEVICES"),
        ("TF_FORCE_GPU_ALLOW_GROTH", "TF_FORCE_GPU_ALLOW_GROWTH"),
        ("TF_FORCE_ALLOW_GROWTH", "TF_FORCE_GPU_ALLOW_GROWTH"),
        ("TF_GPU_ALOCATOR", "TF_GPU_ALLOCATOR"),
        # What is one, and what is another.
        (D, None),
        ("HIP_VISIBLE_DEVICES", None),
        ("MY_VISIBLE_DEVICES", None),
        ("NV_VISIBLE_DEVICES", None),
        ("VISIBLE_DEVICES", None),
        ("TF_CPP_MIN_VLOG_LEVEL", None),
        ("TF_GPU_THREAD_COUNT", None),
        ("CUDA_DEVICE", None),
        ("CUDA_DEVICES", None),
        ("CUDA_HOME", None),
        ("TF_CONFIG", None),
        ("TF_CONFIGS", None),
        ("TF_CONFIG_1", None),
        ("TF_CONFIG_PATH", None),
        ("TFCONFIG", None),
        ("XLA_FLAGS_2", None),
        ("device", None),
        ("cuda_devices", None),
    ],
)
def test_misspelt_names(name: str, real: str | None) -> None:
    assert nearest(name, book().variable_names, book().real_variables) == real


def test_a_misspelt_name_is_shown_with_what_cannot_be_seen() -> None:
    (found,) = said("a.sh", "export CUDA_VISIBLE_\u200bDEVICES=0\n")
    assert found[2:] == (
        "misspelt-variable",
        "nothing reads CUDA_VISIBLE_\\u200bDEVICES; the variable is CUDA_VISIBLE_DEVICES",
    )


def test_a_variable_that_a_script_hands_on_under_another_name() -> None:
    text = "export {0}=$1\ndocker run -e NVIDIA_VISIBLE_DEVICES=${0} image\n"
    own = text.format("CUDA_VISIBLE_DEVICE")
    assert [item[2] for item in said("a.sh", own)] == ["nvidia-visible-devices"]


def test_variables_of_a_script_in_small_letters_are_its_own() -> None:
    text = "cuda_visible_devices=0\npython x.py --gpu $cuda_visible_devices\n"
    assert said("a.sh", text) == []
    assert [item[2] for item in said("a.sh", "export cuda_visible_devices=0\n")] == [
        "misspelt-variable"
    ]
