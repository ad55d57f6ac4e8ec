"""Code that commands run: where it ends, and that it decides like the code of files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.tools import write
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.program.inline_code import code_of_commands
from tfgpu.run import run

CONF = """\
import tensorflow as tf


def make():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config
"""
MAIN = """\
import tensorflow as tf
import conf

with tf.Session(config=conf.make()) as sess:
    print(sess.run(tf.constant(1)))
"""
IN_WORKFLOW = """\
jobs:
  test:
    steps:
      - run: |
          python -c "
          import conf
          if conf.make():
              conf.x()
          "
          echo "import z"
"""


IN_POD = """\
containers:
  - name: x
    command:
    - python3
    - -c
    - |
      import a

      a.f()
    args: ["import z"]
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("python -c 'import a'", ["import a"]),
        ('python3.7 -u -c "import a; a.f(\\"$X\\")" && echo "import z"', ["import a\na.f('$X')"]),
        ("python -W ignore -c 'import a'; echo 'import z'", ["import a"]),
        ("python -c $'import a\\na.f()'", ["import a\na.f()"]),
        ("python -c 'import a; a.f('\"'\"'x'\"'\"')'\nimport z", ["import a\na.f('x')"]),
        ("X=$(python -c \"import a\")\nY=`python -c 'import b'`", ["import a", "import b"]),
        ('bash -c "python -c \\"import a; a.f()\\" && import z"', ["import a\na.f()"]),
        ("- run: 'python -c ''import a; a.f()'' ''import z'''", ["import a\na.f()"]),
        ('- run: "python -c \'import a; a.f()\'"\n- "import z"', ["import a\na.f()"]),
        ('RUN ["python", "-c", "import a; a.f()"]\nRUN import z', ["import a\na.f()"]),
        ("t:\n\t$(PYTHON) -c 'import a; print($(X))'", ["import a\nprint(_)"]),
        ("commands = {envpython} -c 'import a;\\\n  a.f()'\n", ["import a\na.f()"]),
        (IN_WORKFLOW, ["import conf\nif conf.make():\n    conf.x()"]),
        (IN_POD, ["import a\na.f()"]),
        ('- "python"\n- "-c"\n- "import a; a.f()"\n- import z', ["import a\na.f()"]),
        ("- python\n- -c\n- import a; a.f()\n- import z", ["import a\na.f()"]),
        ("python - <<'EOF' | cat\nimport a\na.f()\nEOF\nimport z\n", ["import a\na.f()"]),
        ("\tpython <<-EOF\n\timport a\n\tEOF\n\timport z\n", ["import a"]),
        ("cat > gen.py <<'EOF'\nimport a\na.f()\nEOF\n", ["import a\na.f()"]),
        ("python - <<EOF\r\nimport a\r\nEOF\r\nimport z\r\n", ["import a"]),
        ("python - << E << EOF\nimport a\nEOF\nimport z\n", ["import a"]),
        ("cat <<EOF > notes.txt\nimport z\nEOF\n", []),
        # What does not end, or ends with a quote of something else, is no more than its line.
        ('python -c "import a; a.f()\nimport z\n', ["import a\na.f()"]),
        ("python -c 'import a\nimport z ...\necho 'it'\n", ["import a"]),
        ("python - <<EOF\nimport z\n", []),
        ("python run.py -c 'import z'\nfind.py -c 'import z'\nfuncpy x -c 'import z'", []),
    ],
)
def test_code_of_a_command(text: str, found: list[str]) -> None:
    assert [code for _, code in code_of_commands(text.encode(), is_python=False)] == found


def test_code_in_texts_of_python() -> None:
    text = '''\
"""python -c "import z" """
import subprocess
CODE = """
    import a
    a.f({})
"""
subprocess.run([sys.executable, "-c", CODE.format(1)])
subprocess.run([sys.executable, "-c", f"import b; b.f({x!r})"])
os.system("python -c 'import c; c.f()' > %s" % out)
code = "import d; " + "d.f()"
code = "\\n".join(["import e", "e.f(%r)" % out])
print("import z from here")
'''
    found = [(3, "import a\na.f({})"), (8, "import b\nb.f({})"), (9, "import c\nc.f()")]
    found += [(10, "import d\nd.f()"), (11, "import e\ne.f(_)")]
    assert set(found) <= set(code_of_commands(text.encode(), is_python=True))


def test_code_in_a_long_sum() -> None:
    many = "".join(f" + 'a.f({number});'" for number in range(1_200))
    text = f"import os\nCODE = 'import a;'{many}\nos.system(f'python -c {{CODE}}')\n"
    assert next(code_of_commands(text.encode(), is_python=True))[1].count("a.f(") == 1_200


