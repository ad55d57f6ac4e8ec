"""Objects with a config that another process is sent: its sessions have the config, no settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.soundness.test_windows import migrated
from tfgpu.cli import main

PROGRAM = """import concurrent.futures
import multiprocessing

import tensorflow as tf


class Trainer(object):
    def __init__(self):
        self.config = tf.ConfigProto({setting})

    def fit(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(2)))

    def evaluate(self, _=None):
        with tf.Session(config=self.config) as sess:
            print("loss", sess.run(tf.constant(1)))


class Worker(multiprocessing.Process):
    def __init__(self):
        super().__init__()
        self.config = tf.ConfigProto({setting})
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(2)))

    def run(self):
        with tf.Session(config=self.config) as sess:
            print("loss", sess.run(tf.constant(1)))


def work(trainer):
    trainer.evaluate()


def take(source):
    work(source.get())


def load(number):
    return number * 2


def build_and_fit(number):
    Trainer().fit()


def main():
    {body}


if __name__ == "__main__":
    main()
"""
SOFT = "allow_soft_placement=True"
GROWS = "gpu_options=tf.GPUOptions(allow_growth=True)"
POOL = "pool = multiprocessing.Pool(1)\n"
SPAWNS = 'multiprocessing.set_start_method("spawn")\n'


def after(folder: Path, setting: str, body: str) -> str:
    indented = body.replace("\n", "\n    ")
    return migrated(folder, main=PROGRAM.format(setting=setting, body=indented))


@pytest.mark.parametrize("setting", [SOFT, GROWS])
@pytest.mark.parametrize(
    "body",
    [
        POOL + "trainer = Trainer()\npool.map(trainer.evaluate, [1])",
        POOL + "pool.map(work, [Trainer()])",
        "pool = concurrent.futures.ProcessPoolExecutor()\nlist(pool.map(work, [Trainer()]))",
        SPAWNS + "multiprocessing.Process(target=Trainer().evaluate).start()",
        SPAWNS + "multiprocessing.Process(target=work, args=(Trainer(),)).start()",
        'multiprocessing.get_context("spawn").Process(target=work, args=(Trainer(),)).start()',
        SPAWNS + "Worker().start()",
        "import pyspark\npyspark.SparkContext().parallelize([1]).map(Trainer().evaluate).collect()",
        "from tqdm.contrib import concurrent as tasks\ntasks.process_map(work, [Trainer()])",
        "from scipy import optimize\noptimize.brute(Trainer().evaluate, [(0, 1)], workers=2)",
        "from sklearn.externals.joblib import Parallel, delayed\n"
        "Parallel(n_jobs=2)([delayed(work)(Trainer())])",
        "queue = multiprocessing.Queue()\n"
        "multiprocessing.Process(target=take, args=(queue,)).start()\nqueue.put(Trainer())",
        "import horovod\nhorovod.run(Trainer().evaluate, np=2)",
        "from sklearn.model_selection import cross_val_score\n"
        "cross_val_score(Trainer(), [[1]], [1], n_jobs=2)",
    ],
)
def test_a_config_that_an_object_takes_along_is_kept(
    tmp_path: Path, setting: str, body: str
) -> None:
    assert "tf.config" not in after(tmp_path, setting, body)


@pytest.mark.parametrize(
    "body",
    [
        POOL + "pool.map(load, [1])\nTrainer().fit()",
        POOL + "pool.map(build_and_fit, [1])",
        "multiprocessing.pool.ThreadPool(1).map(work, [Trainer()])",
        'multiprocessing.set_start_method("fork")\n'
        "multiprocessing.Process(target=Trainer().evaluate).start()",
    ],
)
def test_other_configs_of_a_program_with_processes_convert(tmp_path: Path, body: str) -> None:
    start, _, rest = PROGRAM.partition("class Worker")
    (tmp_path / "main.py").write_text(start)
    text = (start + rest.partition("\n\n\n")[2]).format(
        setting=SOFT, body=body.replace("\n", "\n    ")
    )
    assert "ConfigProto" not in migrated(tmp_path, main=text)


def test_what_another_script_sends_counts_in_its_process_only(tmp_path: Path) -> None:
    start, _, rest = PROGRAM.partition("class Worker")
    text = "import common\n" + start + rest.partition("\n\n\n")[2]
    (tmp_path / "common.py").write_text("import tensorflow as tf\n\nZERO = tf.constant(0)\n")
    (tmp_path / "other.py").write_text(
        text.format(
            setting=SOFT, body="multiprocessing.Pool(1).map(load, [1])\n    Trainer().fit()"
        )
    )
    starts = "import threading\n    threading.Thread(target=Trainer().evaluate).start()"
    assert "ConfigProto" not in migrated(tmp_path, main=text.format(setting=SOFT, body=starts))


WRITES = """import functools
import heapq
import json
import pickle
import shelve

