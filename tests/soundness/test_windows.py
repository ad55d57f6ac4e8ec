"""What may run between settings and their session, in many spellings: by decisions alone.

`LINE` stands between the config and its session and writes a variable of CUDA, or changes a value,
in a way that Python has; the settings must not stay in front of it. Some of these are run, too, in
`programs/fresh`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.files.notebooks import notebook
from tfgpu.cli import main

WRITE = '    os.environ["CUDA_VISIBLE_DEVICES"] = "1"\n'
WRITER = f"def w(i=0):\n{WRITE}    return i\n"
OBJECT = "class A:\n    def {}(self, *a):\n    " + WRITE + "        return {}\no = A()\n"


def migrated(folder: Path, **files: str) -> str:
    """Return what safe fixes make of `main`."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    found = CliRunner().invoke(main, ["migrate", "--write", "--jobs", "1", str(folder)])
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return (folder / "main.py").read_text()


@pytest.mark.parametrize(
    ("above", "line"),
    [
        ("", 'os.environ |= {"CUDA_VISIBLE_DEVICES": "1"}'),
        ("env = os.environ\n", 'env["CUDA_VISIBLE_DEVICES"] = "1"'),
        ("envs = [os.environ]\n", 'envs[0]["CUDA_VISIBLE_DEVICES"] = "1"'),
        ("class A: env = os.environ\n", 'A.env["CUDA_VISIBLE_DEVICES"] = "1"'),
        ("put = os.environ.__setitem__\n", 'put("CUDA_VISIBLE_DEVICES", "1")'),
        ("put = os.putenv\n", 'put("CUDA_VISIBLE_DEVICES", "1")'),
        ("put = os.environ.update\n", 'put(CUDA_VISIBLE_DEVICES="1")'),
        ("NAME = 'CUDA_VISIBLE_DEVICES'\nenv = os.environ\n", 'env[NAME] = "1"'),
        ("import mock\n", 'mock.patch.dict("os.environ", CUDA_VISIBLE_DEVICES="1").start()'),
        ("", 'os.environb[b"CUDA_VISIBLE_DEVICES"] = b"1"'),
        ("from os import environb as b\n", 'b.update({b"CUDA_VISIBLE_DEVICES": b"1"})'),
        ("import posix\n", 'posix.putenv("CUDA_VISIBLE_DEVICES", "1")'),
        ("import ctypes\n", 'ctypes.CDLL(None).setenv(b"CUDA_VISIBLE_DEVICES", b"1", 1)'),
        ("import ctypes\nf = ctypes.CDLL(None)['setenv']\n", 'f(b"CUDA_VISIBLE_DEVICES", b"1", 1)'),
        ('e = vars(os)["environ"]\n', 'e["CUDA_VISIBLE_DEVICES"] = "1"'),
        ("", 'getattr(os, "env" + "iron")["CUDA_VISIBLE_DEVICES"] = "1"'),
        ("import sys\n", 'sys.modules["os"].environ["CUDA_VISIBLE_DEVICES"] = "1"'),
        ("", '__import__("os").environ["CUDA_VISIBLE_DEVICES"] = "1"'),
        ("import shutil\n", 'shutil.os.environ["CUDA_VISIBLE_DEVICES"] = "1"'),
        ("from os import *\n", 'environ["CUDA_VISIBLE_DEVICES"] = "1"'),
        ("", 'for e in (os.environ,): e["CUDA_VISIBLE_DEVICES"] = "1"'),
        ("def m(monkeypatch):\n", '    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")'),
        (f"def gen():\n{WRITE}    yield 1\n    yield 2\nenv = gen()\n", "a, b = env"),
        (f"{WRITER}env = (w(i) for i in range(2))\n", "a = sum(env)"),
        (f"{WRITER}env = (w(i) for i in range(2))\n", "a = 3 in env"),
        (f"{WRITER}env = (w(i) for i in range(2))\n", "a, *rest = env"),
        (f"{WRITER}env = map(w, range(2))\n", "a, b = env"),
        (f"{WRITER}env = map(w, range(2))\n", "for i in env: pass"),
        (f"{WRITER}env = filter(w, range(2))\n", "x = max(env)"),
        (f"{WRITER}lazy = (w(i) for i in range(2))\nr = []\n", "r += lazy"),
        ("import weakref\nclass E: pass\nenv = E()\nweakref.finalize(env, os.environ.__setitem__,"
         " 'CUDA_VISIBLE_DEVICES', '1')\n", "for _ in range(2): env = None"),
        ("from functools import partial\n"
         "put = partial(os.environ.__setitem__, 'CUDA_VISIBLE_DEVICES', '1')\n", "put()"),
        (f"{WRITER}env = iter(w, 0)\n", "x = [*env]"),
        (OBJECT.format("__str__", "''"), "a = str(o)"),
        (OBJECT.format("__str__", "''"), "a = '%s' % o"),
        (OBJECT.format("__repr__", "''"), "a = '{}'.format(o)"),
        (OBJECT.format("__format__", "''"), "a = f'{o}'"),
        (OBJECT.format("__hash__", "1"), "a = {o: 1}"),
        (OBJECT.format("__hash__", "1"), "a = {o}"),
        (OBJECT.format("__len__", "1"), "a = 1 if o else 2"),
        (OBJECT.format("__index__", "1"), "a = int(o)"),
        (OBJECT.format("__setitem__", "1"), "o[3] = 1"),
        (OBJECT.format("__set__", "1") + "class B: x = o\nb = B()\n", "b.x = 1"),
        (OBJECT.format("__del__", "1"), "o = None"),
        (WRITER, "def f(x: w()): pass"),
        (WRITER, "def f(x) -> w(): pass"),
        (WRITER, "x: w() = 3"),
        (WRITER, "f = lambda x=w(): 3"),
        (f"import sys\n{WRITER}sys.setprofile(w)\n", "x = len([])"),
        (f"{WRITER}class B: x = property(w)\nb = B()\n", "y = b.x"),
        (f"{WRITER}class B: x = property(w)\nb = B()\n", "y = '{0.x}'.format(b)"),
        (f"import signal\n{WRITER}signal.signal(signal.SIGUSR1, w)\n", "x = 1"),
    ],
)  # fmt: skip
def test_a_write_between(above: str, line: str, tmp_path: Path) -> None:
    text = f"""import os
import tensorflow.compat.v1 as tf
{above}config = tf.ConfigProto()
config.gpu_options.allow_growth = True
{line}
sess = tf.Session(config=config)
"""
    if above.endswith(":\n"):  # The rest is the body of a function.
        head, _, body = text.partition(above)
        text = head + above + "".join(f"    {row.strip()}\n" for row in body.splitlines())
    new = migrated(tmp_path, main=text)
    assert "set_memory_growth" not in new.partition(line)[0]


