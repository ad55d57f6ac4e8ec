"""ConfigProtos as JSON, and as mappings of YAML."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from tests.environment.reading import rules
from tests.environment.test_configs import places
from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.run import run

CAMEL = '{"gpuOptions": {"allowGrowth": true}}'
PLAIN = '{"gpu_options": {"allow_growth": true}}'


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("c.json", CAMEL, [(1, 17, "TFG101", "warning")]),
        ("c.json", f'{{"name": "\\ud83d\\ude00", "config": {PLAIN}}}', [
            (1, 53, "TFG101", "warning")]),
        ("c.json", '{"config": {"interOpParallelismThreads": 4}}', [(1, 13, "TFG402", "warning")]),
        ("c.json", '{"tf_config": {"log_device_placement": true}}', [(1, 16, "TFG302", "warning")]),
        ("c.json", '{"deviceCount": {"GPU": 0}}', [(1, 18, "TFG202", "warning")]),
        ("c.json", '{"gpuOptions": {"allowGrowth": 1, "allowGrowht": true}}', [
            (1, 17, "TFG101", "warning"), (1, 35, "TFG910", "error")]),
        ("c.json", '{"gpuOptions": {"allowGrowth": "yes", "visibleDeviceList": "0"}}', [
            (1, 17, "TFG911", "error"), (1, 39, "TFG201", "warning")]),
        ("c.json", '{"gpuOptions": {"allowGrowth": "true", "visibleDeviceList": 0}}', [
            (1, 17, "TFG911", "error"), (1, 40, "TFG911", "error")]),
        ("c.json", '{"gpuOptions": {"perProcessGpuMemoryFraction": "0.5"}}', [
            (1, 17, "TFG102", "warning")]),
        ("c.yaml", "gpuOptions:\n  allowGrowth: yes\n  visibleDeviceList: 0,1\n", [
            (2, 3, "TFG101", "warning"), (3, 3, "TFG201", "warning")]),
        ("c.yaml", "gpu_options:\n  allow_growth: 'yes'\n", [(2, 3, "TFG101", "warning")]),
        ("c.yaml", "tf:\n  gpu_options:\n    allow_growth: yes\n", [(3, 5, "TFG101", "warning")]),
        ("c.sh", f"cat > c.json <<EOF\n{CAMEL}\nEOF\n", [(2, 17, "TFG101", "warning")]),
        ("c.json", '{"gpu_options": "all", "log_device_placement": true}', []),
        ("c.json", '{"model": {"intra_op_parallelism_threads": 4}}', []),
        ("c.json", '{"deviceCount": 3, "graphOptions": {"color": "red"}}', []),
    ],
)  # fmt: skip
def test_mappings(name: str, text: str, found: list[tuple[int, int, str, str]]) -> None:
    assert places(name, text) == found


def test_variables_in_json() -> None:
    text = '{"environment": [{"name": "CUDA_VISIBLE_DEVICES", "value": "0"}]}'
    assert rules("task.json", text) == [(1, "cuda-visible-devices")]


def test_utf_16_is_read(tmp_path: Path) -> None:
    shell = "export CUDA_VISIBLE_DEVICES=0\r\n"
    files = {
        "a.sh": codecs.BOM_UTF16_LE + shell.encode("utf-16-le"),
        "b.sh": codecs.BOM_UTF16_BE + shell.encode("utf-16-be"),
        "c.ps1": "$env:CUDA_VISIBLE_DEVICES = 0\r\n".encode("utf-16-le"),
        "c.sh": shell.encode("utf-16-be"),
        "d.json": CAMEL.encode("utf-16"),
        "e.py": "import tensorflow as tf\ntf.ConfigProto()\n".encode("utf-16"),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    job = Job(Options(), rewrite=False, kinds=EVERY)
    results = list(run([str(tmp_path)], job, 1))
    assert [[item.code for item in result.findings] for result in results] == [
        ["TFE001"], ["TFE001"], ["TFE001"], ["TFE001"], ["TFG101"], []
    ]  # fmt: skip
    assert results[-1].reason == "UTF-16, which Python does not read: save it as UTF-8"


def test_large_json_is_data(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text(f'{{"rows": "{"x" * 2**20}", "config": {CAMEL}}}')
    job = Job(Options(), rewrite=False, kinds=EVERY)
    (result,) = run([str(tmp_path)], job, 1)
    assert (result.findings, result.reason) == ([], None)
