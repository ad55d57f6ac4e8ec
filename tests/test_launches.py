"""Findings of a launcher and of what it starts are one matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.results import Finding
from tfgpu.run import run

BY_RANK = (
    "import horovod.tensorflow as hvd\nimport tensorflow as tf\n"
    "gpus = tf.config.list_physical_devices('GPU')\n"
    "tf.config.set_visible_devices(gpus[hvd.local_rank()], 'GPU')\n"
)
PLAIN = "import tensorflow as tf\nprint(tf.add(1, 2))\n"
TORCH = "import torch\nprint(torch.cuda.is_available())\n"


def audited(folder: Path, **files: str) -> dict[str, list[Finding]]:
    """Return the findings by file; `job_sh` stands for `job.sh`."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    job = Job(Options(), rewrite=False, kinds=EVERY)
    return {
        Path(result.path).relative_to(folder).as_posix(): result.findings
        for result in run([str(folder)], job, 1)
        if result.findings
    }


def rules(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(item.code, item.severity) for item in findings]


@pytest.mark.parametrize(
    "job",
    [
        "srun -n 4 --gpus-per-task=1 python train.py\n",
        "#!/bin/bash\n#SBATCH --gpus-per-task=1\n#SBATCH --ntasks=4\nsrun python train.py\n",
        "CUDA_VISIBLE_DEVICES=$OMPI_COMM_WORLD_LOCAL_RANK python ./train.py --x\n",
        "CUDA_VISIBLE_DEVICES=${SLURM_LOCALID} \\\n  python train.py\n",
    ],
)
def test_a_gpu_by_rank_of_the_one_that_the_launcher_shows(tmp_path: Path, job: str) -> None:
    found = audited(tmp_path, job_sh=job, train_py=BY_RANK)
    (error,) = [item for item in found["train.py"] if item.code == "TFS201"]
    assert (error.line, error.severity) == (4, "error")
    assert "job.sh:" in error.message
    cause = error.key(str(tmp_path / "train.py"))
    assert cause in {item.caused_by for item in found["job.sh"]}


@pytest.mark.parametrize(
    "job",
    [
        "srun -n 4 --gres=gpu:4 python train.py\n",
        "srun -n 4 --ntasks-per-node=1 --gpus-per-task=1 python train.py\n",
        "srun -n 4 --gpus-per-task=1 --gpu-bind=none python train.py\n",
        "srun -n 4 --gpus-per-task=1 python other.py\n",
        "CUDA_VISIBLE_DEVICES=0,1 python train.py\n",
    ],
)
def test_a_gpu_by_rank_of_all(tmp_path: Path, job: str) -> None:
    found = audited(tmp_path, job_sh=job, train_py=BY_RANK)
    assert "TFS201" not in [item.code for items in found.values() for item in items]


@pytest.mark.parametrize(
    ("command", "program", "severity", "words"),
    [
        ("horovodrun -np 4 python train.py", PLAIN, "warning", "knows no local rank"),
        ("horovodrun -np 4 python train.py", BY_RANK, "", ""),
        ("mpirun -np 4 python -c 'import train'", PLAIN, "", ""),
        ("mpirun -np 4 python src/train.py", PLAIN, "warning", "each takes all GPUs"),
        ("srun --ntasks=4 python train.py", PLAIN, "warning", "train.py"),
        ("torchrun --nproc_per_node=4 train.py", PLAIN, "warning", "train.py"),
        ("python -m torch.distributed.launch --nproc_per_node 2 train.py", PLAIN, "warning", ""),
        ("mpirun -np 4 python train.py", TORCH, "", ""),
        ("torchrun --nproc_per_node=4 train.py", TORCH, "", ""),
        ("torchrun --nproc_per_node=4 -m package", PLAIN, "", ""),
        ("srun -n 1 python train.py", PLAIN, "", ""),
        ("spark-submit --conf spark.task.resource.gpu.amount=1 train.py", PLAIN, "note", ""),
    ],
)
def test_processes_of_a_program(
    tmp_path: Path, command: str, program: str, severity: str, words: str
) -> None:
    path = "src__train_py" if "src/" in command else "train_py"
    found = audited(tmp_path, **{"job_sh": f"{command}\n", path: program}).get("job.sh", [])
    assert rules(found) == ([("TFS204", severity)] if severity else [])
    assert all(words in item.message for item in found)


def test_processes_that_python_starts(tmp_path: Path) -> None:
    text = "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\nos.system('torchrun {}train.py')\n"
    found = audited(tmp_path, a_py=text.format("--nproc_per_node=2 "), train_py=TORCH)
    assert "TFS204" not in [item.code for item in found["a.py"]]
    found = audited(tmp_path, a_py=text.format("--nproc_per_node=2 "), train_py=PLAIN)
    assert ("TFS204", "warning") in rules(found["a.py"])


@pytest.mark.parametrize(
    "text",
    [
        "s = SparkSession.builder.config('spark.executor.resource.gpu.amount', 1).getOrCreate()\n",
        "conf = SparkConf().set('spark.task.resource.gpu.amount', '0.5')\n",
        "options = {'spark.driver.resource.gpu.amount': gpus}\n",
        "import os\nos.system('spark-submit --conf spark.task.resource.gpu.amount=1 b.py')\n",
    ],
)
def test_gpus_of_spark(tmp_path: Path, text: str) -> None:
    found = audited(tmp_path, a_py=f"import tensorflow as tf\n{text}", b_py=PLAIN)
    assert rules(found["a.py"]) == [("TFS204", "note")]


def test_a_local_rank_in_an_imported_file(tmp_path: Path) -> None:
    files = {"job_sh": "mpirun -np 4 python train.py\n", "devices_py": BY_RANK}
    found = audited(tmp_path, **files, train_py=f"import devices\n{PLAIN}")
    assert "job.sh" not in found


@pytest.mark.parametrize("name", ["session.config", "/models/conf/session.config"])
def test_a_file_that_serving_reads(tmp_path: Path, name: str) -> None:
    found = audited(
        tmp_path,
        serve_sh=f"tensorflow_model_server --tensorflow_session_config_file={name}\n",
        conf__session_config="gpu_options { allow_growth: true }\nplacement_periods: 1\n",
    )
    (flag,) = found["serve.sh"]
    growth, wrong = found["conf/session.config"]
    assert (growth.code, growth.severity) == ("TFG101", "note")
    assert "serve.sh:1" in growth.todo
    assert growth.caused_by == flag.key(str(tmp_path / "serve.sh"))
    assert (wrong.code, wrong.severity, wrong.caused_by) == ("TFG910", "error", "")
