"""What Python code sets for itself and for others, and what goes wrong with it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.environment.reading import D, G, every, rules, said
from tests.tools import book
from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.run import run

HEAD = "import os\nimport subprocess\nfrom os import environ\nimport tensorflow as tf\n"


def _python(code: str) -> list[tuple[int, str, str]]:
    """Return line, rule and message of the findings on code behind the usual imports."""
    lines = HEAD.count("\n")
    return [(line - lines, rule, text) for line, _, rule, text in said("a.py", HEAD + code)]


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (f"os.environ['{D}'] = '1'", "=1"),
        (f"environ['{D}'] = '1'", "=1"),
        (f"os.environ['{D}'] = ''", "="),
        (f"os.environ['{D}'] = gpu", "=gpu"),
        (f"os.environ['{D}'] = str(1)", "=1"),
        (f"n = 1\nos.environ['{D}'] = str(n)", "=1"),
        (f"os.environ['{D}'] = str(gpu)", "=str(gpu)"),
        (f"os.environ['{D}'] = repr(1)", "=repr(1)"),
        (f"GPU = '1'\nos.environ['{D}'] = GPU", "=1"),
        (f"os.environ.setdefault('{D}', '1')", "=1 (unless it is set already)"),
        (f"os.environ.update({{'{D}': '1'}})", "=1"),
        (f"os.environ.update({D}='1')", "=1"),
        (f"os.environ.update(dict({D}='1'))", "=1"),
        (f"environ.update({D}='1')", "=1"),
        (f"os.environ |= {{'{D}': '1'}}", "=1"),
        (f"env = os.environ.copy()\nenv['{D}'] = '1'", "=1 (for a process that is started)"),
        (f"env = copy()\nenv.update({D}='1')", "=1 (for a process that is started)"),
        (f"env = copy()\nenv.setdefault('{D}', '1')", "=1 (for a process that is started)"),
        (
            f"subprocess.run(['a'], env=dict(os.environ, {D}='1'))",
            "=1 (for a process that is started)",
        ),
        (
            f"subprocess.run(['a'], env={{**os.environ, '{D}': '1'}})",
            "=1 (for a process that is started)",
        ),
        (f"os.environ.update([('{D}', '1')])", "=1"),
        (f"os.environ.update(zip(['{D}'], ['1']))", "=1"),
        (f"os.environ = dict(os.environ, {D}='1')", "=1"),
        (f"os.environ = {{**os.environ, '{D}': '1'}}", "=1"),
        (f"for k, v in {{'{D}': '1'}}.items():\n  os.environ[k] = v", "=1"),
        (f"for k, v in [('{D}', '1')]:\n  os.environ[k] = v", "=1"),
        (
            f"E = {{'{D}': '1'}}\nfor k, v in E.items():\n  os.environ.setdefault(k, v)",
            "=1 (unless it is set already)",
        ),
        (f"for k, v in [('{D}', 1)]:\n  os.environ[k] = str(v)", "=str(v)"),
        (f"for k in ['{D}']:\n  os.environ[k] = '1'", "=1"),
        (f"E = {{'{D}': '1'}}\nos.environ.update(E)", "=1"),
        (f"e = os.environ\ne['{D}'] = '1'", "=1"),
        (f"os.environ.__setitem__('{D}', '1')", "=1"),
        (f"os.environ['A'], os.environ['{D}'] = '0', '1'", "=1"),
        (f"os.environb[b'{D}'] = b'1'", "=1"),
        (f"os.environ['{D}']: str = '1'", "=1"),
        (f"os.environ['{D}'] += '1'", f"=os.environ['{D}']"),
        (f"K = '{D}'\nos.environ[K] = '1'", "=1"),
        (f"K = '{D}'\nenv = {{**os.environ, K: '1'}}", "=1 (for a process that is started)"),
        (f"K = '{D}'\nenv = copy()\nenv[K] = '1'", "=1 (for a process that is started)"),
        ("os.environ['CUDA_' + 'VISIBLE_DEVICES'] = '1'", "=1"),
        ("P = 'CUDA'\nos.environ[f'{P}_VISIBLE_DEVICES'] = '1'", "=1"),
        ("os.environ['%s_VISIBLE_DEVICES' % 'CUDA'] = '1'", "=1"),
        (f"os.environ['{D}'] = f'{{0}},{{1}}'", "=0,1"),
        (f"os.environ['{D}'] = '{{}}'.format(1)", "=1"),
        (f"N = [0, 1]\nos.environ['{D}'] = ','.join(map(str, N))", "=','.join(map(str, N))"),
        (f"os.environ['{D}'] = ','.join(['0', '1'])", "=0,1"),
        (f"monkeypatch.setenv('{D}', '1')", "=1"),
        (f"monkeypatch.setitem(os.environ, '{D}', '1')", "=1"),
        (f"@mock.patch.dict(os.environ, {{'{D}': '1'}})\ndef f(): pass", "=1"),
        (f"with mock.patch.dict('os.environ', {D}='1'):\n  pass", "=1"),
        (f"with mock.patch.dict(os.environ, values=dict({D}='1')):\n  pass", "=1"),
        (f"with changed_environ({D}='1'):\n  pass", "=1 (for a process that is started)"),
        (f"change_env('{D}', '1')", "=1 (for a process that is started)"),
        (f"set_env_var('{D}', '1')", "=1 (for a process that is started)"),
        (f"def put(k, v):\n  os.environ[k] = v\nput('{D}', '1')", "=1"),
        (f"class A:\n  def put(self, k, v):\n    os.environ[k] = v\nA().put('{D}', '1')", "=1"),
        (
            f"def put(k, v):\n  os.environ[k] = v\nPool(initializer=put, initargs=('{D}', '1'))",
            "=1",
        ),
        (f"Pool(initializer=os.environ.__setitem__, initargs=('{D}', '1'))", "=1"),
        (f"V1EnvVar(name='{D}', value='1')", "=1 (for a process that is started)"),
        (f"V1EnvVar('{D}', '1')", "=1 (for a process that is started)"),
        (f"run('image', environment=['A=b', '{D}=1'])", "=1 (for a process that is started)"),
        (f"dict([('{D}', '1')])", "=1 (for a process that is started)"),
        (f"n = 'a'\nif b:\n  n = 'b'\nos.system(f'{D}=1 python {{n}}')", "=1 (for one command)"),
        (f"N = 1\nos.system(f'{D}={{N}} python x.py')", "=1 (for one command)"),
        (f"os.system('{D}=1 python x.py')", "=1 (for one command)"),
        (f"os.system('{D}=%d python x.py %% 1' % gpu)", "=... (for one command)"),
        (f"os.system('{D}={{}} python {{{{x}}}}'.format(gpu))", "=... (for one command)"),
        (f"os.system(f'{D}={{gpu}} python x.py')", "=... (for one command)"),
        (f"os.system('{D}=' + str(gpu) + ' python x.py')", "=... (for one command)"),
        (f"os.system('{D}=1 python ' + name)", "=1 (for one command)"),
        (f"cmd = '{D}=1 python x.py'\nsubprocess.run(cmd, shell=True)", "=1 (for one command)"),
        (f"subprocess.run(['env', '{D}=1', 'python'])", "=1 (for one command)"),
        (f"subprocess.run(['env', f'{D}={{gpu}}', 'a'])", "=... (for one command)"),
        (f"subprocess.Popen(['docker', 'run', '-e', '{D}=1', 'image', 2])", "=1"),
    ],
)
def test_what_is_set(code: str, shown: str) -> None:
    found = [text for _, rule, text in _python(code + "\n") if rule == "cuda-visible-devices"]
    assert [text.partition(": ")[0] for text in found] == [f"{D}{shown}"]


@pytest.mark.parametrize(
    "code",
    [
        f"print(os.environ['{D}'])",
        f"os.environ.get('{D}', '1')",
        f"os.environ.setdefault('{D}')",
        f"os.environ[name] = '{D}=1'",
        f"os.environ.update(values)  # {D}",
        f"print('{D}=1 python x.py')",
        f"os.system(command)  # {D}",
        f"print(dict(a='{D}'))",
        f"os.putenv(name, '{D}')",
        f"kwargs.pop('{D}')",
        f"flags.DEFINE_string('{D}', '0', 'Which GPUs are used')",
        f"for name in ['{D}', 'A']:\n  print(os.environ.get(name))",
        f"for name, about in [('{D}', 'Which GPUs are used')]:\n  print(name, about)",
        f"K = '{D}'\nprint(os.environ[K])",
        f"assert os.environ['{D}'] == '1'",
        f"a = (1, os.environ['{D}'])",
        f"with_environment('{D}')",
        f"def show(k, v):\n  print(os.environ[k], v)\nshow('{D}', '1')",
        f"help = '''run it with {D}=1'''",
    ],
)
def test_what_sets_nothing(code: str) -> None:
    assert _python(code + "\n") == []


@pytest.mark.parametrize(
    "code",
    [
        f"del os.environ['{D}']",
        f"os.environ.pop('{D}', None)",
        f"os.unsetenv('{D}')",
        f"env.pop('{D}')",
        f"monkeypatch.delenv('{D}', raising=False)",
        f"for name in ('A', '{D}'):\n  os.environ.pop(name, None)",
    ],
)
def test_what_is_removed(code: str) -> None:
    (found,) = _python(code + "\n")
    assert found[1:] == (
        "cuda-visible-devices",
        f"{D} is removed from the environment: it has no value from here on",
    )


def test_the_line_is_that_of_the_entry() -> None:
    code = f"""
    os.environ.update({{
        'OTHER': '1',
        '{D}': '0',
    }})
    for k, v in [
        ('A', 'b'),
        ('{G}',
         'true'),
    ]:
        os.environ[k] = v
    subprocess.run(
        ['a'],
        env=dict(
            os.environ,
            {D}='1',
        ),
    )
    """
    lines = [line for line, _, _ in _python(dedent(code).lstrip("\n"))]
    assert lines == [3, 7, 15]


def test_texts_for_people_are_no_settings() -> None:
    text = "'gpu_options { allow_growth: true }'"
    for code in (
        f"assert str(config) == {text}",
        f"self.assertProtoEquals({text}, config)",
        f"assert str(config) == textwrap.dedent({text}).strip()",
        f"print('config: %s' % {text})",
        f"log.info({text})",
        f"raise ValueError({text})",
        f"EXPECTED = {text}\nself.assertEqual(str(config), EXPECTED)",
    ):
        assert every("a.py", HEAD + code + "\n") == []
    for code in (f"TEXT = {text}\nparse(TEXT)", f"assert parse({text}).gpu_options", f"f({text})"):
        assert every("a.py", HEAD + code + "\n") == ["allow-growth"]


def test_names_and_values_of_other_files(tmp_path: Path) -> None:
    (tmp_path / "names.py").write_text(
        f"VISIBLE = '{D}'\nGPUS = '0,1'\nclass Names:\n  growth = '{G}'\n"
        "def order(kind='PCI_BUS_ID'):\n  return kind\nfor LAST in ['A', 'B']:\n  pass\n"
    )
    (tmp_path / "train.py").write_text(
        "import os\nimport names\nfrom names import GPUS, VISIBLE, Names, LAST, order\n"
        "os.environ[VISIBLE] = GPUS\nos.environ[Names.growth] = 'true'\nos.environ[LAST] = '1'\n"
        f"env = {{names.VISIBLE: f'{{GPUS}},2'}}\nos.environ['{D}'] = order()\n"
        "import tensorflow as tf\ntf.Session(config=tf.ConfigProto(allow_soft_placement=True))\n"
    )
    job = Job(Options(select=("TFE001",)), rewrite=False, kinds=EVERY)
    (found,) = [item for item in run([str(tmp_path)], job, 1) if item.findings]
    assert [(item.line, item.message.partition(": ")[0]) for item in found.findings] == [
        (4, f"{D}=0,1"),
        (7, f"{D}=0,1,2 (for a process that is started)"),
        (8, f"{D}=order()"),
    ]


def test_a_default_is_told() -> None:
    for code in (f"os.environ.get('{D}', '0')", "os.getenv('GPU', '0')"):
        (found,) = _python(f"os.environ['{D}'] = {code}\n")
        assert found[2] == f"{D}={code}: 0 unless something else is given"
    assert "only when it runs" in _python(f"os.environ['{D}'] = os.getenv('GPU', gpu)\n")[0][2]
    assert "only when it runs" in _python(f"os.environ['{D}'] = max('1', '2')\n")[0][2]


def test_places() -> None:
    code = f"os.environ['{D}'] = '1'\nos.system('true; {D}=1 x')\nos.system('{D}=\\x31 x')\n"
    lines = HEAD.count("\n")
    assert [(line - lines, column) for line, column, *_ in said("a.py", HEAD + code)] == [
        (1, 1),
        (2, 18),
        (3, 11),
    ]


def test_requests_in_commands() -> None:
    found = _python("subprocess.run(['docker', 'run', '--gpus', 'all', 'image'])\n")
    assert [rule for _, rule, _ in found] == ["gpu-request"]


@pytest.mark.parametrize("value", ["0", "-1", "None", "[0]", "True"])
def test_what_is_no_string(value: str) -> None:
    assert [rule for _, rule, _ in _python(f"os.environ['{D}'] = {value}\n")] == ["not-a-string"]


@pytest.mark.parametrize(
    "code",
    [
        f"subprocess.run(['a'], env={{'{D}': 0}})",
        f"subprocess.Popen(['a'], env=dict(os.environ, {D}=0))",
        f"env = {{'{D}': 0}}\nsubprocess.run(['a'], env=env)",
        f"env = {{}}\nenv['{D}'] = 0\nsubprocess.run(['a'], env={{**env}})",
        f"env = {{}}\nenv['{D}'] = 0\nboth = dict(env)\nos.execvpe('a', ['a'], both)",
        f"env = os.environ.copy()\nenv['{D}'] = 0",
        f"env = {{**os.environ, '{D}': 0}}",
        f"env = dict(os.environ)\nenv.update({D}=0)",
        f"env = dict(os.environ)\nenv.update({{'{D}': 0}})",
        f"env = os.environ.copy()\nenv.setdefault('{D}', 0)",
        f"new = {{'{D}': 0}}\nos.environ.update(new)",
        f"new = {{'{D}': 0}}\nenv = os.environ.copy()\nenv.update(new)",
    ],
)
def test_no_string_in_what_becomes_an_environment(code: str) -> None:
    assert "not-a-string" in [rule for _, rule, _ in _python(code + "\n")]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (f"env_of_my_tests = {{'{D}': None}}", []),
        (f"table = {{'{D}': True, '{G}': ['a']}}", []),
        (f"table = {{'{G}': 'doc of the variable'}}", []),
        (f"table = {{'{D}': 'doc of the variable'}}\nprint(table)", []),
        (f"table = dict({D}='doc of the variable')", []),
        (f"env = {{}}\nenv['{D}'] = 0", [f"{D}=0"]),
        (f"env = {{}}\nenv['{D}'] = -1", [f"{D}=-1"]),
        (f"docker.run('a', environment={{'{D}': 0}})", [f"{D}=0"]),
        (f"table = {{'{G}': 'true'}}", [f"{G}=true"]),
        (f"table = {{'{G}': value}}", [f"{G}=value"]),
    ],
)
def test_a_dictionary_that_may_be_anything_has_no_error(code: str, found: list[str]) -> None:
    told = [(rule, text.partition(": ")[0].partition(" (")[0]) for _, rule, text in _python(code)]
    assert [text for _, text in told] == found
    assert {rule for rule, _ in told} <= {"cuda-visible-devices", "force-gpu-allow-growth"}


@pytest.mark.parametrize(
    "code",
    [
        f"os.environ.update({{'{G}': '1'}})",
        f"subprocess.run(['a'], env={{'{G}': '1'}})",
        f"docker.run('a', environment={{'{G}': '1'}})",
        f"docker.run('a', environment=['{G}=1'])",
        f"ray.init(runtime_env={{'env_vars': {{'{G}': '1'}}}})",
        f"job = {{}}\njob['env'] = {{'{G}': '1'}}",
        f"with changed_environ({G}='1'):\n  pass",
        f"V1EnvVar(name='{G}', value='1')",
        f"monkeypatch.setenv('{G}', '1')",
    ],
)
def test_a_value_that_is_not_understood_in_an_environment(code: str) -> None:
    assert [rule for _, rule, _ in _python(code + "\n")] == ["value-not-understood"]


def test_two_dictionaries_do_not_overwrite_each_other() -> None:
    two = f"a = {{'{D}': '0'}}\nb = {{'{D}': '1'}}\n"
    one = f"a = {{}}\na['{D}'] = '0'\na['{D}'] = '1'\n"
    listed = f"runs = [{{'{D}': '0'}}, {{'{D}': '1'}}]\n"
    for code, count in ((two, 0), (one, 1), (listed, 0)):
        found = [rule for _, rule, _ in _python(code)]
        assert found.count("overwritten-variable") == count


def test_a_list_as_a_string_hides_every_gpu() -> None:
    assert [rule for _, rule, _ in _python(f"os.environ['{D}'] = str([0])\n")] == [
        "device-list-cut"
    ]


def test_putenv_is_told() -> None:
    found = [rule for _, rule, _ in _python(f"os.putenv('{D}', '1')\n")]
    assert found == ["cuda-visible-devices", "putenv"]


def test_misspelt_names() -> None:
    wrong = "CUDA_VISIBLE_DIVICES"
    assert _python(f"os.environ['{wrong}'] = '1'\n")[0][1] == "misspelt-variable"
    assert _python(f"os.system('{wrong}=1 python x.py')\n")[0][1] == "misspelt-variable"
    assert _python(f"labels = {{'{wrong}': '1'}}\n") == []


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (f"os.environ['{D}'] = '0'\nos.environ['{D}'] = '1'\n", [2]),
        (f"os.environ['{D}'] = '0'\nprint(1)\nx = 1\nos.environ['{D}'] = '1'\n", [4]),
        (f"os.environ['{D}'] = '0'\ntrain()\nos.environ['{D}'] = '1'\n", []),
        (f"os.environ['{D}'] = '0'\nos.environ['{D}'] = '0'\n", []),
        (f"os.environ['{D}'] = '0'\nos.environ['{D}'] = gpu\n", []),
        (f"os.environ['{D}'] = '0'\nif cpu:\n    os.environ['{D}'] = ''\n", []),
        (f"os.environ['{D}'] = '0'\nos.environ.setdefault('{D}', '1')\n", []),
        (f"os.environ['{D}'] = '0'\nyield_ = [(yield)]\nos.environ['{D}'] = '1'\n", []),
    ],
)
def test_a_value_that_nothing_can_have_used(code: str, lines: list[int]) -> None:
    if "yield" in code:
        code = "def f():\n" + "".join(f"    {line}\n" for line in code.splitlines())
    found = [line for line, rule, _ in _python(code) if rule == "overwritten-variable"]
    assert found == lines


SET = f"os.environ['{D}'] = '1'\n"
LIST = "gpus = tf.config.list_physical_devices('GPU')\n"


@pytest.mark.parametrize(
    "code",
    [
        LIST + SET,
        "tf.config.experimental.list_physical_devices('GPU')\n" + SET,
        "sess = tf.compat.v1.Session()\n" + SET,
        "if tf.test.is_gpu_available():\n    " + SET,
        "tf.distribute.MirroredStrategy()\n" + SET,
        LIST + f"os.environ.setdefault('{D}', '1')\n",
        LIST + f"os.putenv('{D}', '1')\n",
        LIST + "def main():\n    " + SET + "main()\n",
        LIST + "class A:\n    def main(self):\n        def inner():\n            " + SET,
        LIST + "os.environ['CUDA_DEVICE_ORDER'] = 'PCI_BUS_ID'\n",
        f"sess = tf.compat.v1.Session()\nos.environ['{G}'] = 'true'\n",
        "def f():\n    " + LIST + "    if cpu:\n        " + SET,
    ],
)
def test_variables_that_are_set_too_late(code: str) -> None:
    assert "set-too-late" in [rule for _, rule, _ in _python(code)]


@pytest.mark.parametrize(
    "code",
    [
        SET + LIST,
        SET + "sess = tf.compat.v1.Session()\n",
        "tf.test.is_built_with_cuda()\n" + SET,
        "if cpu:\n    " + LIST + SET,
        "def f():\n    " + LIST + SET,
        "def f():\n    " + SET + LIST,
        "def f():\n    " + LIST + "def g():\n    " + SET,
        "def main():\n    " + SET + LIST,
        LIST + f"env = {{}}\nenv['{D}'] = '1'\n",
        LIST + f"os.environ['{G}'] = 'true'\n",
        LIST + "os.environ['TF_CONFIG'] = '{}'\n",
        "if a:\n    " + LIST + "else:\n    " + SET,
        "config = tf.compat.v1.ConfigProto(device_count={'GPU': 0})\n"
        "sess = tf.compat.v1.Session(config=config)\n" + SET,
    ],
)
def test_variables_that_are_set_in_time(code: str) -> None:
    assert "set-too-late" not in [rule for _, rule, _ in _python(code)]


CONFIG = """\
config = tf.compat.v1.ConfigProto()
config.gpu_options.visible_device_list = {}
sess = tf.compat.v1.Session(config=config)
"""


@pytest.mark.parametrize(
    ("visible", "listed", "effect"),
    [
        ("'2,3'", "'1'", "they are CUDA's GPUs 3"),
        ("'2,3'", "'1,0'", "they are CUDA's GPUs 3, 2"),
        ("'1'", "'1'", "there is no 1 among 1, which is an error"),
        ("'0,1'", "'1'", None),
        ("'2,3'", "rank", None),
        ("'2,3'", "'x'", None),
        ("''", "'0'", None),
        ("gpu", "'1'", None),
    ],
)
def test_a_list_within_a_list(visible: str, listed: str, effect: str | None) -> None:
    code = f"os.environ['{D}'] = {visible}\n" + CONFIG.format(listed)
    found = [text for _, rule, text in _python(code) if rule == "mapped-twice"]
    assert [text.partition(": ")[2] for text in found] == ([effect] if effect else [])


def test_a_list_under_a_condition_is_not_mapped() -> None:
    code = f"if two:\n    os.environ['{D}'] = '2,3'\n" + CONFIG.format("'1'")
    assert "mapped-twice" not in [rule for _, rule, _ in _python(code)]


def test_growth_that_is_switched_off() -> None:
    off = f"os.environ['{G}'] = 'false'\n"
    growth = LIST + "tf.config.experimental.set_memory_growth(gpus[0], True)\n"
    config = CONFIG.replace("visible_device_list = {}", "allow_growth = True")
    for code, count in [
        (off + growth, 1),
        (off + growth.replace("True", "False"), 0),
        (off + config, 1),
        (growth, 0),
        (off.replace("false", "true") + growth, 0),
        ("if x:\n    " + off + growth, 0),
    ]:
        found = [rule for _, rule, _ in _python(code)]
        assert found.count("growth-forced-off") == count


def test_findings_can_be_switched_off_by_their_rule() -> None:
    assert rules("a.py", HEAD + SET) == [(5, "cuda-visible-devices")]


def test_growth_as_migrate_writes_it_is_no_news() -> None:
    growth = 'os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")\n'
    written = (
        'if os.environ.get("TF_FORCE_GPU_ALLOW_GROWTH") != "false":\n'
        '    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"\n'
    )
    assign = 'os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"\n'
    assert rules("a.py", HEAD + growth) == []
    assert rules("a.py", HEAD + written) == []
    assert rules("a.py", HEAD + assign) == [(5, "force-gpu-allow-growth")]
    assert rules("a.py", HEAD + growth.replace("true", "false")) != []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('DATA = b"8\\x01"\nc = tf.ConfigProto.FromString(DATA)\n', ["allow-soft-placement:4"]),
        ('c = tf.ConfigProto()\nc.ParseFromString(b"8\\x01")\n', ["allow-soft-placement:4"]),
        ('c = tf.ConfigProto.FromString(b"\\xff")\n', ["config-not-read:3"]),
        ("c = tf.ConfigProto.FromString(load())\n", ["config-not-read:3"]),
        ('c = tf.Event.FromString(b"8\\x01")\n', []),
        ('json_format.Parse(\'{"gpuOptions": {"allowGrowth": true}}\', c)\n', ["allow-growth:3"]),
        ("JSON = '{\"allowSoftPlacement\": true}'\nParse(JSON, c)\n", ["allow-soft-placement:3"]),
        ("json_format.Parse('{\"colour\": 1}', c)\n", []),
        ("job.run(accelerator_type='T4', accelerator_count=2)\n", ["gpu-request:3"]),
        ("job.run(accelerator_count=2)\n", []),
    ],
)
def test_configs_from_bytes_and_json_and_accelerators(code: str, found: list[str]) -> None:
    text = f"import json_format\nimport tensorflow as tf\n{code}"
    job = Job(Options(ignore=("TFG9",)), rewrite=False, kinds=EVERY)
    (result,) = process({"a.py": text.encode()}, job, book())
    assert [f"{item.name}:{item.line}" for item in result.findings] == found