HEAD = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
FLAGS = """flags = tf.app.flags
flags.DEFINE_integer("n", 1, "")
FLAGS = flags.FLAGS
FLAGS(["x"])
"""
PARSER = """import argparse
p = argparse.ArgumentParser()
p.add_argument("--n", type=int, default=1)
args = p.parse_args([])
"""


@pytest.mark.parametrize(
    ("above", "value", "line", "converts"),
    [
        (FLAGS, "FLAGS.n", "FLAGS.n = 0", False),
        (f"{FLAGS}def off(): FLAGS['n'].value = 0\n", "FLAGS.n", "off()", False),
        (FLAGS, "FLAGS.n", "setattr(FLAGS, 'n', 0)", False),
        (FLAGS, "FLAGS.n", "FLAGS(['x', '--n=0'])", False),
        (PARSER, "args.n", "p.parse_args(['--n', '0'], namespace=args)", False),
        (PARSER, "args.n", "vars(args)['n'] = 0", False),
        (PARSER, "args.n", "args.__dict__.update(n=0)", False),
        (PARSER, "args.n", "print(args.n)", True),
        ("gpus = [1]\n", "len(gpus)", "gpus.clear()", False),
        ("gpus = [1]\n", "len(gpus)", "del gpus[0]", False),
        ("gpus = [1]\n", "len(gpus)", "gpus[:] = []", False),
        ("gpus = [1]\n", "len(gpus)", "print(len(gpus))", True),
        ("import types\nhp = types.SimpleNamespace(n=1)\ndef f(h, **k): h.__dict__.update(k)\n",
         "hp.n", "f(hp, n=0)", False),
        ("class C: n = 1\n", "C.n", "C.n = 0", False),
        ("n = 1\n", "n", "globals()['n'] = 0", False),
        ("n = 1\n", "n", "[n := 0 for _ in 'ab']", False),
        ("n = 1\n", "n", "any((n := 0) for _ in 'ab')", False),
        ("n = 1\n", "n", "from settings import *", False),
        ("n = 1\n", "n", "from numpy import *", False),
        ("from settings import *\nn = 1\n", "n", "pass", True),
        ("n = 1\ndef off():\n    global n\n    n = 0\n", "n", "off()", False),
        ("n = 1\n", "n", "pass", True),
        ("import settings\n", "settings.COUNT", "settings.off()", False),
        ("import settings\nfrom settings import COUNT\n", "COUNT", "settings.off()", False),
        ("import settings\n", "settings.COUNT", "setattr(settings, 'COUNT', 0)", False),
    ],
)  # fmt: skip
def test_a_value_that_changes(
    above: str, value: str, line: str, converts: bool, tmp_path: Path
) -> None:
    text = f"""{HEAD}{above}config = tf.ConfigProto(device_count={{'GPU': {value}}})
with tf.Session() as first:
    print(first.run(tf.constant(1)))
{line}
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(2)))
"""
    off = "COUNT = 1\ndef off():\n    global COUNT\n    COUNT = 0\n"
    new = migrated(tmp_path, main=text, settings=off)
    assert ("ConfigProto" not in new) == converts


