"""What an installed TensorFlow says about itself, from folders that look like one."""

from pathlib import Path

import pytest

from tfgpu.verify.simgpu.target import NoTensorFlow, find_target, read_target


def installed(site: Path, package: str, distribution: str, version: str, build: str) -> Path:
    """Make the files of an installed TensorFlow that are read."""
    info = site / f"{distribution.replace('-', '_')}-{version}.dist-info" / "METADATA"
    info.parent.mkdir(parents=True)
    info.write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    facts = site / package / "python" / "platform" / "build_info.py"
    facts.parent.mkdir(parents=True)
    facts.write_text(build)
    return site / package


def test_tensorflow2(tmp_path: Path) -> None:
    build = 'build_info = {"cuda_version": "12.5.1", "cudnn_version": "9", "is_cuda_build": True}'
    folder = installed(tmp_path, "tensorflow", "tensorflow", "2.21.0", build)
    found = read_target(folder)
    assert (found.folder, found.version) == (folder, "2.21.0")
    assert (found.cuda, found.cudnn) == ("12.5.1", "9")


def test_tensorflow1_keeps_its_files_in_tensorflow_core(tmp_path: Path) -> None:
    build = "is_cuda_build = True\ncuda_version_number = '10'\ncudnn_version_number = '7'\n"
    core = installed(tmp_path, "tensorflow_core", "tensorflow-gpu", "1.15.5", build)
    (tmp_path / "tensorflow").mkdir()
    library = core / "libtensorflow_framework.so.1"
    library.touch()
    found = read_target(tmp_path / "tensorflow")
    assert (found.folder, found.version) == (core, "1.15.5")
    assert (found.cuda, found.cudnn, found.libraries) == ("10", "7", [library])


def test_a_build_without_cuda_is_refused(tmp_path: Path) -> None:
    folder = installed(tmp_path, "tensorflow", "tensorflow-cpu", "2.21.0", "is_cuda_build = False")
    with pytest.raises(NoTensorFlow, match="built without CUDA"):
        read_target(folder)


def test_an_interpreter_without_tensorflow_is_refused(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho\n")
    python.chmod(0o755)
    with pytest.raises(NoTensorFlow, match="has no TensorFlow"):
        find_target(str(python))
