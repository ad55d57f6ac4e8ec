"""Compiles the simulated driver for an installed TensorFlow, once, into a cache folder.

All libraries are one shared object, reached through symbolic links with the names that TensorFlow
opens. The folder's name is a digest of the source, the stub table, the TensorFlow version and the
compiler, so that nothing stale is ever used and nothing is built twice.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tfgpu.verify.memory.limits import context_of
from tfgpu.verify.memory.releases import Version, version_of
from tfgpu.verify.simgpu.names import (
    FAMILY,
    FAMILY_BYTES,
    LIBRARIES,
    exported_names,
    stub_table,
    text_names,
)
from tfgpu.verify.simgpu.target import Target

OBJECT = "libtfgpu_sim.so"
_SOURCE = Path(__file__).parent / "csrc"
_FLAGS = ("-std=gnu11", "-O1", "-g0", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra")
# TensorFlow's library exports functions with CUDA's names: ours must call ours.
_LINK = ("-shared", "-Wl,-Bsymbolic", "-pthread", "-ldl")

# XLA asks a ptxas for its version and takes the ELF file that it writes. This one keeps the PTX
# text behind an ELF header without sections: the driver reads the kernels' parameters there.
_PTXAS = """#!/bin/sh
# Stands in for NVIDIA's ptxas on simulated GPUs, where kernels never run.
case "$*" in *--version*) echo "Cuda compilation tools, release 12.5, V12.5.82"; exit 0;; esac
while [ $# -gt 0 ]; do
  case "$1" in
    -o | --output-file) out="$2"; shift;;
    -*) ;;
    *) [ -f "$1" ] && in="$1";;
  esac
  shift
done
[ -n "$out" ] || exit 1
{
  printf '\\177ELF\\002\\001\\001'
  head -c 57 /dev/zero
  cat "${in:-/dev/null}"
  head -c 1 /dev/zero
} > "$out"
"""


class CannotBuild(RuntimeError):
    """There is no driver for simulated GPUs here."""


class NoCompiler(CannotBuild):
    """There is no C compiler, or it failed."""


class NoCache(CannotBuild):
    """The folder for built drivers cannot be used."""


class WrongMachine(CannotBuild):
    """The driver is for another system or processor than this machine's."""