@pytest.mark.parametrize(
    ("text", "converts"),
    [
        ("try:\n    s = tf.Session(graph=7, config=cfg)\nexcept TypeError:\n    pass\n", False),
        ("try:\n    with tf.Session(config=cfg, grph=1) as s:\n        s.run(1)\n"
         "except Exception:\n    pass\n", False),
        ("class Quiet:\n    def __enter__(self): pass\n    def __exit__(self, *a): return True\n"
         "with Quiet():\n    s = tf.Session(config=cfg)\n", False),
        ("with contextlib.suppress(Exception):\n    s = tf.Session(config=cfg)\n", False),
        ("@contextlib.contextmanager\ndef q():\n    try:\n        yield\n    except Exception:\n"
         "        pass\nwith q():\n    s = tf.Session(config=cfg)\n", False),
        ("def f():\n    try:\n        s = tf.Session(config=cfg)\n"
         "    finally:\n        return 1\nf()\n", False),
        ("def f():\n    s = tf.Session(config=cfg)\n"
         "try:\n    f()\nexcept NameError: pass\n", False),
        ("for i in range(2):\n    try:\n        s = tf.Session(config=cfg)\n"
         "    except ValueError:\n        if i:\n            continue\n        raise\n", False),
        ("class Quiet:\n    def __enter__(self): pass\n    def __exit__(self, *a): return True\n"
         "quiet = Quiet()\nwith quiet:\n    s = tf.Session(config=cfg)\n", False),
        ("with contextlib.ExitStack() as stack:\n    stack.push(lambda *a: True)\n"
         "    s = tf.Session(config=cfg)\n", False),
        ("try:\n    s = tf.Session(config=cfg)\nexcept KeyboardInterrupt:\n    pass\n", True),
        ("try:\n    s = tf.Session(config=cfg)\nexcept Exception:\n    raise\n", True),
        ("try:\n    s = tf.Session(config=cfg)\nfinally:\n    print(1)\n", True),
    ],
)  # fmt: skip
def test_what_is_put_back_behind_a_session_that_may_raise(
    text: str, converts: bool, tmp_path: Path
) -> None:
    config = "import contextlib\ncfg = tf.ConfigProto(device_count={'GPU': 0})\n"
    later = "with tf.Session() as t:\n    t.run(tf.constant(2))\n"
    new = migrated(tmp_path, main=HEAD + config + text + later)
    assert ("ConfigProto" not in new) == converts