ASKS = "import conf; print(conf.make().gpu_options.allow_growth)"
IN_PYTHON = f'import subprocess\nsubprocess.run(["python", "-c", "{ASKS}"], check=True)\n'
CELL = {"cell_type": "code", "source": [f'!python -c "{ASKS}"'], "metadata": {}, "outputs": []}
NOTEBOOK = json.dumps({"cells": [CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
WRITTEN = f'open("gen.py", "w").write("{ASKS}")\n'


@pytest.mark.parametrize(
    ("name", "text", "is_kept"),
    [
        ("Makefile", f"t:\n\tpython -c '{ASKS}'\n", True),
        (".github/workflows/ci.yml", IN_WORKFLOW, True),
        ("check.py", IN_PYTHON, True),
        ("write.py", WRITTEN, True),
        ("show.ipynb", NOTEBOOK, True),
        # Code of a command is Python, whatever the file is that it stands in.
        ("Dockerfile.gpu", f"RUN python -c '{ASKS}'\n", True),
        ("Makefile.gpu", f"t:\n\tpython -c '{ASKS}'\n", True),
        ("write.sh", f"cat > gen.py <<EOF\n#!/bin/sh\n{ASKS}\nEOF\n", True),
        ("Makefile", "t:\n\tpython main.py -c 'import conf'\n", False),
        ("Dockerfile", "RUN python -c 'import os; print(os.name)'\n", False),
    ],
)
def test_code_of_commands_decides(tmp_path: Path, name: str, text: str, is_kept: bool) -> None:
    files = {"pyproject.toml": "", "conf.py": CONF, "main.py": MAIN, name: text}
    for path, content in files.items():
        write(tmp_path / path, content)
    results = list(run([str(tmp_path)], Job(Options(), rewrite=True), jobs=1))
    (config,) = [config for result in results for config in result.configs]
    assert not any(result.reason for result in results)
    assert (config.kept_by is not None) == is_kept


CLI = """\
import tensorflow as tf


def train():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.visible_device_list = "0"
    return tf.Session(config=config)


def evaluate():
    train()
    return tf.Session()


if __name__ == "__main__":
    train()
"""
COMMAND = "x-eval = x.cli:evaluate"


@pytest.mark.parametrize(
    ("name", "text", "is_kept"),
    [
        ("pyproject.toml", '[project.scripts]\nx-eval = "x.cli:evaluate"\n', True),
        ("pyproject.toml", '[project]\nscripts = {x-eval = "x.cli:evaluate"}\n', True),
        ("pyproject.toml", '[tool.poetry.scripts]\n"x.eval" = "x.cli:evaluate"\n', True),
        ("setup.cfg", f"[options.entry_points]\nconsole_scripts =\n  {COMMAND} [gpu]\n", True),
        ("setup.py", f"setup(entry_points={{'console_scripts': ['{COMMAND}']}})\n", True),
        ("pyproject.toml", '[project.scripts]\nx-train = "x.cli:train"\n', False),
        ("pyproject.toml", '[project.scripts]\nother = "y.cli:evaluate"\n', False),
    ],
)
def test_installed_commands_start_functions(
    tmp_path: Path, name: str, text: str, is_kept: bool
) -> None:
    for path, content in {"x/__init__.py": "", "x/cli.py": CLI, name: text}.items():
        write(tmp_path / path, content)
    results = list(run([str(tmp_path)], Job(Options(), rewrite=True), jobs=1))
    (config,) = [config for result in results for config in result.configs]
    assert not any(result.reason for result in results)
    assert (config.kept_by is not None) == is_kept


EVALUATION = """\
import tensorflow as tf


def run():
    return tf.Session()
"""
COMMANDS = "'x-train = x.cli:train', 'x-eval = x.evaluation:run'"


@pytest.mark.parametrize(
    ("name", "text", "is_entry"),
    [
        ("eval.sh", 'python -c "import x.evaluation; x.evaluation.run()"\n', True),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n  e = x.evaluation:run\n", True),
        ("setup.py", f"setup(entry_points={{'console_scripts': [{COMMANDS}]}})\n", True),
        ("eval.sh", 'python -c "import x.cli, x.evaluation; x.evaluation.run()"\n', False),
        ("eval.sh", "python x/cli.py\n", False),
    ],
)
def test_commands_start_files_without_a_config(
    tmp_path: Path, name: str, text: str, is_entry: bool
) -> None:
    cli = CLI.replace("import tensorflow as tf\n", "import tensorflow as tf\nimport x.evaluation\n")
    cli = cli.replace("    train()\n    return tf.Session()", "    x.evaluation.run()")
    files = {"x/__init__.py": "", "x/cli.py": cli, "x/evaluation.py": EVALUATION, name: text}
    for path, content in files.items():
        write(tmp_path / path, content)
    results = run([str(tmp_path)], Job(Options(), rewrite=True), jobs=1)
    new = {Path(result.path).name: result.new or b"" for result in results}
    assert b"disable_v2_behavior" in new["cli.py"]
    assert (b"disable_v2_behavior" in new["evaluation.py"]) == is_entry
