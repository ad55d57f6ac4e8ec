"""YAML and JSON: variables, requests and scripts of compose, Kubernetes, CI and debuggers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.environment.reading import D, G, rules, said, settings, values
from tests.tools import book
from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.run import run


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"env:\n  {D}: 0", "0"),
        (f"env:\n  {D}: 0,1", "0,1"),
        (f'env:\n  {D}: "1,0"', "1,0"),
        (f"variables: {{{D}: '0'}}", "0"),
        (f"variables:\n  {D}:\n    value: '0'\n    description: GPU", "0"),
        (f"env:\n  {D}:", None),
        (f"env:\n  {D}: ${{{{ matrix.gpu }}}}", None),
        (f"env:\n  {D}: $GPU", None),
        (f"env:\n  {D}: [0]", None),
        (f"environment:\n  - {D}=0", "0"),
        (f'environment:\n  - "{D}=0,1"', "0,1"),
        (f"environment:\n  - {D}=${{GPU:-0}}", None),
        (f"env:\n  - {D}=0", "0"),
        (f"env:\n  - {D}='0'", "0"),
        (f"env:\n  - A=1 {D}=0", "0"),
        (f"env:\n  global:\n    - {D}=0", "0"),
        (f"env:\n  - name: {D}\n    value: '0'", "0"),
        (f"env:\n  - name: {D}\n    valueFrom: {{fieldRef: x}}", None),
        (f"run: {D}=0 python x.py", "0"),
        (f"run: |\n  cd x\n  {D}=0 python x.py", "0"),
        (f"run: >\n  {D}=0\n  python x.py", "0"),
        (f"run: '{D}=0 python ''x''.py'", "0"),
        (f"script:\n  - {D}=0 python x.py", "0"),
        (f"script:\n  - |\n    {D}=0 python x.py", "0"),
        (f"command: {D}=0 python x.py", "0"),
        (f'command: ["bash", "-c", "{D}=0 python x.py"]', "0"),
        (f"args:\n  - env\n  - {D}=0\n  - python", "0"),
        (f"steps:\n  - bash: {D}=0 python x.py", "0"),
        (f"a: &x\n  {D}: 0\nb: *x", "0"),
    ],
)
def test_what_is_set(text: str, value: str | None) -> None:
    assert values("a.yml", text + "\n") == [value]


@pytest.mark.parametrize(
    "text",
    [
        f"# {D}: 0",
        f"description: set {D}=0",
        f"docs: |\n  {D}=0 python x.py",
        f"environment:\n  - {D}",
        f"env:\n  - name: {D}",
        f"names: [{D}]",
        f"[{D}, a]: 0",
        f"command: [a, {{b: {D}=0}}]",
        f"'{D}'",
        "",
    ],
)
def test_what_is_no_setting(text: str) -> None:
    assert values("a.yml", text + "\n") == []


def test_places_are_those_of_the_file() -> None:
    text = f"""
        jobs:
          a:
            env:
              {D}: "0"
            steps:
              - run: |
                  true
                  {D}=1 python x.py
              - run: >-
                  {D}=2
                  python x.py
              - name: b
                run: "{D}=3 python x.py"
    """
    assert [(line, column) for line, column, *_ in said("a.yml", text)] == [
        (4, 7),
        (8, 11),
        (10, 11),
        (13, 15),
    ]


def test_booleans_without_quotes_are_those_of_yaml() -> None:
    assert rules("a.yml", f"env:\n  {G}: True\n") == [(2, "force-gpu-allow-growth")]
    assert rules("a.yml", f"env:\n  {G}: 'True'\n") == [(2, "value-not-understood")]


def test_a_key_that_is_there_twice() -> None:
    text = f"env:\n  {D}: 0\n  A: 1\n  {D}: 1\n"
    assert (4, "overwritten-variable") in rules("a.yml", text)
    assert rules("a.yml", f"a:\n  {D}: 0\nb:\n  {D}: 1\n") == [
        (2, "cuda-visible-devices"),
        (4, "cuda-visible-devices"),
    ]


def test_kubernetes() -> None:
    text = f"""
        spec:
          containers:
            - name: {D}
              resources:
                limits:
                  nvidia.com/gpu: 2
                requests:
                  nvidia.com/gpu: "2"
                  alpha.kubernetes.io/nvidia-gpu: 1
          nodeSelector:
            nvidia.com/gpu: "true"
          tolerations:
            - key: nvidia.com/gpu
    """
    assert settings("pod.yaml", text) == [
        (6, "nvidia.com/gpu", "2", "request"),
        (8, "nvidia.com/gpu", "2", "request"),
        (9, "nvidia.com/gpu", "1", "request"),
    ]


def test_compose() -> None:
    text = """
        services:
          a:
            runtime: nvidia
          b:
            gpus: all
          c:
            deploy:
              resources:
                reservations:
                  devices:
                    - driver: nvidia
                      count: 1
                      capabilities: [gpu]
                    - driver: nvidia
                      device_ids: ["0", "3"]
                      capabilities: [gpu]
                    - capabilities: [gpu]
                    - capabilities: [tpu]
                    - driver: x
                    - /dev/dri
    """
    assert settings("compose.yaml", text) == [
        (3, "docker --runtime", "nvidia", "request"),
        (5, "docker --gpus", "all", "request"),
        (12, "docker count", "1", "request"),
        (15, "docker device_ids", "0,3", "request"),
        (17, "docker capabilities", "gpu", "request"),
    ]
    assert settings("trainer.yaml", "gpus: 2\nruntime: python\ndevices: [0]\n") == []


def test_devices_by_their_names() -> None:
    text = """
        services:
          a:
            devices: [nvidia.com/gpu=all, /dev/dri, 0]
          b:
            devices:
              - "nvidia.com/gpu=$GPU"
          c:
            deploy:
              resources:
                reservations:
                  devices:
                    - driver: cdi
                      device_ids: [nvidia.com/gpu=0, nvidia.com/gpu=1]
                    - driver: cdi
                      device_ids: [vendor.com/tpu=0]
    """
    assert settings("compose.yaml", text) == [
        (3, "docker devices", "nvidia.com/gpu=all", "request"),
        (6, "docker devices", None, "request"),
        (13, "docker device_ids", "nvidia.com/gpu=0,nvidia.com/gpu=1", "request"),
    ]
    assert said("compose.yaml", text)[0][3].startswith("devices=nvidia.com/gpu=all: ")


def test_runtimes_and_kinds_of_gpus() -> None:
    text = """
        spec:
          runtimeClassName: nvidia
          nodeSelector:
            cloud.google.com/gke-accelerator: nvidia-tesla-t4
        other:
          runtimeClassName: gvisor
          cloud.google.com/gke-accelerator: nvidia-tesla-t4
    """
    assert settings("pod.yaml", text) == [
        (2, "Kubernetes runtimeClassName", "nvidia", "request"),
        (4, "Kubernetes cloud.google.com/gke-accelerator", "nvidia-tesla-t4", "request"),
    ]
    assert [item[3].partition(": ")[0] for item in said("pod.yaml", text)] == [
        "runtimeClassName=nvidia",
        "cloud.google.com/gke-accelerator=nvidia-tesla-t4",
    ]
    daemon = '{"default-runtime": "nvidia", "runtimes": {"nvidia": {"path": "nvidia-runtime"}}}'
    assert rules("daemon.json", daemon) == [(1, "gpu-request")]
    assert rules("daemon.json", daemon.replace('"nvidia",', '"runc",')) == []


@pytest.mark.parametrize(
    "line", ["runtimeClassName: nvidia", "nodeSelector: {cloud.google.com/gke-accelerator: t4}"]
)
def test_a_file_with_nothing_else_is_read(tmp_path: Path, line: str) -> None:
    path = tmp_path / "pod.yaml"
    path.write_text(f"{line}\n")
    job = Job(Options(), rewrite=False, kinds=EVERY)
    (found,) = run([str(path)], job, 1)
    assert [item.name for item in found.findings] == ["gpu-request"]


def test_templates_are_read_around() -> None:
    text = f"""
        spec:
          {{{{- if .Values.gpu }}}}
          env:
            {{{{- toYaml .Values.env | nindent 4 }}}}
            - name: {D}
              value: {{{{ .Values.gpu | quote }}}}
            - name: {G}
              value: "true"
          {{{{- end }}}}
          {{% if x %}}
          limits: {{nvidia.com/gpu: {{{{ .Values.count }}}}}}
          {{% endif %}}
    """
    assert settings("deployment.yaml", text) == [
        (5, D, None, "container"),
        (7, G, "true", "container"),
        (11, "nvidia.com/gpu", None, "request"),
    ]


def _reason(name: str, text: str) -> tuple[str | None, int]:
    job = Job(Options(), rewrite=False, kinds=EVERY)
    (result,) = process({name: text.encode()}, job, book())
    assert result.findings == []
    return result.reason, result.line


def test_what_is_no_yaml_is_a_clear_reason() -> None:
    reason, line = _reason("a.yml", f"env:\n  {D}: 0\n b: [\n")
    assert line == 3
    assert reason is not None
    assert reason.startswith("not valid YAML: ")
    reason, line = _reason("a.yml", f"env:\n  {D}: {{{{ x }}}}\n b: [\n")
    assert line == 3
    assert reason is not None
    assert reason.startswith("a template that is no YAML by itself: not valid YAML: ")
    assert (_reason("a.json", f'{{"env": {{"{D}": "0"')[0] or "").startswith("not valid JSON: ")
    assert _reason("a.json", f'{{"env": {{"{D}": "0"\n')[1] == 1
    assert _reason("a.json", f'{{"env": {{\n"{D}": "0"\n\n')[1] == 2
    assert _reason("a.yml", f"{D}: \x07\n")[0] is not None
    assert _reason("a.yml", "[" * 100_000 + D)[0] is not None
    assert _reason("a.yml", f"\0{D}") == ("holds a NUL byte, and is no text", 0)
    assert _reason("a.yml", D * 300_000)[0] == "5.7 MiB; files above 4 MiB are not parsed"


def test_a_small_file_that_grows_when_it_is_expanded() -> None:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    text = "\n".join([f"a0: &a0 {{{D}: 1}}", *levels])
    assert values("a.yml", text) == ["1"]


def test_a_debugger_with_comments() -> None:
    text = f"""
        {{
            // {D}: "5"
            "configurations": [
                {{
                    "type": "debugpy", /* "{D}": "6" */
                    "url": "http://x",\t"args": ["--gpus", "2"],
                    "env": {{"{D}": "1,0", "A": "b//c"}},
                }},
            ],
        }}
    """
    assert settings("launch.json", text) == [
        (7, D, "1,0", "container"),
        (7, "A", "b//c", "container"),
    ]
    assert said("launch.json", text)[0][1] == 21


def test_a_development_container() -> None:
    text = f"""
        {{"runArgs": ["--gpus", "all", "-e", "{G}=true"], "containerEnv": {{"{D}": "0"}}}}
    """
    assert sorted(settings("devcontainer.json", text)) == [
        (1, D, "0", "container"),
        (1, G, "true", "container"),
        (1, "docker --gpus", "all", "request"),
    ]


def test_misspelt_names_where_variables_are_listed() -> None:
    wrong = "CUDA_VISIBLE_DIVICES"
    assert rules("a.yml", f"env:\n  {wrong}: 0\n") == [(2, "misspelt-variable")]
    assert rules("a.yml", f"env:\n  - name: {wrong}\n    value: 0\n") == [(2, "misspelt-variable")]
    assert rules("a.yml", f"environment:\n  - {wrong}=0\n") == [(2, "misspelt-variable")]
    assert rules("a.yml", f"anchors:\n  {wrong}: 0\n  x: {D}\n") == []


def test_options_of_a_container_in_a_workflow() -> None:
    text = f"container:\n  image: x\n  options: --gpus all -e {D}=1\n"
    assert settings("ci.yml", text) == [
        (3, "docker --gpus", "all", "request"),
        (3, D, "1", "container"),
    ]


@pytest.mark.parametrize(
    ("text", "request_", "value"),
    [
        ('{"resourceRequirements": [{"type": "GPU", "value": "2"}]}',
         "ECS resourceRequirements", "2"),
        ("ResourceRequirements:\n- Type: GPU\n  Value: 1\n", "ECS resourceRequirements", "1"),
        ("machineSpec:\n  acceleratorType: T4\n  acceleratorCount: 2\n", "cloud accelerators", "2"),
        ("acceleratorConfig: {type: K80, count: 4}\n", "cloud accelerators", "4"),
        ("guestAccelerators:\n- {acceleratorType: T4, acceleratorCount: 1}\n",
         "cloud accelerators", "1"),
        ("discrete_resource_spec: {kind: NVIDIA-GPU, value: 2}\n", "docker generic_resources", "2"),
        ('{"resourceRequirements": [{"type": "MEMORY", "value": "2048"}]}', "", None),
        ("machineSpec: {acceleratorType: T4}\n", "", None),
        ("shapes:\n- {type: circle, count: 2}\n", "", None),
        ("discrete_resource_spec: {kind: SSD, value: 2}\n", "", None),
    ],
)  # fmt: skip
def test_what_clouds_are_asked_for(text: str, request_: str, value: str | None) -> None:
    found = settings("a.json" if text.startswith("{") else "a.yaml", text)
    assert [item[1:3] for item in found] == ([(request_, value)] if request_ else [])


def test_a_list_of_variables_by_any_name() -> None:
    text = f"extraEnv:\n- name: {D}\n  value: 1\nitems:\n- name: colour\n  value: red\n"
    assert settings("a.yaml", text) == [(2, D, "1", "container")]


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        (f"run.sh: |\n  export {D}=0\n  python train.py\n", ["0"]),
        (f"content: |\n  #!/bin/bash\n  export {D}=0\n", ["0"]),
        (f"app.env: |\n  A=1\n  {D}=0\n", ["0"]),
        (f"notes.md: |\n  export {D}=0\n", []),
    ],
)
def test_a_file_in_a_text(entry: str, found: list[str]) -> None:
    assert values("map.yaml", entry) == found
