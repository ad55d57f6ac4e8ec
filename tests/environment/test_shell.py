"""Shell: who sees which variable, and what is no setting at all."""

from __future__ import annotations

import pytest

from tests.environment.reading import D, G, items, rules, said, settings, troubles, values
from tfgpu.environment.model import ConfigPiece, Setting


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (f"export {D}=0", "0"),
        (f"export {D}=1,0", "1,0"),
        (f"export {D}='0,1'", "0,1"),
        (f'export {D}="0,1"', "0,1"),
        (f'export {D}="0",1', "0,1"),
        (f"export {D}=\\0", "0"),
        (f"export {D}=$'0'", "0"),
        (f"export {D}=$'\\x30'", None),
        (f"export {D}=", ""),
        (f'export {D}=""', ""),
        (f"export {D}=$1", None),
        (f'export {D}="$1,2"', None),
        (f"export {D}=0,$1", None),
        (f"export {D}=$(free-gpu)", None),
        (f"export {D}=`free-gpu`", None),
        (f"export {D}+=,1", None),
        (f"declare -x {D}=0", "0"),
        (f"typeset -x {D}=0", "0"),
        (f'export "{D}=0"', "0"),
        (f"export '{D}'=0", "0"),
        (f'export "{D}"="$1"', None),
        (f'export "{D}=${{1:-0}}"', None),
        (f'declare -x "{D}=0"', "0"),
        (f"printf -v {D} '%s' 0", "0"),
        (f"printf -v {D} 0", "0"),
        (f"printf -v {D} '%s,%s' 0 1", None),
        (f'printf -v {D} %s "$1"', None),
        (f"{D}=0 python train.py", "0"),
        (f"A=1 {D}=0 B=2 python train.py", "0"),
        (f"env -i {D}=0 python train.py", "0"),
        (f'env "{D}=0" python train.py', "0"),
        (f'env "{D}=$1" python train.py', None),
        (f"sudo -E env {D}=0 nohup python train.py", "0"),
        (f"time {D}=0 python train.py", "0"),
        (f"timeout 30 env {D}=0 python train.py", "0"),
        (f"timeout -k 5 30 env {D}=0 python train.py", "0"),
        (f"sudo -u tf nice -n 5 env {D}=0 python train.py", "0"),
        (f"env -u FOO {D}=0 python train.py", "0"),
        (f"stdbuf -oL env {D}=0 python train.py", "0"),
        (f"setsid nohup env {D}=0 python train.py", "0"),
        (f"taskset -c 0-3 env {D}=0 python train.py", "0"),
        (f"chrt -f 50 env {D}=0 python train.py", "0"),
        (f"numactl -N 0 -m 0 env {D}=0 python train.py", "0"),
        (f"xargs -P2 -I{{}} sh -c '{D}={{}} python train.py' < list", None),
        (f"parallel '{D}=$(({{%}} - 1)) python train.py {{}}' ::: 1 2", None),
        (f"parallel '{D}={{1}} python train.py' ::: 0 1", None),
        (f"parallel '{D}=0 python train.py {{}}' ::: 0 1", "0"),
        (f"parallel {D}={{%}} python train.py ::: 0 1", None),
        (f"parallel -j 2 A=b {D}=0 python train.py ::: 0 1", "0"),
        (f"parallel -j2 env {D}='{{1}}' python train.py {{2}} ::: 0 1", None),
        (f"parallel '{D}={{= $_ %= 2 =}} python train.py' ::: 0 1", None),
        (f"parallel -I GPU {D}=GPU python train.py ::: 0 1", None),
        (f"xargs -P4 -I{{}} env {D}={{}} python train.py", None),
        (f"xargs -P 4 -I GPU env {D}=GPU python train.py", None),
        (f"xargs -rI % env {D}=% python train.py", None),
        (f"xargs -i env {D}={{}} python train.py", None),
        (f"xargs --replace=@ docker run -e {D}=@ image", None),
        (f"xargs -I GPU sh -c '{D}=GPU python train.py'", None),
        (f"xargs -n 1 env {D}={{}} python train.py", "{}"),
        (f"xargs -I{{}} env {D}=0 python {{}}", "0"),
        (f"find . -name '*.py' -exec env {D}=0 python {{}} \\;", "0"),
        (f"find gpus -type f -execdir env {D}={{}} python train.py \\;", None),
        (f"singularity exec --nv --env A=b,{D}=0 tf.sif python train.py", "0"),
        (f"apptainer exec --nv tf.sif env {D}=0 python train.py", "0"),
        (f"( export {D}=0; python train.py )", "0"),
        (f"if true; then export {D}=0; fi", "0"),
        (f"f() {{ export {D}=0; }}", "0"),
        (f"case $1 in a) export {D}=0;; esac", "0"),
        (f"x=$({D}=0 python train.py)", "0"),
        (f"{D}=0 \\\n  python train.py", "0"),
        (f"nohup bash -c '{D}=0 python train.py' &", "0"),
        (f'bash -c "{D}=0 python \\"a b\\""', "0"),
        (f"ssh host '{D}=0 python train.py'", "0"),
        (f"tmux send-keys -t 0 '{D}=0 python train.py' Enter", "0"),
        (f"eval '{D}=0 python train.py'", "0"),
        (f"mpirun -np 4 -x {D}=0 -x PATH python train.py", "0"),
        (f"srun --export=ALL,{D}=0 python train.py", "0"),
        (f"docker run -e {D}=0 image", "0"),
        (f"docker run --env {D}=0 image", "0"),
        (f"docker run --env={D}=0 image", "0"),
        (f"docker run -e{D}=0 image", "0"),
        (f'docker run -e {D}="$1" image', None),
        (f"docker run image env {D}=0 python train.py", "0"),
        (f"docker exec -it box bash -c '{D}=0 python train.py'", "0"),
        (f"echo 'export {D}=0' >> ~/.bashrc", "0"),
        (f"echo {D}=0 >> .env", "0"),
        (f"echo -e 'A=1\\n{D}=0\\n' >> .env", "0"),
        (f'printf "export {D}=0\\n" >> .env', "0"),
        (f'printf "{D}=%s\\n" "$1" >> .env', None),
        (f"docker-compose run -e {D}=0 train", "0"),
        (f"docker compose run -e {D}=0 train", "0"),
        (f"kubectl set env deploy/x {D}=0", "0"),
        (f"unset A {D}", None),
        (f': "${{{D}:=0}}"', "0"),
        (f"python - <<EOF\nimport os\nos.environ['{D}'] = '0'\nEOF", "0"),
        (f"python <<EOF\nos.environ.setdefault('{D}', pick())\nEOF", None),
        (f"python3 -c \"import os; os.environ['{D}'] = '0'; train()\"", "0"),
    ],
)
def test_what_is_set(line: str, value: str | None) -> None:
    assert values("a.sh", f"{line}\npython test.py\n") == [value]


