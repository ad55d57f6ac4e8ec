"""The texts that describe simulated GPUs, and the kinds of stub names."""

import pytest

from tfgpu.verify.simgpu.gpus import Gpu, SpecError, cards, environment, parse_gpus
from tfgpu.verify.simgpu.names import ACCEPT, COMPUTE, UNMODELLED, Kind, kind_of


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        ("sim:2", [16384, 16384]),
        ("sim:4x16GiB", [16384] * 4),
        ("sim:16GiB,8GiB", [16384, 8192]),
        ("sim:2xT4", [15109.75] * 2),
        ("sim:900MiB", [900]),
        ("2x16GiB", [16384] * 2),
    ],
)
def test_totals(text: str, totals: list[float]) -> None:
    assert [gpu.total_mib for gpu in parse_gpus(text)] == totals


def test_options() -> None:
    (gpu,) = parse_gpus("sim:T4(used=4GiB, cc=8.0)")
    assert (gpu.used_mib, gpu.compute_capability, gpu.name) == (4096, "8.0", "Tesla T4")
    assert parse_gpus("sim:v100 32")[0] == cards()["V100-32"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sim:2xT5", "did you mean T4"),
        ("sim:", "examples: sim:2"),
        ("sim:T4(free=1GiB)", "none of used=4GiB"),
        ("sim:T4(used=4)", "no size such as 16GiB"),
        ("sim:8GiB(used=8GiB)", "others use 8GiB of a GPU of 8GiB"),
        ("sim:0GiB", "possible are 16MiB to 1024GiB"),
        ("sim:T4(total=5000GiB)", "possible are 16MiB to 1024GiB"),
        ("sim:A100", "did you mean A100-40, A100-80"),
        ("sim:100", "64 are the most"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        parse_gpus(text)


def test_environment() -> None:
    text = environment([Gpu(), Gpu(total_mib=8192, pci="0000:0A:00.0")])
    assert text.count(";") == 1
    assert "total=8192" in text
    assert text.endswith("pci=0000:0A:00.0")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("cublasSgemm_v2", COMPUTE),
        ("cublasGetVersion", UNMODELLED),
        ("cublasCreate_v2", Kind("STUB_HANDLE")),
        ("cudaStreamSynchronize_ptsz", ACCEPT),
        ("cusparseSpMM_bufferSize", Kind("STUB_OUT64", 10)),
        ("nvmlDeviceGetPowerUsage", Kind("STUB_RETURN", 0, 3)),
        ("cuSomethingNew", UNMODELLED),
    ],
)
def test_kinds(name: str, kind: Kind) -> None:
    assert kind_of(name) == kind
