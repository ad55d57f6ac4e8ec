"""CUDA_VISIBLE_DEVICES in containers, which number their GPUs from 0."""

from __future__ import annotations

import pytest

from tests.environment.reading import D, said

N = "NVIDIA_VISIBLE_DEVICES"
TWO = "docker run --gpus '\"device=0,2\"'"
ENV = f"  env: [{{name: {D}, value: '1'}}]\n"
DEVICES = "   devices: [{driver: nvidia, device_ids: ['0', '2'], capabilities: [gpu]}]\n"


def _missing(name: str, text: str) -> list[str]:
    return [
        message.partition("; so ")[2]
        for _, _, rule, message in said(name, text)
        if rule == "not-in-container"
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("docker-compose.yml", f"services:\n a:\n  environment:\n   {N}: 0\n   {D}: 1\n"),
        ("docker-compose.yml", f"services:\n a:\n  environment:\n  - {D}=1\n  - {N}=3\n"),
        (
            "docker-compose.yml",
            f"services:\n a:\n  environment: {{{D}: 2}}\n  deploy:\n   x:\n{DEVICES}",
        ),
        ("pod.yaml", f"containers:\n- resources:\n   limits: {{nvidia.com/gpu: 1}}\n{ENV}"),
        ("Dockerfile", f"FROM x\nENV {N}=0\nRUN x\nENV {D}=1\n"),
        ("a.sh", f"{TWO} -e {D}=2 image\n"),
        ("a.sh", f"docker run -e {N}=0,1 -e {D}=2 image\n"),
        ("a.sh", f"docker run --gpus=1 -e {D}=1 image\n"),
        (
            "a.sh",
            f"docker run --gpus '\"device=0\",capabilities=utility' -e {D}=99999999999 image\n",
        ),
    ],
)
def test_a_gpu_that_the_container_does_not_have(name: str, text: str) -> None:
    assert _missing(name, text) == ["no GPU is visible"]
    assert [message for _, _, rule, message in said(name, text) if rule[:4] == "cuda"] == []


def test_what_is_visible_in_front_of_it() -> None:
    assert _missing("a.sh", f"{TWO} -e {D}=1,0,2 image\n") == [
        "TensorFlow's GPU:0 is CUDA's GPU 1, GPU:1 is CUDA's GPU 0"
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("docker-compose.yml", f"services:\n a:\n  environment:\n  - {N}=all\n  - {D}=1\n"),
        ("docker-compose.yml", f"services:\n a:\n  environment:\n  - {N}=2,3\n  - {D}=1\n"),
        (
            "docker-compose.yml",
            f"services:\n a:\n  environment: [{N}=0]\n b:\n  environment: [{D}=1]\n",
        ),
        (
            "docker-compose.yml",
            f"services:\n a:\n  deploy:\n   x:\n{DEVICES} b:\n  environment: {{{D}: 2}}\n",
        ),
        (
            "pod.yaml",
            f"containers:\n- resources:\n   limits: {{nvidia.com/gpu: 1}}\n- name: b\n{ENV}",
        ),
        ("Dockerfile", f"FROM x\nENV {N}=0\nFROM y\nENV {D}=1\n"),
        ("a.sh", f"{TWO} -e {D}=1 image\n{TWO} image\ndocker run -e {D}=2 image\n"),
        ("a.sh", f"docker run --gpus all -e {D}=2 image\n"),
        ("a.sh", f"docker run --gpus $GPUS -e {D}=2 image\n"),
        ("a.sh", f"{TWO} -e {D}=-1 image\n"),
        ("a.sh", f"{TWO} -e {D}=GPU-8932f937 image\n"),
    ],
)
def test_gpus_that_it_may_have(name: str, text: str) -> None:
    assert _missing(name, text) == []