REFUSED = """config = tf.ConfigProto()
config.gpu_options.visible_device_list = "7"
tf.Session(config=config)
"""


@pytest.mark.parametrize(
    ("text", "converts"),
    [
        ("sys.excepthook = lambda *a: print(a[0])\nBODY", False),
        ("setattr(sys, 'excepthook', lambda *a: print(a[0]))\nBODY", False),
        ("vars(sys).update(excepthook=lambda *a: print(a[0]))\nBODY", False),
        ("app.install_exception_handler(Handler())\nBODY", False),
        ("@atexit.register\ndef bye(): print(getattr(sys, 'last_type', None))\nBODY", False),
        ("try:\n    BODY\nfinally:\n    print(sys.exc_info()[0])\n", False),
        ("try:\n    BODY\nfinally:\n    print(1)\n", True),
        ("def told(): print(traceback.format_exc())\ndef end(): told()\n"
         "try:\n    BODY\nfinally:\n    end()\n", False),
        ("try:\n    BODY\nfinally:\n    traceback.print_exc(file=sys.stdout)\n", False),
        ("try:\n    BODY\nfinally:\n    try: 1 / 0\n"
         "    except ZeroDivisionError as e: print(e.__context__)\n", False),
        ("class M:\n    def __enter__(self): pass\n    def __exit__(self, kind, *a):\n"
         "        print(kind)\nwith M():\n    BODY\n", False),
        ("class M:\n    def __enter__(self): pass\n    def __exit__(self, *a):\n"
         "        print(sys.exc_info()[0])\nwith M():\n    BODY\n", False),
        ("class M:\n    def __enter__(self): pass\n    def __exit__(self, kind, *a):\n"
         "        if kind is not None: print('failed')\nwith M():\n    BODY\n", True),
        ("class M:\n    def __enter__(self): pass\n    def __exit__(self, *a):\n"
         "        open('log').__exit__(*a)\nwith M():\n    BODY\n", True),
    ],
)  # fmt: skip
def test_who_is_told_of_the_error_that_ends_a_program(
    text: str, converts: bool, tmp_path: Path
) -> None:
    """The list of a GPU that is not there raises another error once it is converted."""
    body = REFUSED if "\nBODY" in text else REFUSED.replace("\n", "\n    ")
    above = "import atexit\nimport sys\nimport traceback\nfrom absl import app\n"
    new = migrated(tmp_path, main=f"{HEAD}{above}{text.replace('BODY', body.rstrip())}")
    assert ("ConfigProto" not in new) == converts


@pytest.mark.parametrize(
    ("line", "converts"),
    [
        ("%run train.py", False),
        ("%run -i $name", False),
        ("for i in range(2):\n    %run train", False),
        ("%time %run train.py", False),
        ("%load_ext train", False),
        ("%reload_ext $name", False),
        ("%load_ext autoreload\n%autoreload 1\n%aimport os, train", False),
        ("%time import train", False),
        ("%timeit -n1 -r1 from train import tf", False),
        ("%time import tensorflow as tf", False),
        ("%time import numpy as np", True),
        ("%load_ext autoreload\n%autoreload 2", True),
        ("get_ipython().run_line_magic('run', 'train.py')", False),
        ("get_ipython().magic('run train.py')", False),
        ("get_ipython().magic('matplotlib inline')", True),
        ("!python train.py", True),
    ],
)
def test_a_notebook_that_runs_a_file(line: str, converts: bool, tmp_path: Path) -> None:
    """`%run` does so in the process of the notebook, where a plain session follows."""
    config = "config = tf.ConfigProto(device_count={'GPU': 0})\n"
    train = f"import tensorflow as tf\n{config}tf.Session(config=config)\n"
    cells = ["import tensorflow as tf\n", line, "sess = tf.Session()\n"]
    (tmp_path / "main.ipynb").write_text(notebook(*cells))
    migrated(tmp_path, train=train, main="")
    assert ("ConfigProto" not in (tmp_path / "train.py").read_text()) == converts


