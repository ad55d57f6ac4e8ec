"""`tfgpu doctor`: checks the installation, and measures the GPUs that there are."""

from __future__ import annotations

import datetime
import json
import shutil
import sys
import time

import click

from tfgpu.cli.common import format_option, say
from tfgpu.report.doctor import doctor_json, doctor_lines
from tfgpu.verify.doctor.checks import (
    Check,
    Probed,
    check_driver_build,
    check_isolation,
    check_libraries,
    check_packages,
    check_tensorflow,
    compare,
    libraries_for_real_gpus,
    probe,
)

# Seconds for what comes before and after the clock: imports, the end of the probe, the report.
_REST = 1.5


@click.command()
@click.option(
    "--python", default=sys.executable, metavar="PYTHON",
    help="The Python interpreter whose TensorFlow is checked.  [default: this one]",
)  # fmt: skip
@click.option(
    "--timeout", type=click.FloatRange(1), default=20, show_default=True, metavar="SECONDS",
    help="The time limit for all checks.",
)  # fmt: skip
@format_option(["text", "json"], "text", "The format of the checks.")
def doctor(python: str, timeout: float, kind: str) -> None:
    """Check what simulated and real GPUs need on this machine, and measure its GPUs.

    Real GPUs are compared with the prediction for them; this allocates their memory as TensorFlow
    does, for a moment. Exit status: 0, or 1 if something is missing.
    """
    end = time.monotonic() + timeout
    if not shutil.which(python):
        raise click.UsageError(f"there is no interpreter {python}")
    tensorflow, target = check_tensorflow(python)
    checks = [tensorflow, *check_driver_build(), check_isolation(), *check_packages(python, target)]
    libraries = libraries_for_real_gpus(target)
    found = probe(python, libraries, end - time.monotonic() - _REST)
    gpus = compare(found, datetime.date.today().isoformat())
    checks += _of_probe(found, bool(gpus), tensorflow.good)
    remark = "\n".join(filter(None, ("" if gpus else _no_gpu(found), found.ended)))
    if kind == "json":
        click.echo(json.dumps(doctor_json(checks, gpus, remark), indent=2))
    else:
        for line in doctor_lines(checks, gpus, remark):
            say(line)
    sys.exit(int(not all(check.good for check in checks)))


def _of_probe(found: Probed, gpus: bool, tensorflow: bool) -> list[Check]:
    """Return the checks that only a process with TensorFlow can make."""
    checks = []
    if gpus:  # without a GPU nobody needs CUDA's libraries
        checks += [check_libraries(one["missing"]) for one in found.step("libraries")]
    for one in found.step("import"):
        if "error" in one and tensorflow:
            advice = "reinstall it: pip install --force-reinstall tensorflow"
            checks.append(Check("import of TensorFlow", False, one["error"], advice))
    for one in found.step("failure"):
        checks.append(Check(f"measuring ({one['of']})", False, one["error"]))
    without = [one["setting"] for one in found.step("setting") if not one["limits"]]
    if gpus and without:
        advice = "see CUDA libraries above; TF_CPP_MIN_LOG_LEVEL=0 makes TensorFlow say why"
        words = "the driver has GPUs, and TensorFlow makes no device on them"
        checks.append(Check("GPUs of TensorFlow", False, words, advice))
    return checks


def _no_gpu(found: Probed) -> str:
    reason = next((one["reason"] for one in found.step("no GPU")), "nothing was found")
    return f"No real GPU to measure ({reason}): simulated ones need none."
