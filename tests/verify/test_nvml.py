"""Monitoring programs on simulated GPUs: NVIDIA's own Python module on our libnvidia-ml."""

import importlib.util
from pathlib import Path
from textwrap import dedent

import pytest

from tests.verify.driver import run

PROGRAM = """
import os, sys
sys.path.insert(0, os.environ["PYNVML"])
import pynvml as nvml
def refused(call, *arguments):
    try:
        call(*arguments)
    except nvml.NVMLError as error:
        return type(error).__name__
"""


@pytest.fixture(scope="module")
def module() -> dict[str, str]:
    """Where nvidia-ml-py is, for the program."""
    spec = importlib.util.find_spec("pynvml")
    if not spec or not spec.origin:
        pytest.skip("nvidia-ml-py is not installed (pip install nvidia-ml-py)")
    return {"PYNVML": str(Path(spec.origin).parent)}


def test_all_gpus_are_shown_whatever_cuda_shows(libraries: Path, module: dict[str, str]) -> None:
    program = """
        nvml.nvmlInit()
        found = []
        for i in range(nvml.nvmlDeviceGetCount()):
            gpu = nvml.nvmlDeviceGetHandleByIndex(i)
            place = nvml.nvmlDeviceGetPciInfo(gpu)
            same = nvml.nvmlDeviceGetHandleByPciBusId(place.busId.encode())
            by_uuid = nvml.nvmlDeviceGetHandleByUUID(nvml.nvmlDeviceGetUUID(gpu).encode())
            found.append([
                nvml.nvmlDeviceGetName(gpu),
                nvml.nvmlDeviceGetIndex(same),
                nvml.nvmlDeviceGetIndex(by_uuid),
                place.busId,
                place.busIdLegacy,
                place.bus,
                nvml.nvmlDeviceGetCudaComputeCapability(gpu),
            ])
        print(json.dumps(found))
    """
    variables = {**module, "CUDA_VISIBLE_DEVICES": "1"}
    assert run(libraries, "sim:T4,A100-40", PROGRAM + dedent(program), variables=variables) == [
        ["Tesla T4", 0, 0, "00000000:01:00.0", "0000:01:00.0", 1, [7, 5]],
        ["NVIDIA A100-SXM4-40GB", 1, 1, "00000000:02:00.0", "0000:02:00.0", 2, [8, 0]],
    ]


def test_memory_and_processes_follow_the_driver(libraries: Path, module: dict[str, str]) -> None:
    program = """
        nvml.nvmlInit()
        gpu = nvml.nvmlDeviceGetHandleByIndex(0)
        def seen():
            info = nvml.nvmlDeviceGetMemoryInfo(gpu)
            second = nvml.nvmlDeviceGetMemoryInfo(gpu, version=nvml.nvmlMemory_v2)
            assert (info.free, info.used) == (second.free, second.used)
            held = {}
            for version in ("", "_v2", "_v3"):
                ask = getattr(nvml, "nvmlDeviceGetComputeRunningProcesses" + version)
                held = {p.pid == os.getpid(): p.usedGpuMemory // 2**20 for p in ask(gpu)}
            return [info.total // 2**20, info.used // 2**20, list(held.items())]
        before = seen()
        context()
        alloc(2**30)
        rates = nvml.nvmlDeviceGetUtilizationRates(gpu)
        print(json.dumps([before, seen(), rates.gpu, rates.memory]))
    """
    gpus = "sim:16GiB(used=1GiB)"
    assert run(libraries, gpus, PROGRAM + dedent(program), variables=module) == [
        [16384, 1024, []],
        [16384, 2048 + 300, [[True, 1024 + 300]]],
        0,
        0,
    ]


def test_versions_and_errors(libraries: Path, module: dict[str, str]) -> None:
    program = """
        nvml.nvmlInit()
        assert nvml.nvmlSystemGetDriverVersion() == "570.00"
        assert nvml.nvmlSystemGetNVMLVersion().startswith("12.")
        assert nvml.nvmlSystemGetCudaDriverVersion() == 12080
        gpu = nvml.nvmlDeviceGetHandleByIndex(0)
        assert nvml.nvmlDeviceGetTemperature(gpu, nvml.NVML_TEMPERATURE_GPU) == 30
        asked = [
            refused(nvml.nvmlDeviceGetHandleByIndex, 1),
            refused(nvml.nvmlDeviceGetHandleByPciBusId, b"0000:99:00.0"),
            refused(nvml.nvmlDeviceGetPowerUsage, gpu),
            nvml.nvmlErrorString(2),
        ]
        nvml.nvmlShutdown()
        print(json.dumps([*asked, refused(nvml.nvmlShutdown)]))
    """
    assert run(libraries, "sim:1", PROGRAM + dedent(program), variables=module) == [
        "NVMLError_InvalidArgument",
        "NVMLError_NotFound",
        "NVMLError_FunctionNotFound",
        "Invalid Argument",
        "NVMLError_Uninitialized",
    ]


def test_memory_taken_while_a_program_was_tried_in_vain_is_left_out(
    libraries: Path, module: dict[str, str]
) -> None:
    # Measured on an H200: a program of TensorFlow 1 that is tried on TensorFlow 2 first takes the
    # whole card before it fails, and the run with the stand-in then takes a part of it.
    program = """
        import time
        from tfgpu.verify.nvml import Sampler, real_gpus
        context()
        def held():
            time.sleep(0.2)
            return time.monotonic()
        with Sampler(real_gpus()) as sampler:
            begun = held()
            _, first = alloc(8 * 2**30)
            held()
            cuda.cuMemFree_v2(first)
            end = time.monotonic()
            alloc(2**30)
            held()
        peaks = [
            [one.peak // 2**20 for one in sampler.memory(without=times)]
            for times in ([], [(begun, end)], [(begun - 9, end + 9)])
        ]
        print(json.dumps(peaks))
    """
    found = run(libraries, "sim:16GiB", PROGRAM + dedent(program), variables=module)
    assert found == [[8192], [1024], []]