@pytest.mark.parametrize(
    "line",
    [
        "ds = operator.methodcaller('map', f)(ds)",
        "ds = getattr(ds, 'map')(f)",
        "for name in ['map']: ds = getattr(ds, name)(f)",
    ],
)
def test_methods_of_datasets_that_are_found_by_name(line: str, tmp_path: Path) -> None:
    """They make the eager context, behind which no GPU can be hidden any more."""
    above = "import operator\ndef f(x): return x\nds = tf.data.Dataset.range(3)\n"
    config = "config = tf.ConfigProto(device_count={'GPU': 0})\ns = tf.Session(config=config)\n"
    new = migrated(tmp_path, main=f"{HEAD}{above}{line}\n{config}")
    assert "ConfigProto" in new or "set_visible_devices" in new.partition(line)[0]


@pytest.mark.parametrize(
    "line",
    [
        "tf.Session = print",
        "import other; other.tf.Session = print",
        "setattr(tf, 'Session', print)",
        "mock.patch.object(tf, 'Session').start()",
        "mock.patch('tensorflow.compat.v1.Session').start()",
        "mock.patch.multiple(tf, Session=print).start()",
        "del tf.ConfigProto",
        "for name in ['Session']: setattr(tf, name, print)",
        "vars(tf)['Session'] = print",
        "tf.__dict__.update(Session=print)",
    ],
)
def test_names_of_tensorflow_that_are_replaced(line: str, tmp_path: Path) -> None:
    text = f"{HEAD}from unittest import mock\n{line}\n"
    session = "s = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))\n"
    other = "import tensorflow.compat.v1 as tf\n"
    assert migrated(tmp_path, main=text + session, other=other) == text + session


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("globals().update(gpu=7)\nprint(globals()['gpu'])", ""),
        ("", "import __main__\nprint(getattr(__main__, 'gpu', None))\n"),
        ("", "import __main__\nprint(vars(__main__).get('gpu'))\n"),
        ("", "def f():\n    import main\n    print(hasattr(main, 'gpu'))\n"),
        ("", "def f():\n    import main\n    main.gpu = 3\n    print(main.gpu)\n"),
        ("", "def f():\n    from main import gpu\n"),
    ],
)
def test_names_that_other_code_asks_a_module_for(line: str, other: str, tmp_path: Path) -> None:
    text = f"{HEAD}import other\n{line}\nconfig = tf.ConfigProto()\n"
    rest = "config.gpu_options.allow_growth = True\ns = tf.Session(config=config)\n"
    assert "for physical_gpu in" in migrated(tmp_path, main=text + rest, other=other)


@pytest.mark.parametrize(
    ("main", "stays"),
    [
        ("from settings import ConfigProto, session", True),
        ("import settings\nprint(settings.ConfigProto)", True),
        ("import settings\nprint(hasattr(settings, 'ConfigProto'))", True),
        ("from settings import *\nprint(ConfigProto)", True),
        ("from settings import *", True),
        ("import sys, settings\nprint(vars(sys.modules['settings'])['ConfigProto'])", True),
        ("from settings import session\nprint(session)", False),
    ],
)
def test_an_import_that_other_files_use(main: str, stays: bool, tmp_path: Path) -> None:
    settings = """from tensorflow import ConfigProto, Session
def session():
    return Session(config=ConfigProto(allow_soft_placement=True))
"""
    migrated(tmp_path, main=main + "\n", settings=settings)
    new = (tmp_path / "settings.py").read_text()
    assert "config=" not in new
    assert ("ConfigProto" in new) == stays


F = "lambda x: x"


