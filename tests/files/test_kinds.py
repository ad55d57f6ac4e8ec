"""What a file is, by its name or its first line."""

from __future__ import annotations

import pytest

from tfgpu.files.kinds import Kind, kind_of, kind_of_file


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a/train.py", Kind.PYTHON),
        ("a.ipynb", Kind.NOTEBOOK),
        ("run.sh", Kind.SHELL),
        ("job.sbatch", Kind.SHELL),
        ("job.lsf", Kind.SHELL),
        ("job.qsub", Kind.SHELL),
        ("MLproject", Kind.YAML),
        ("Dockerfile", Kind.DOCKERFILE),
        ("docker/Dockerfile.gpu", Kind.DOCKERFILE),
        ("gpu.dockerfile", Kind.DOCKERFILE),
        ("Makefile", Kind.MAKEFILE),
        (".env", Kind.DOTENV),
        ("gpu.env", Kind.DOTENV),
        (".env.local", Kind.DOTENV),
        ("train.service", Kind.UNIT),
        (".gitlab-ci.yml", Kind.YAML),
        (".vscode/launch.json", Kind.JSON),
        (".devcontainer/devcontainer.json", Kind.JSON),
        ("package.json", Kind.JSON),
        ("tox.ini", Kind.INI),
        ("pyproject.toml", Kind.TOML),
        (".envrc", Kind.SHELL),
        ("train.csh", Kind.CSH),
        ("train.fish", Kind.FISH),
        ("train.bat", Kind.BATCH),
        ("train.ps1", Kind.POWERSHELL),
        ("config.txt", None),
        ("train", None),
        ("README.md", None),
    ],
)
def test_by_name(name: str, kind: Kind | None) -> None:
    assert kind_of(name) is kind


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"#!/bin/sh\n", Kind.SHELL),
        (b"#!/usr/bin/env bash\r\n", Kind.SHELL),
        (b"#!/bin/bash -e", Kind.SHELL),
        (b"#!/usr/bin/env python3\n", Kind.PYTHON),
        (b"#!/usr/bin/fish\n", Kind.PYTHON),
        (b"import os\n#!/bin/sh\n", Kind.PYTHON),
        (b"", Kind.PYTHON),
    ],
)
def test_by_the_first_line_where_the_name_says_nothing(line: bytes, kind: Kind) -> None:
    assert kind_of_file("train", line) is kind
    assert kind_of_file("train.yml", line) is Kind.YAML