@pytest.mark.parametrize(
    "line",
    [
        f"# export {D}=0",
        f"echo {D}=0",
        f"echo 'run it with {D}=0 python train.py'",
        f"echo 'export {D}=0' > notes.txt",
        f"python train.py {D}=0",
        f"python train.py --env {D}=0",
        f"docker run -e {D} image",
        f"docker run image python train.py -e {D}=0",
        f"docker images -e {D}=0",
        f"docker ps {D}=0",
        "docker run",
        f"cat <<EOF > notes.md\nexport {D}=0\nEOF",
        f"grep '{D}=0' train.sh",
        f"test -n ${D}",
        f"export {D}",
        f'export "{D}"',
        f'export "A{D}=0"',
        f'export "$A{D}=0"',
        f'export "a {D}=0"',
        f"printf '{D}=%s' 0",
        f"printf -v a '{D}=0'",
        f"echo {D}=0 >> $GITHUB_OUTPUT",
        f"python x.py | tee -a log {D}=0",
        f"A[0]={D}",
        f"a[{D}]=0",
        "nohup",
        "env -i",
    ],
)
def test_what_is_no_setting(line: str) -> None:
    assert values("a.sh", f"{line}\n") == []


def test_heredocs_that_are_scripts_are_read() -> None:
    text = f"""
        cat > run.sh <<EOF
        export {D}=1
        EOF
        bash <<'END'
        {D}=2 python train.py
        END
        cat <<EOF > job
        #!/bin/bash
        export {D}=3
        EOF
    """
    assert settings("a.sh", text) == [
        (2, D, "1", "exported"),
        (5, D, "2", "command"),
        (9, D, "3", "exported"),
    ]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (f'echo "{D}=0" >> $GITHUB_ENV', "0"),
        (f'echo {D}=0 >> "${{GITHUB_ENV}}" 2>&1', "0"),
        (f'echo "{D}=$1" >> "$GITHUB_ENV"', None),
        (f'echo {D}=$1 >> "$GITHUB_ENV"', None),
        (f"echo {D}='\"0\"' >> $GITHUB_ENV", '"0"'),
        (f'{{ echo A=b; echo "{D}=0"; }} >> $GITHUB_ENV', "0"),
        (f"if true; then echo {D}=0; fi >> $GITHUB_ENV", "0"),
        (f'echo "{D}=0" | tee -a "$GITHUB_ENV"', "0"),
        (f"cat >> $GITHUB_ENV <<EOF\nA=b\n{D}=0\nEOF", "0"),
        (f"cat <<EOF >> $GITHUB_ENV\n{D}=$1\nEOF", None),
        (f"tee -a $GITHUB_ENV <<EOF\n{D}=0\nEOF", "0"),
        (f"printf 'A=b\\n{D}=0\\n' >> $GITHUB_ENV", "0"),
        (f"printf '{D}=%s\\n' 0 >> $GITHUB_ENV", None),
        (f'echo "{D}=0" >> $env:GITHUB_ENV', "0"),
        (f"echo 'export {D}=0' >> $BASH_ENV", "0"),
    ],
)
def test_what_a_step_sets_for_those_behind_it(line: str, value: str | None) -> None:
    assert [item[1:] for item in settings("a.sh", f"{line}\n") if item[1] == D] == [
        (D, value, "exported")
    ]