@pytest.mark.parametrize(
    "line",
    [
        "ds.reduce(tf.constant(0, tf.int64), lambda a, b: a + b)",
        "ds = ds.take_while(lambda x: x < 2)",
        "ds = ds.batch(2).unbatch()",
        f"ds = tf.data.Dataset.map(ds, {F})",
        f"m = ds.map; m({F})",
        f"ds = ds.apply(tf.data.experimental.map_and_batch({F}, 2))",
        f"ds = tf.data.experimental.parallel_interleave({F})(ds)",
        "ds = tf.data.experimental.make_csv_dataset(['a.csv'], 2)",
        "ds = tf.data.experimental.something_new(ds)",
        "f = tf.wrap_function(lambda: tf.constant(1), [])",
        "y = tf.switch_case(tf.constant(0), [lambda: tf.constant(1)])",
        "tf.enable_control_flow_v2(); y = tf.cond(True, lambda: 1, lambda: 2)",
    ],
)
def test_what_makes_the_eager_context(line: str, tmp_path: Path) -> None:
    above = "def build():\n    ds = tf.data.Dataset.range(3)\n    "
    config = "build()\nconfig = tf.ConfigProto(device_count={'GPU': 0})\n"
    session = "s = tf.Session(config=config)\n"
    text = f"{HEAD}{above}{line}\n{config}{session}"
    new = migrated(tmp_path, main=text)
    assert "ConfigProto" in new or "set_visible_devices" in new.partition("build()\n")[0]


@pytest.mark.parametrize(
    "line",
    [
        "ds = ds.batch(2).shuffle(3).repeat().prefetch(1)",
        "it = ds.make_initializable_iterator().get_next()",
        "ds = ds.apply(tf.data.experimental.shuffle_and_repeat(2))",
        "saver = tf.train.Saver(); saver.save(None, 'x')",
    ],
)
def test_what_makes_no_eager_context(line: str, tmp_path: Path) -> None:
    config = "config = tf.ConfigProto(device_count={'GPU': 0})\ns = tf.Session(config=config)\n"
    text = f"{HEAD}ds = tf.data.Dataset.range(3)\n{line}\n{config}"
    assert "ConfigProto" not in migrated(tmp_path, main=text)


@pytest.mark.parametrize(
    "line",
    [
        "[config := None for _ in 'ab']",
        "any((config := None) for _ in 'ab')",
        "[[config := None for _ in 'ab'] for _ in 'ab']",
        "from other import *",
        "opts = config.gpu_options\nconfig.ClearField('gpu_options')\n"
        "opts.visible_device_list = '1'",
        "opts = config.gpu_options\nconfig.Clear()\nopts.visible_device_list = '1'",
        "opts = config.gpu_options\nconfig.CopyFrom(tf.ConfigProto())\n"
        "opts.visible_device_list = '1'",
        "config.gpu_options.per_process_gpu_memory_fraction = 0.00001",
    ],
)
def test_a_config_that_is_another_one_by_then(line: str, tmp_path: Path) -> None:
    text = f"""{HEAD}config = tf.ConfigProto()
{line}
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
"""
    assert "ConfigProto" in migrated(tmp_path, main=text, other="config = None\n")


@pytest.mark.parametrize(
    "target",
    ["sess: plain()", "t.sess", "t.made"],
)
def test_what_runs_behind_a_session_before_anything_is_put_back(
    target: str, tmp_path: Path
) -> None:
    above = """def plain(*args):
    with tf.Session() as s:
        print(len(s.list_devices()))
class T:
    made = property(None, plain)
    @property
    def sess(self): pass
    @sess.setter
    def sess(self, value): plain()
t = T()
config = tf.ConfigProto(device_count={'GPU': 0})
"""
    text = f"{HEAD}{above}{target} = tf.Session(config=config)\n"
    assert "ConfigProto" in migrated(tmp_path, main=text)


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        ("", "t._Trainer__config.device_count['GPU'] = 1"),
        ("", "getattr(t, '_Trainer__config').device_count['GPU'] = 1"),
        ("t.__config.device_count['GPU'] = 1", "t = None"),
    ],
)
def test_private_names(inside: str, outside: str, tmp_path: Path) -> None:
    text = f"""{HEAD}class Trainer:
    def __init__(self):
        self.__config = tf.ConfigProto()
        self.__config.gpu_options.allow_growth = True
    def session(self):
        return tf.Session(config=self.__config)
    def change(self, t):
        {inside or "pass"}
t = Trainer()
{outside}
"""
    assert "ConfigProto" in migrated(tmp_path, main=text)