def cache_folder() -> Path:
    """Return where built drivers are kept: `$TFGPU_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("TFGPU_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tfgpu"


def find_compiler() -> list[str]:
    """Return the command of a C compiler: `$CC`, the first of cc, gcc, clang, or ziglang's.

    Raises:
        NoCompiler: none was found.
    """
    chosen = os.environ.get("CC")
    if chosen:
        command = shlex.split(chosen)
        if not shutil.which(command[0]):
            raise NoCompiler(f"CC={chosen} names a compiler that is not there")
        return command
    for name in ("cc", "gcc", "clang"):
        found = shutil.which(name)
        if found:
            return [found]
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise NoCompiler(
        "simulated GPUs need a C compiler once, and there is none: "
        "apt install gcc, or without root pip install ziglang (the extra verify-zig)"
    )


def check_machine() -> None:
    """Check that the driver can run here.

    Raises:
        WrongMachine: this machine is not Linux on x86-64.
    """
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise WrongMachine(
            "simulated GPUs are for Linux on x86-64, "
            f"and this is {sys.platform} on {platform.machine()}; "
            "where there are NVIDIA GPUs, --gpus real uses them"
        )


def build(target: Target) -> Path:
    """Return the folder with the libraries for a TensorFlow, building them if need be.

    Raises:
        WrongMachine: this machine is not Linux on x86-64.
        NoCompiler: there is no C compiler, or it failed.
        NoCache: the folder for built drivers cannot be used.
    """
    check_machine()
    compiler = find_compiler()
    key = hashlib.sha256()
    sizes = [str(library.stat().st_size) for library in target.libraries]
    for text in (target.version, *sizes, *_defines(target), *_FLAGS, _PTXAS):
        key.update(text.encode() + b"\0")
    for text in (*_sources().values(), Path(__file__).with_name("names.py").read_text("utf-8")):
        key.update(text.encode() + b"\0")
    key.update(_compiler_version(compiler).encode())
    folder = cache_folder() / f"simgpu-{target.version or 'unknown'}-{key.hexdigest()[:16]}"
    try:
        if not (folder / OBJECT).is_file():
            _compile(compiler, target, folder)
    except OSError as error:
        raise NoCache(
            f"the driver of simulated GPUs cannot be kept in {folder.parent}: {error}; "
            "TFGPU_CACHE names another folder"
        ) from error
    return folder


def cuda_of(target: Target) -> Version | None:
    """Return the CUDA runtime of a TensorFlow, None where it does not say."""
    major, _, minor = target.cuda.partition(".")
    if not major.isdigit():
        return None
    return version_of(target.cuda) if minor else Version(int(major), 0)


def _defines(target: Target) -> list[str]:
    """Show TensorFlow the versions that it was built with, and a cuDNN that is not older."""
    defines = []
    cuda = cuda_of(target)
    if cuda:
        context = context_of(cuda)
        defines += [
            f"-DSIM_RUNTIME_VERSION={cuda.major * 1000 + cuda.minor * 10}",
            f"-DSIM_CONTEXT_KIB={context.base}",
            f"-DSIM_CONTEXT_KEPLER_KIB={context.kepler}",
            f"-DSIM_CONTEXT_THREADS_KIB={context.threads}",
            f"-DSIM_CONTEXT_GROWTH_KIB={context.growth}",
        ]
    cudnn = target.cudnn.split(".")
    if cudnn[0].isdigit():
        minor = {7: 6, 8: 9}.get(int(cudnn[0]), 10)
        defines.append(f"-DSIM_CUDNN_MAJOR={int(cudnn[0])}")
        defines.append(f"-DSIM_CUDNN_MINOR={minor}")
    return defines


def _compiler_version(compiler: list[str]) -> str:
    done = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=False)
    return done.stdout


def _names(target: Target) -> set[str]:
    """Return every CUDA name in TensorFlow's libraries: exported ones, and texts to look up."""
    names: set[str] = set()
    for library in target.libraries:
        names |= {name for name in exported_names(library) if FAMILY.fullmatch(name)}
        names |= text_names(library, FAMILY_BYTES)
    return names


def _sources() -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted(_SOURCE.glob("*.[ch]"))}


def compile_object(
    compiler: list[str], target: Target, folder: Path, flags: Sequence[str] = ()
) -> Path:
    """Compile the driver in a folder, with these flags too, and return the object.

    Raises:
        NoCompiler: it failed.
    """
    for name, text in _sources().items():
        (folder / name).write_text(text, "utf-8")
    (folder / "table.c").write_text(stub_table(_names(target)), "utf-8")
    files = sorted(path.name for path in folder.glob("*.c"))
    command = [*compiler, *_FLAGS, *flags, *_defines(target), *files, *_LINK, "-o", OBJECT]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoCompiler(f"{' '.join(compiler)} failed:\n{done.stderr[-4000:]}")
    return folder / OBJECT


def _compile(compiler: list[str], target: Target, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".simgpu-") as made:
        work = Path(made)
        compile_object(compiler, target, work)
        ready = work / "ready"
        ready.mkdir()
        (work / OBJECT).rename(ready / OBJECT)
        for stem, versions in LIBRARIES.items():
            for version in versions:
                (ready / (f"{stem}.{version}" if version else stem)).symlink_to(OBJECT)
        (ready / "bin").mkdir()
        ptxas = ready / "bin" / "ptxas"
        ptxas.write_text(_PTXAS, "utf-8")
        ptxas.chmod(ptxas.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        try:
            ready.rename(folder)
        except OSError:  # another process was first: its folder has the same content
            if not (folder / OBJECT).is_file():
                raise