def test_places_in_the_file_of_later_steps() -> None:
    text = f"printf 'A=b\\n{D}=0\\n' >> $GITHUB_ENV\ncat <<EOF >> $GITHUB_ENV\n{D}=0\nEOF\n"
    assert [item[:2] for item in said("a.sh", text)] == [(1, 14), (3, 1)]


def test_places_are_those_of_the_file() -> None:
    text = f"""
        # é
        echo é; export {D}=0,1  # é
        bash -c "true; {D}=2 python x.py"
    """
    found = [item.span for item in items("a.sh", text) if isinstance(item, Setting)]
    assert [(span.line, span.column, span.end_column) for span in found] == [
        (2, 16, 16 + len(D) + 4),
        (3, 16, 16 + len(D) + 2),
    ]


def test_a_default_is_told() -> None:
    for value in ("${1:-0}", '"${GPU-0}"', "${GPU:=0}"):
        (found,) = said("a.sh", f"export {D}={value}\n")
        assert found[2:] == (
            "cuda-visible-devices",
            f"{D}={value.strip(chr(34))}: 0 unless something else is given",
        )
    (found,) = said("a.sh", f"export {D}=${{1:-}}\n")
    assert "empty unless" in found[3]


@pytest.mark.parametrize(
    ("text", "way"),
    [
        (f"{D}=0\npython train.py", "assigned"),
        (f"{D}=0 && python train.py", "assigned"),
        (f"{D}=0; python train.py", "assigned"),
        (f"local {D}=0\npython train.py", "assigned"),
        (f"{D}=0\nexport {D}\npython train.py", "exported"),
        (f"export {D}\n{D}=0\npython train.py", "exported"),
        (f"set -a\n{D}=0\npython train.py", "exported"),
        (f'{D}=0\nexport "{D}"\npython train.py', "exported"),
        (f'export "A" "{D}=0"\npython train.py', "exported"),
        (f"export {D}\nprintf -v {D} '%s' 0\npython train.py", "exported"),
        (f"printf -v {D} '%s' 0\npython train.py", "assigned"),
        (f'local "{D}=0"\npython train.py', "assigned"),
        (f"set -o allexport\n{D}=0\npython train.py", "exported"),
        (f"{D}=0\npython train.py --gpu ${D}", "file"),
        (f"{D}=0\npython train.py --gpu ${{{D}}}", "file"),
        (f"{D}=0\necho done", "file"),
    ],
)
def test_who_sees_an_assignment(text: str, way: str) -> None:
    assert [item[3] for item in settings("a.sh", text)] == [way]
    assert (rules("a.sh", text) == [(1, "not-exported")]) == (way == "assigned")