def test_builtins_and_tensorflow_by_other_names(tmp_path: Path) -> None:
    text = f"""{HEAD}from other import *
keep = tf
config = tf.ConfigProto(device_count={{'CPU': 2, 'GPU': 0}})
tf = None
with keep.Session(config=config) as sess:
    pass
keep.Session()
"""
    new = migrated(tmp_path, main=text, other="def range(x): return []\n")
    assert "ConfigProto" in new
    new = migrated(tmp_path, main=text.replace("'CPU': 2, ", ""), other="x = 3\n")
    assert "ConfigProto" in new or "    tf.config" not in new.partition("tf = None")[2]


@pytest.mark.parametrize(
    ("member", "line"),
    [
        ("def __setattr__(self, k, v): object.__setattr__(self, k, v)", ""),
        ("def __getattribute__(self, k): return object.__getattribute__(self, k)", ""),
        ("pass", "match t:\n    case T(config=c): c.device_count['GPU'] = 1\n"),
        ("pass", "print('{0.config.allow_soft_placement}'.format(t))\n"),
        ("pass", "print('{self.config}'.format(self=t))\n"),
    ],
)
def test_attributes_that_are_seen(member: str, line: str, tmp_path: Path) -> None:
    text = f"""{HEAD}class T:
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)
    def session(self):
        return tf.Session(config=self.config)
    {member}
t = T()
{line}t.session()
"""
    assert "ConfigProto" in migrated(tmp_path, main=text)


def test_soft_placement_that_is_off_in_eager_programs(tmp_path: Path) -> None:
    text = """import tensorflow as tf
with tf.Graph().as_default():
    config = tf.compat.v1.ConfigProto(allow_soft_placement={})
    with tf.compat.v1.Session(config=config) as s:
        print(s.run(tf.constant(1)))
with tf.device('/gpu:0'):
    print(tf.strings.length(tf.constant(['abc'])).numpy())
"""
    put_back = "    tf.config.set_soft_device_placement(None)\n"
    assert put_back in migrated(tmp_path, main=text.format(False))
    assert put_back not in migrated(tmp_path, main=text.format(True))


@pytest.mark.parametrize(
    ("above", "line"),
    [
        ("", "import setgpu"),
        ("import tools\n", "tools.grab(1)"),
        ("import tools as t\n", "t.gpus.grab(1)"),
        ("from tools import Lock\nlock = Lock()\n", "lock.acquire()"),
        ("import tools\n", "with tools.lock(): pass"),
        ("import tools\nlock = tools.lock()\n", "with lock: pass"),
        ("import tools\nlocks = [tools.Lock()]\n", "locks[0].acquire()"),
        ("import tools\ndef f(x): x.go()\n", "f(tools.A())"),
        ("import tools\nclass A(tools.B): pass\n", "A()"),
        ("import tools\nclass A(tools.B): pass\na = A()\n", "a.go()"),
        ("import tools\nclass A(tools.B):\n    def f(self): super().f()\na = A()\n", "a.f()"),
        ("import tools\n@tools.wrap\ndef f(): pass\n", "f()"),
        ("import tools\nfs = {'a': tools.grab}\n", "fs['a']()"),
        ("import tools\n", "sorted([1], key=tools.grab)"),
        ("import tools, threading\nt = threading.Thread(target=tools.grab)\n", "t.start()"),
        ("import tools, functools\nf = functools.partial(tools.grab, 1)\n", "f()"),
        ("import importlib, sys\nm = importlib.import_module(sys.argv[1])\n", "m.go()"),
        ("import sys, importlib\n", "importlib.import_module(sys.argv[1])"),
        (
            "import argparse, tools\np = argparse.ArgumentParser()\n"
            "p.set_defaults(func=tools.grab)\na = p.parse_args()\n",
            "a.func(a)",
        ),
        ("import pickle\no = pickle.load(open('x'))\n", "o.go()"),
        ("import queue, tools\nq = queue.Queue()\nq.put(tools.A())\n", "q.get().go()"),
        ("import tools\n", "@tools.wrap\ndef f(): pass"),
        ("import tools\n", "class A(tools.B): pass"),
        ("import tools\no = tools.O()\n", "o.apply_gradients()"),
        (
            "import tools\nclass H(tf.train.SessionRunHook):\n    def end(self, s): s.go()\n",
            "H().end(tools.S())",
        ),
    ],
)
def test_code_of_a_library_that_is_not_read(above: str, line: str, tmp_path: Path) -> None:
    """Settings move behind it, but those that raise behind the eager context."""
    text = f"""{HEAD}{above}config = tf.ConfigProto()
config.FIELD = True
{line}
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
"""
    new = migrated(tmp_path, main=text.replace("FIELD", "allow_soft_placement"))
    assert "ConfigProto" not in new
    assert new.index(line) < new.index("set_soft_device_placement")
    assert "ConfigProto" in migrated(
        tmp_path, main=text.replace("FIELD", "gpu_options.allow_growth")
    )


