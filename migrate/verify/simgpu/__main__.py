"""`python -m migrate.verify.simgpu --gpus sim:2xT4 [--log FILE] -- python train.py`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from migrate.verify.simgpu.build import CannotBuild
from migrate.verify.simgpu.gpus import SpecError
from migrate.verify.simgpu.launch import simulate
from migrate.verify.simgpu.target import NoTensorFlow


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="simgpu", description="Run a command on simulated GPUs.")
    parser.add_argument("--gpus", default="sim:2", help="such as sim:2, sim:2xT4, sim:16GiB,8GiB")
    parser.add_argument("--log", type=Path, help="append the driver's events to this file")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    command = given.command[1:] if given.command[:1] == ["--"] else given.command
    if not command:
        parser.error("no command; write it after --")
    try:
        return simulate(given.gpus, command, given.log)
    except (SpecError, NoTensorFlow, CannotBuild) as error:
        print(f"simgpu: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
