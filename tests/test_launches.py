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
        "export CUDA_VISIBLE_DEVICES=$LOCAL_RANK\npython $DIR/train.py\n",
        "srun -n 4 --gpus-per-task 1 python -m train\n",
        "srun -n4 -G4 --gpus-per-task=1 python train.py\n",
        "srun -n 4 --gres=gpu:4 --gpu-bind=single:1 python train.py\n",
        "mpirun -np 2 bash -c 'CUDA_VISIBLE_DEVICES=$OMPI_COMM_WORLD_LOCAL_RANK python train.py'\n",
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


ONE = "srun -n 4 --gpus-per-task=1 python train.py\n"
HEAD = "import os\nimport tensorflow as tf\n"
LIST = "gpus = tf.config.list_physical_devices('GPU')\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (f"{HEAD}{LIST}x = gpus[int(os.environ['SLURM_LOCALID'])]\n", "IndexError"),
        (f"{HEAD}{LIST}rank = int(os.environ['SLURM_LOCALID'])\nx = gpus[rank]\n", "IndexError"),
        (f"{HEAD}{LIST}x = gpus[args.local_rank]\n", "IndexError"),
        (
            f"{HEAD}config = tf.compat.v1.ConfigProto()\n"
            "config.gpu_options.visible_device_list = str(hvd.local_rank())\n"
            "tf.compat.v1.Session(config=config)\n",
            "InvalidArgumentError",
        ),
        (f"{HEAD}ids = [0, 1]\nx = ids[args.local_rank]\n", ""),
        (f"{HEAD}{LIST}x = gpus[args.local_rank]  # tfgpu: ignore[one-gpu-by-rank]\n", ""),
    ],
)
def test_what_takes_a_gpu_by_rank(tmp_path: Path, text: str, error: str) -> None:
    found = audited(tmp_path, job_sh=ONE, train_py=text).get("train.py", [])
    assert "TFX003" not in [item.code for item in found]
    messages = [item.message for item in found if item.code == "TFS201"]
    assert len(messages) == bool(error)
    assert all(error in message for message in messages)


@pytest.mark.parametrize(
    ("command", "program", "severity", "words"),
    [
        ("horovodrun -np 4 python train.py", PLAIN, "warning", "knows no local rank"),
        ("horovodrun -np 4 python train.py", BY_RANK, "", ""),
        ("mpirun -np 4 python -c 'import train'", PLAIN, "", ""),
        ("mpirun -np 4 python src/train.py", PLAIN, "warning", "each takes all GPUs it sees"),
        ("srun --ntasks=4 python train.py", PLAIN, "warning", "train.py"),
        ("torchrun --nproc_per_node=4 train.py", PLAIN, "warning", "train.py"),
        ("srun -n4 -G4 python train.py", PLAIN, "warning", "train.py"),
        ("srun -n1 python train.py", PLAIN, "", ""),
        ("python -m horovod.runner -np 4 python train.py", PLAIN, "warning", "train.py"),
        ("python -m torch.distributed.launch --nproc_per_node 2 train.py", PLAIN, "warning", ""),
        ("mpirun -np 4 python train.py", TORCH, "", ""),
        ("torchrun --nproc_per_node=4 train.py", TORCH, "", ""),
        ("torchrun --nproc_per_node=4 -m package", PLAIN, "", ""),
        ("srun -n 1 python train.py", PLAIN, "", ""),
        ("srun -n 4 --gpus-per-task 1 python train.py", PLAIN, "", ""),
        ("srun -n 4 --gpus-per-node=4 --gpu-bind=single:1 python train.py", PLAIN, "", ""),
        ("mpirun -np 4 -npernode 1 python train.py", PLAIN, "", ""),
        ("mpirun -np 4 python train.py", f"# local_rank\n{PLAIN}", "warning", "train.py"),
        ("mpirun -np 4 python train.py", f"# CUDA_VISIBLE_DEVICES\n{PLAIN}", "note", ""),
    ],
)
def test_processes_of_a_program(
    tmp_path: Path, command: str, program: str, severity: str, words: str
) -> None:
    path = "src__train_py" if "src/" in command else "train_py"
    found = audited(tmp_path, **{"job_sh": f"{command}\n", path: program}).get("job.sh", [])
    found = [item for item in found if item.code != "TFE005"]
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
    assert rules(found["a.py"]) == [("TFS205", "note")]


def test_a_local_rank_in_an_imported_file(tmp_path: Path) -> None:
    files = {"job_sh": "mpirun -np 4 python train.py\n", "devices_py": BY_RANK}
    found = audited(tmp_path, **files, train_py=f"import devices\n{PLAIN}")
    assert "job.sh" not in found


FLAG = "tensorflow_model_server --tensorflow_session_config_file"
GROWTH = "gpu_options { allow_growth: true }"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("serve_sh", f"cat > /tmp/s.config <<EOF\n{GROWTH}\nEOF\n{FLAG}=/tmp/s.config\n"),
        ("serve_sh", f"tee /tmp/s.config <<EOF\n{GROWTH}\nEOF\nexec {FLAG}=/tmp/s.config\n"),
        ("serve_sh", f'cat > "$1" <<EOF\n{GROWTH}\nEOF\n{FLAG}=/tmp/s.config\n'),
        ("serve_sh", f"echo '{GROWTH}' > s.config\n{FLAG}=s.config\n"),
        ("serve_sh", f"kubectl create cm c --from-literal=s.config='{GROWTH}'\n{FLAG}=/c/s.config"),
        ("Dockerfile", f"COPY <<EOF /etc/s.config\n{GROWTH}\nEOF\nCMD {FLAG}=/etc/s.config\n"),
        ("Dockerfile", f"RUN echo '{GROWTH}' > /etc/s.config\nCMD {FLAG}=/etc/s.config\n"),
        ("pod_yaml", f"command: {FLAG}=/c/s.config\n---\ndata:\n  s.config: |\n    {GROWTH}\n"),
        ("pod_yaml", f"command: {FLAG}={{{{ .f }}}}\n---\ndata:\n  s.config: |\n    {GROWTH}\n"),
    ],
)
def test_text_that_is_put_where_serving_reads_it(tmp_path: Path, name: str, text: str) -> None:
    ((_, found),) = audited(tmp_path, **{name: text}).items()
    ((flag), (growth)) = sorted(found, key=lambda item: item.code == "TFG101")
    assert rules([flag, growth]) == [("TFS002", "note"), ("TFG101", "note")]
    assert growth.caused_by


def test_text_that_is_put_elsewhere_is_no_matter_of_serving(tmp_path: Path) -> None:
    text = f"cat > train.config <<EOF\n{GROWTH}\nEOF\n{FLAG}=/tmp/s.config\n"
    found = audited(tmp_path, serve_sh=text)["serve.sh"]
    assert ("TFG101", "warning") in rules(found)


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


def test_an_error_of_tfgpu_costs_the_launcher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> bool:
        raise KeyError("nobody has foreseen")

    monkeypatch.setattr("tfgpu.launches._has_tensorflow", broken)
    (tmp_path / "job.sh").write_text("mpirun -np 2 python train.py\n")
    (tmp_path / "train.py").write_text(BY_RANK)
    job = Job(Options(), rewrite=False, kinds=EVERY)
    launcher, program = run([str(tmp_path)], job, 1)
    assert str(launcher.reason).startswith("tfgpu itself failed (KeyError in tests.test_launches:")
    assert program.reason is None