def test_code_of_a_library_where_settings_cannot_move(tmp_path: Path) -> None:
    text = f"""{HEAD}import tools
config = tf.ConfigProto()
config.gpu_options.allow_growth = tools.grows()
tools.grab(1)
first = tf.Session(config=config)
second = tf.Session(config=config)
"""
    assert "ConfigProto" in migrated(tmp_path, main=text)


@pytest.mark.parametrize(
    "line",
    [
        "import json",
        "import numpy as np\nnp.random.seed(1)",
        "import logging\nlogging.getLogger('x').info('y')",
        "x = tf.matmul([[1.0]], [[1.0]])\ny = x.get_shape().as_list()",
        "class A:\n    def f(self): self.x = [1]\nA().f()",
    ],
)
def test_code_of_libraries_that_write_no_variables(line: str, tmp_path: Path) -> None:
    text = f"""{HEAD}config = tf.ConfigProto()
config.gpu_options.allow_growth = True
{line}
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
"""
    new = migrated(tmp_path, main=text)
    assert new.index("set_memory_growth") < new.index(line)


@pytest.mark.parametrize(
    "pool",
    ["getattr(mp, 'Pool')(1)", "vars(mp)['Pool'](1)", "getattr(f, 'ProcessPoolExecutor')(1)"],
)
def test_a_module_that_forks_as_a_value(pool: str, tmp_path: Path) -> None:
    text = f"""import concurrent.futures as f
import multiprocessing as mp
import os
{HEAD}config = tf.ConfigProto()
config.gpu_options.allow_growth = os.path.exists("grow")
def job(i):
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))
if __name__ == "__main__":
    list({pool}.map(job, [1]))
"""
    assert "ConfigProto" in migrated(tmp_path, main=text)


def test_dataset_of_a_method_whose_object_has_a_common_name(tmp_path: Path) -> None:
    """What the name is in another file, a dataset there, is no object that is given away."""
    reader = """import tensorflow as tf
class Reader:
    def read(self):
        dataset = tf.data.Dataset.range(3)
        dataset = dataset.map(lambda x: x * 2).batch(2)
        return tf.data.make_initializable_iterator({})
"""
    text = """import tensorflow as tf
from reader import Reader
dataset = Reader()
iterator = dataset.read()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(iterator.initializer)
"""
    new = migrated(tmp_path, main=text, reader=reader.format("dataset"))
    assert new.index("set_memory_growth") < new.index("iterator = ")
    given_away = reader.format("dataset") + "import lib\ndef use(dataset): lib.call(dataset)\n"
    assert "ConfigProto" in migrated(tmp_path, main=text, reader=given_away)
