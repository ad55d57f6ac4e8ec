"""Which compiler builds the driver, and where it cannot be built."""

import importlib.util
import platform
import shutil
import sys
from pathlib import Path

import pytest

from tests.verify.driver import run, stand_in
from tfgpu.verify.simgpu.build import (
    NoCache,
    NoCompiler,
    WrongMachine,
    build,
    find_compiler,
)
from tfgpu.verify.simgpu.target import Target


def ziglang() -> bool:
    return importlib.util.find_spec("ziglang") is not None


@pytest.fixture
def no_compiler_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CC", raising=False)


def test_cc_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", f"'{sys.executable}' -m ziglang cc")
    assert find_compiler() == [sys.executable, "-m", "ziglang", "cc"]
    monkeypatch.setenv("CC", "no-such-compiler -m64")
    with pytest.raises(NoCompiler, match="CC=no-such-compiler"):
        find_compiler()


def test_ziglang_is_the_last_resort(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_compiler_on_path: None
) -> None:
    (tmp_path / "ziglang").mkdir()
    (tmp_path / "ziglang" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_compiler() == [sys.executable, "-m", "ziglang", "cc"]


@pytest.mark.skipif(ziglang(), reason="ziglang is installed, so there is a compiler")
def test_no_compiler(no_compiler_on_path: None) -> None:
    with pytest.raises(NoCompiler, match=r"apt install gcc.*pip install ziglang"):
        find_compiler()


def test_a_compiler_that_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: list[str]
) -> None:
    target = stand_in(tmp_path)
    monkeypatch.setenv("CC", shutil.which("false") or "")
    monkeypatch.setenv("TFGPU_CACHE", str(tmp_path / "cache"))
    with pytest.raises(NoCompiler, match="false failed"):
        build(target)


@pytest.mark.parametrize(("system", "machine"), [("darwin", "arm64"), ("linux", "aarch64")])
def test_other_machines_are_told_about_real_gpus(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, machine: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    with pytest.raises(WrongMachine, match=f"Linux on x86-64.*{system} on {machine}.*--gpus real"):
        build(Target(tmp_path, "2.99.0", "12.5.1", "9"))


@pytest.mark.parametrize("name", ["gcc", "clang", "ziglang"])
def test_compilers_build_a_driver_without_a_warning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: list[str], name: str
) -> None:
    if name == "ziglang" and not ziglang():
        pytest.skip("ziglang is not installed (pip install ziglang)")
    if name != "ziglang" and not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    target = stand_in(tmp_path)
    command = f"'{sys.executable}' -m ziglang cc" if name == "ziglang" else name
    monkeypatch.setenv("CC", f"{command} -Werror")
    monkeypatch.setenv("TFGPU_CACHE", str(tmp_path / "cache"))
    assert run(build(target), "sim:2", "print(json.dumps(buses()))") == [0, 1, 2]


def test_a_cache_that_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: list[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TFGPU_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(NoCache, match=r"cannot be kept in .*file/cache.*TFGPU_CACHE"):
        build(stand_in(tmp_path))