def test_two_assignments_before_a_command_on_the_next_line_are_none_of_its_own() -> None:
    text = f"{D}=0 A=''\npython train.py\n"
    assert settings("a.sh", text)[0] == (1, D, "0", "assigned")


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (f"{D} = 0", "blanks-around-equals"),
        (f"{D} =0 python x.py", "blanks-around-equals"),
        (f"{D}= 0 python x.py", "blanks-around-equals"),
        (f"{D}= 0,1 python x.py", "blanks-around-equals"),
        (f"export {D} = 0", "blanks-around-equals"),
        (f"export {D} =0", "blanks-around-equals"),
        (f"set {D}=0", "set-in-shell"),
    ],
)
def test_lines_that_set_nothing(line: str, rule: str) -> None:
    assert troubles("a.sh", line) == [(1, rule)]


@pytest.mark.parametrize(
    "line", [f"{D}= python x.py", "X = 0", "set X=0", "export X = 0", f"set -- {D}", "X= 0 a"]
)
def test_lines_that_are_in_order(line: str) -> None:
    assert troubles("a.sh", line) == []


@pytest.mark.parametrize(
    ("line", "request_", "value"),
    [
        ("docker run --gpus all image", "docker --gpus", "all"),
        ("docker run --gpus=2 -it image", "docker --gpus", "2"),
        ("""docker run --rm --gpus '"device=0,1"' image""", "docker --gpus", '"device=0,1"'),
        ("docker run --gpus $N image", "docker --gpus", None),
        ("docker run --runtime=nvidia image", "docker --runtime", "nvidia"),
        ("docker run --device nvidia.com/gpu=all image", "docker --device", "nvidia.com/gpu=all"),
        ("sudo docker run -v /a:/b --name x -it --gpus all image", "docker --gpus", "all"),
        ("nvidia-docker run -it image", "docker --runtime", "nvidia"),
        ("podman run --gpus all image", "docker --gpus", "all"),
        ("srun --gres=gpu:2 python x.py", "slurm --gres", "gpu:2"),
        ("srun --gres gpu:2 python x.py", "slurm --gres", "gpu:2"),
        ("sbatch --gpus-per-node=4 job.sh", "slurm --gpus-per-node", "4"),
        ("srun -G 2 -p gpu python x.py", "slurm --gpus", "2"),
        ("#SBATCH --gres=gpu:2", "slurm --gres", "gpu:2"),
        ("#SBATCH --gres gpu:2   # two", "slurm --gres", "gpu:2"),
        ("#SBATCH --gpus=2", "slurm --gpus", "2"),
        ("#SBATCH -G 2", "slurm --gpus", "2"),
        ("#SBATCH -G2", "slurm --gpus", "2"),
        ("#PBS -l nodes=1:ppn=4:gpus=2", "PBS -l", "nodes=1:ppn=4:gpus=2"),
        (
            "#PBS -l select=1:ncpus=4:ngpus=1,walltime=1:00",
            "PBS -l",
            "select=1:ncpus=4:ngpus=1,walltime=1:00",
        ),
        ("#$ -l gpu=1", "Grid Engine -l", "gpu=1"),
        ('#BSUB -gpu "num=2"', "LSF -gpu", "num=2"),
        ("bsub -q long -gpu num=2 python x.py", "LSF -gpu", "num=2"),
        ("qsub -l nodes=1:gpus=2 job.sh", "qsub -l", "nodes=1:gpus=2"),
        ("singularity exec --nv x.sif python x.py", "singularity --nv", ""),
        ("kubectl run x --image=y --limits=cpu=1,nvidia.com/gpu=2", "nvidia.com/gpu", "2"),
        (
            "gcloud compute instances create x --accelerator=type=t4,count=2",
            "cloud accelerators",
            "2",
        ),
        ("gcloud compute instances create x --accelerator type=t4", "cloud accelerators", "1"),
        (
            "gcloud ai custom-jobs create --worker-pool-spec=accelerator-count=4",
            "cloud accelerators",
            "4",
        ),
    ],
)
def test_what_is_asked_for(line: str, request_: str, value: str | None) -> None:
    assert settings("a.sh", line + "\n") == [(1, request_, value, "request")]


