"""Runs programs in forks of one process that has imported TensorFlow, to import it only once.

Each line of the input is a program: {"path", "arguments", "variables", "output"}. Each line of the
answer is its exit status; what it printed is in the file `output`. CUDA is not touched before the
fork, so each program starts its own.
"""

import gc
import importlib
import json
import os
import runpy
import sys
import traceback


def program(path: str, arguments: list[str], variables: dict[str, str], output: str) -> int:
    """Run one program, in the child."""
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.environ.update(variables)
    sys.argv = [path, *arguments]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def main() -> None:
    """Answer until the input ends."""
    gc.disable()  # the import takes three quarters of the time without
    assert importlib.import_module("tensorflow").keras  # for all programs
    gc.collect()
    gc.freeze()  # else the first collection of each fork copies all that was imported
    gc.enable()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            status = program(**asked)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