import dill
import joblib
import numpy as np
import pandas as pd
import tensorflow as tf


class Trainer(object):
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)
        self.losses = []

    def fit(self):
        with tf.Session(config=self.config) as sess:
            self.losses.append(sess.run(tf.constant(2)))

    def loss(self, number):
        return self.losses[0] * number


class Experiment(object):
    def __init__(self):
        self.trainer = Trainer()


class Holder(object):
    def __init__(self, held):
        self.held = held


class Saver(object):
    def __init__(self, thing):
        self.thing = thing

    def save(self, file):
        pickle.dump(self.thing, file)


def save(thing, file):
    pickle.dump(thing, file)


class Ensemble(object):
    def __init__(self):
        self.items = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.items = None

    def add(self, item):
        self.items.append(item)


def make():
    return Trainer()


def keep(item, into):
    into.append(item)


def note(trainer, into):
    into.append(trainer.loss(1))


try:
    import cPickle as either
except ImportError:
    import pickle as either

show = lambda thing, file: pickle.dump(thing, file)
trainer = Trainer()
trainer.fit()
ensemble = Ensemble()
with open("trainer.pkl", "wb") as file:
    {statement}
"""


@pytest.mark.parametrize(
    "statement",
    [
        "pickle.dump(obj=trainer, file=file)",
        "pickle.dump(trainer.fit, file)",
        "pickle.dump(Experiment(), file)",
        "pickle.dump(Holder(trainer), file)",
        "save(trainer, file)",
        "np.save(file, trainer)",
        "np.savez(file, trainer=[trainer])",
        "pd.to_pickle(trainer, file)",
        "print(joblib.hash(trainer), file=file)",
        "print(trainer.__reduce_ex__(2), file=file)",
        "dill.dump_session(file)",
        'state = {"trainer": trainer}\n    pickle.dump(state, file)',
        "state = [Trainer() for _ in range(2)]\n    pickle.dump(state, file)",
        "state = []\n    state.append(trainer)\n    pickle.dump(state, file)",
        'state = {}\n    state["trainer"] = trainer\n    np.save(file, state)',
        "pickle.dump(dict(trainer=trainer), file)",
        "pickle.dump(np.array([trainer]), file)",
        "pickle.dump(pd.Series([trainer]), file)",
        "pickle.dump({str(it): it for it in [trainer]}, file)",
        'for _, it in {"a": trainer}.items():\n        pickle.dump(it, file)',
        "pickle.dump(make(), file)",
        "pickle.Pickler(file).dump(trainer)",
        "Saver(trainer).save(file)",
        "Trainer.save = save\n    trainer.save(file)",
        "print(list(map(pickle.dumps, [trainer])))",
        "write = functools.partial(pickle.dump, protocol=2)\n    write(trainer, file)",
        "json.dump(trainer, file, default=vars)",
        'with shelve.open("db") as db:\n        db["trainer"] = trainer',
        "either.dump(trainer, file)",
        "(pickle.dump if file else joblib.dump)(trainer, file)",
        '{"pickle": pickle.dump}["pickle"](trainer, file)',
        "holder = Holder(1)\n    holder.write = pickle.dump\n    holder.write(trainer, file)",
        "show(trainer, file)",
        "make_again = lambda: trainer\n    pickle.dump(make_again(), file)",
        "print(list(map(lambda it: pickle.dumps(it), [trainer])))",
        "pickle.dump(list(map(lambda it: trainer, [1])), file)",
        "with Holder(trainer) as held:\n        pickle.dump(held, file)",
        "for _, (_, it) in [(1, (2, trainer))]:\n        pickle.dump(it, file)",
        "state = []\n    state += [trainer]\n    pickle.dump(state, file)",
        "ensemble.add(trainer)\n    pickle.dump(ensemble, file)",
        "ensemble.items.append(trainer)\n    pickle.dump(ensemble, file)",
        'holder = Holder(1)\n    setattr(holder, "more", trainer)\n    pickle.dump(holder, file)',
        'pd.DataFrame([{"trainer": trainer}]).to_pickle("frame.pkl")',
        "np.array([trainer]).dump(file)",
        "state = []\n    heapq.heappush(state, (1, trainer))\n    pickle.dump(state, file)",
        "state = []\n    keep(trainer, state)\n    pickle.dump(state, file)",
    ],
)
def test_a_config_of_an_object_that_is_written_to_a_file_is_kept(
    tmp_path: Path, statement: str
) -> None:
    assert "tf.config" not in migrated(tmp_path, main=WRITES.format(statement=statement))


@pytest.mark.parametrize(
    "statement",
    [
        "pickle.dump(trainer.losses, file)",
        "np.save(file, trainer.losses)",
        "save(trainer.losses, file)",
        "save(list(map(trainer.loss, [1, 2])), file)",
        'state = {"loss": trainer.loss(1)}\n    pickle.dump(state, file)',
        "pickle.dump(np.array([len(str(trainer))]), file)",
        'with shelve.open("db") as db:\n        db["losses"] = trainer.losses',
        "either.dump(trainer.losses, file)",
        "show(trainer.losses, file)",
        "pickle.dump([loss for loss in map(trainer.loss, [1, 2])], file)",
        "ensemble.add(trainer.loss(1))\n    pickle.dump(ensemble, file)",
        "state = []\n    keep(trainer.loss(1), state)\n    pickle.dump(state, file)",
        "state = []\n    note(trainer, state)\n    pickle.dump(state, file)",
        'pd.DataFrame([{"loss": trainer.loss(1)}]).to_pickle("frame.pkl")',
    ],
)
def test_a_config_beside_what_is_written_converts(tmp_path: Path, statement: str) -> None:
    assert "tf.config" in migrated(tmp_path, main=WRITES.format(statement=statement))


NET = """import tensorflow as tf
{config}