@pytest.mark.parametrize(
    "line",
    [
        "python train.py --gpus 2",
        "docker run image python train.py --gpus 2",
        "docker run --runtime=runc image",
        "docker run --device /dev/dri image",
        "srun --gres=license:1 python x.py",
        "srun python train.py --gpus 2",
        "srun",
        "srun --pty",
        "#SBATCH --gres=license:1",
        "#SBATCH --time=1:00",
        "#SBATCH -J 'unfinished",
        "##SBATCH --gres=gpu:2",
        "true\n  #SBATCH --gres=gpu:2",
        "#PBS -l walltime=1:00",
        "#PBS -N gpu=1",
        "qsub -l walltime=1:00 job.sh",
        "bsub -q gpu python x.py",
        "singularity exec x.sif python x.py",
        "kubectl get pods -l a=b",
        "gcloud compute instances create x --machine-type=n1",
        "gcloud",
        "singularity exec",
        "python train.py --accelerator gpu",
    ],
)
def test_what_is_not_asked_for(line: str) -> None:
    assert settings("a.sh", line + "\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "docker run --device nvidia.com/gpu=all image",
        "qsub -l gpu=2 job.sh",
        "#PBS -l nodes=1:gpus=2",
        "#$ -l gpu=1",
    ],
)
def test_a_request_is_said_as_it_is_written(line: str) -> None:
    (found,) = said("a.sh", line + "\n")
    flag = found[3].partition(": ")[0].rpartition(" -")[2].lstrip("-")
    assert flag in line


def test_variables_of_a_job() -> None:
    text = f"#SBATCH --export=ALL,{D}=1,PATH\npython x.py\n"
    assert settings("a.sh", text) == [(1, D, "1", "exported")]


def test_a_value_that_nothing_can_have_used() -> None:
    text = f"""
        export {D}=0
        echo now
        export {D}=1
        python train.py
        export {D}=2
        if true; then
            export {D}=3
        fi
        {D}=4 python train.py
    """
    assert [item for item in rules("a.sh", text) if item[1] == "overwritten-variable"] == [
        (3, "overwritten-variable")
    ]
    same = f"export {D}=0\nexport {D}=0\n"
    assert "overwritten-variable" not in [rule for _, rule in rules("a.sh", same)]


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ('run_test "a b" "horovodrun -np 2 -H localhost:2 python train.py"', 1),
        ('run_test "bash -c \\"$env horovodrun -np 2 python train.py\\""', 1),
        ("run_test 'docker run --gpus all trainer'", 1),
        (f"run_test '{D}=0 python train.py'", 1),
        (f"run_test '{D}=0 is what the tests are run with'", 0),
        ("run_test 'horovodrun is needed for this'", 0),
        ('log_test "horovodrun -np 2 python train.py"', 0),
        ('other "horovodrun -np 2 python train.py"', 0),
        ("$PREFIX horovodrun -np 2 python train.py", 1),
        ("${PREFIX:-nice} docker run --gpus all trainer", 1),
        ("$PREFIX --gpus all trainer", 0),
    ],
)
def test_commands_that_functions_and_variables_start(line: str, count: int) -> None:
    functions = 'run_test() {\n  $@\n}\nlog_test() {\n  echo "$1"\n}\n'
    assert len(settings("a.sh", functions + line + "\n")) == count


def test_a_script_in_a_string_is_apart_from_the_one_around_it() -> None:
    text = f"export {D}=0\nssh host 'export {D}=1; python x.py'\n"
    assert "overwritten-variable" not in [rule for _, rule in rules("a.sh", text)]


