"""The programs of several files under `fixtures/`, and how each is run."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FIXTURES = Path(__file__).parent.parent / "fixtures"


class Run(NamedTuple):
    """One way to run a program: the script, its arguments, environment variables."""

    program: str
    script: str = "main.py"
    argv: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()

    def path(self, leg: str) -> Path:
        """Return the script in `before` or `after`."""
        return FIXTURES / self.program / leg / self.script


SECOND_RANK = (("HVD_STUB_LOCAL_RANK", "1"), ("HVD_STUB_SIZE", "2"))
RUNS = [
    Run("chief_session"),
    Run("chief_session", argv=("--device_list", "0", "2")),
    Run("compat_module"),
    Run("config_args"),
    Run("config_args", argv=("--threads", "2")),
    Run("config_property"),
    Run("cpu_evaluation"),
    Run("cpu_evaluation", "evaluate.py"),
    Run("dqn_two_sessions"),
    Run("estimator"),
    Run("flags_fraction"),
    Run("flags_fraction", argv=("--gpu_fraction=0.4", "--nosoft_placement")),
    Run("flags_fraction", argv=("--xla",)),
    Run("horovod_package"),
    Run("horovod_package", variables=SECOND_RANK),
    Run("import_fallback"),
    Run("input_pipeline"),
    Run("keras_session_helper"),
    Run("monitored_training"),
    Run("monitored_training", argv=("--log_device_placement",)),
    Run("one_kept"),
    Run("package_helper"),
    Run("settings_module"),
    Run("settings_module", argv=("--gpu", "2")),
    Run("star_import"),
    Run("supervisor_session"),
    Run("supervisor_session", argv=("--no_soft_placement",)),
    Run("tf_util_helper"),
    Run("tower_loop"),
    Run("tower_loop", argv=("--num_gpus", "3", "--log_device_placement")),
    Run("train_and_eval_differ"),
    Run("trainer_class"),
    Run("trainer_class", argv=("--gpu-memory", "0.3", "--threads", "1")),
]
NAMES = sorted({run.program for run in RUNS})
# Programs whose configs all stay, and the rule that says why. Nothing of them is written, so there
# are no two sides to compare.
KEPT = {
    "estimator": "TFG606",
    "one_kept": "TFG403",
}
# Programs that unsafe fixes convert, and what keeps them else: a list of GPUs, or a fraction of
# their memory, that only a run knows.
UNSAFE = {
    "chief_session": "TFG918",
    "flags_fraction": "TFG102",
    "settings_module": "TFG918",
    "trainer_class": "TFG102",
}
# On TensorFlow 2 a function of tf.data makes the GPUs before the session of the program does: only
# TensorFlow 1 shows what the session's settings meant.
NEEDS_TENSORFLOW1 = "input_pipeline"


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a program with their bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*.py"))
    }