def evaluate(number):
    {built}
    with tf.Session(config=config) as sess:
        return sess.run(tf.constant(number))

"""
JOBS = """from joblib import Parallel, delayed
{imports}
print(Parallel(n_jobs=2)(delayed(evaluate)(number) for number in range(2)))
"""
CONFIG = "config = tf.ConfigProto(allow_soft_placement=True)"


@pytest.mark.parametrize("config", [(CONFIG, "pass"), ("", CONFIG)])
def test_a_function_of_a_script_that_is_sent_as_code_keeps_its_config(
    tmp_path: Path, config: tuple[str, str]
) -> None:
    # The processes of joblib import the module of a function, but that of a script.
    net = NET.format(config=config[0], built=config[1])
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    assert "tf.config" not in migrated(tmp_path / "one", main=net + JOBS.format(imports=""))
    migrated(tmp_path / "two", net=net, main=JOBS.format(imports="from net import evaluate"))
    assert "ConfigProto" not in (tmp_path / "two" / "net.py").read_text()


def test_unsafe_fixes_say_what_a_function_that_may_be_sent_rests_on(tmp_path: Path) -> None:
    net = NET.format(config=CONFIG, built="pass")
    (tmp_path / "main.py").write_text(net + JOBS.format(imports="print(evaluate(1))"))
    arguments = ["migrate", "--unsafe-fixes", "--no-cache", "--jobs", "1", str(tmp_path)]
    told = CliRunner().invoke(main, arguments).output
    assert "TFG966 written-out: converted on an assumption: TensorFlow runs in graph mode" in told