FRACTION = "--per_process_gpu_memory_fraction=0.4"
SERVER = "tensorflow_model_server --port=1"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f'opts="{FRACTION} --port=1"\n{SERVER} $opts\n', [1]),
        (f"opts={FRACTION}\nexec {SERVER} ${{opts}} &\n", [1]),
        (f"opts='--port=1 {FRACTION}'\ndocker run tensorflow/serving $opts\n", [1]),
        (f'opts="--port=1"\nopts="$opts {FRACTION}"\n{SERVER} $opts\n', [2]),
        (f'opts="--port=1"\nopts+=" {FRACTION}"\n{SERVER} $opts\n', [2]),
        (f'opts=(--port=1 {FRACTION})\n{SERVER} "${{opts[@]}}"\n', [1]),
        (f'opts=(\n  --port=1\n  {FRACTION}\n)\n{SERVER} "${{opts[@]}}"\n', [3]),
        (f'opts=()\nif $x; then opts+=({FRACTION}); fi\n{SERVER} "${{opts[@]}}"\n', [2]),
        (f'f() {{\n  local opts="{FRACTION}"\n  {SERVER} $opts\n}}\n', [2]),
        (f'if $x; then o="{FRACTION}"; else o="{FRACTION}"; fi\n{SERVER} $o\n', [1, 1]),
        (f'command="tensorflow_model_server {FRACTION}"\n$command --port=1\n', [1]),
        (f"server=/bin/tensorflow_model_server\n$server {FRACTION}\n", [2]),
        (f'opts="{FRACTION}"\nopts="--port=1"\n{SERVER} $opts\n', []),
        (f'opts="{FRACTION}"\npython train.py $opts\n', []),
        (f'opts="{FRACTION}"\n{SERVER} $others\n', []),
    ],
)
def test_flags_that_a_variable_holds(text: str, lines: list[int]) -> None:
    found = [item for item in items("serve.sh", text) if isinstance(item, ConfigPiece)]
    assert [item.span.line for item in found if item.span is not None] == lines


def test_a_variable_that_doubles_itself_has_an_end() -> None:
    text = f'x="{FRACTION}"\n' + 'x="$x $x"\n' * 64 + f"{SERVER} $x\n"
    assert len(items("serve.sh", text)) == 1


def test_a_value_in_a_variable_may_be_another_when_it_is_used() -> None:
    text = 'gpus=all\nif $x; then gpus=$1; fi\ndocker run --gpus "$gpus" image\n'
    assert [item[1:3] for item in settings("a.sh", text)] == [("docker --gpus", None)]


@pytest.mark.parametrize(
    ("flags", "wrong"),
    [
        ("--per_process_gpu_memory_fraction 0.7", True),
        ("--tensorflow_session_config_file s.config", True),
        ("--per_process_gpu_memory_fraction", True),
        ("--per_process_gpu_memory_fraction=", True),
        ("--per_process_gpu_memory_fraction=half", True),
        ("--tensorflow_intra_op_parallelism=4.5", True),
        ("--per_process_gpu_memory_fracton=0.5", True),
        ("--per_process_gpu_memory_fraction=.5", False),
        ("--per_process_gpu_memory_fraction=$X", False),
        ("--tensorflow_intra_op_parallelism=4", False),
        ("--model_config_file=m --ssl_config_file=s", False),
    ],
)
def test_flags_that_serving_does_not_read(flags: str, wrong: bool) -> None:
    found = troubles("serve.sh", f"tensorflow_model_server {flags}\n")
    assert found == ([(1, "serving-flag-ignored")] if wrong else [])
    assert troubles("train.sh", f"python train.py {flags}\n") == []


def test_strings_are_not_read_for_ever() -> None:
    text = f"export {D}=0"
    for _ in range(8):
        text = f"bash -c {_quoted(text)}"
    assert values("a.sh", text) == []


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def test_a_script_without_a_suffix_is_known_by_its_first_line() -> None:
    assert rules("train", f"#!/usr/bin/env bash\nexport {G}=true\n") == [
        (2, "force-gpu-allow-growth")
    ]


def test_windows_line_ends() -> None:
    (found,) = said("a.sh", f"export {D}=0\r\npython x.py\r\n")
    assert found[3] == f"{D}=0: TensorFlow's GPU:0 is CUDA's GPU 0"


def test_what_cannot_be_parsed_does_not_hide_the_rest() -> None:
    text = f"if [ x; then ((\nexport {D}=0\n}}}} fi )\nexport {D}=1\n"
    assert "1" in values("a.sh", text)
