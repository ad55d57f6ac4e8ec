"""Programs that read data and save what they trained, with rewrites of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import dedent

FILES = {"settings.json": '{"rate": 0.2}', "data.txt": "1 2 3 4\n5 6 7 8\n2 3 4 5\n"}

SESSION = dedent(
    """
    import json, os
    import numpy as np
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    OUT = "out"
    os.makedirs(OUT, exist_ok=True)
    rate = json.load(open("settings.json")).get("rate", 0.1)
    data = np.loadtxt("data.txt", dtype="float32")
    with tf.device("/gpu:0"):
        x = tf.placeholder(tf.float32, [None, 4])
        w, v = tf.get_variable("w", [4, 8]), tf.get_variable("v", [8, 1])
        loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.matmul(x, w)), v) - 1.0))
        train = tf.train.GradientDescentOptimizer(rate).minimize(loss)
    tf.summary.scalar("loss", loss)
    merged = tf.summary.merge_all()
    saver = tf.train.Saver()
    with tf.Session() as session:
        writer = tf.summary.FileWriter(OUT + "/logs", session.graph)
        session.run(tf.global_variables_initializer())
        for step in range(20):
            _, text = session.run([train, merged], {x: data})
            writer.add_summary(text, step)
        saver.save(session, OUT + "/model")
        np.save(OUT + "/weights.npy", session.run(w))
    writer.close()
    """
)
FUNCTION = dedent(
    """
    import json, os
    import numpy as np
    import tensorflow as tf
    tf.config.set_soft_device_placement(False)
    OUT = "out"
    os.makedirs(OUT, exist_ok=True)
    rate = json.load(open("settings.json")).get("rate", 0.1)
    data = tf.constant(np.loadtxt("data.txt", dtype="float32"))
    uniform = tf.keras.initializers.GlorotUniform()
    with tf.device("/gpu:0"):
        w, v = tf.Variable(uniform([4, 8])), tf.Variable(uniform([8, 1]))
    writer = tf.summary.create_file_writer(OUT + "/logs")
    @tf.function
    def train(x):
        with tf.device("/gpu:0"):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.matmul(x, w)), v) - 1.0))
            for one, gradient in zip((w, v), tape.gradient(loss, (w, v))):
                one.assign_sub(rate * gradient)
        return loss
    checkpoint = tf.train.Checkpoint(w=w, v=v)
    with writer.as_default():
        for step in range(20):
            tf.summary.write("loss", train(data), step)
    checkpoint.write(OUT + "/model")
    np.save(OUT + "/weights.npy", w.numpy())
    writer.close()
    """
)
EAGER = FUNCTION.replace("@tf.function\n", "")
KERAS = dedent(
    """
    import numpy as np
    import tensorflow as tf
    data = np.loadtxt("data.txt", dtype="float32")
    layers = tf.keras.layers
    with tf.device("/gpu:0"):
        model = tf.keras.Sequential([tf.keras.Input([4]), layers.Dense(8, "relu"), layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.fit(data, np.ones([3, 1], "float32"), batch_size=1, epochs=2, verbose=0)
    model.save_weights("model.weights.h5")
    model.save("model.keras")
    """
)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A program and another one made of `text`, in which each first text is the second instead."""

    name: str
    before: str
    text: str
    changes: Sequence[tuple[str, str]] = ()

    @property
    def after(self) -> str:
        """The other program."""
        text = self.text
        for old, new in self.changes:
            assert old in text, self.name
            text = text.replace(old, new)
        return text


_SAVE, _ARRAY = (
    '    saver.save(session, OUT + "/model")\n',
    '    np.save(OUT + "/weights.npy", session.run(w))\n',
)
_START = "    session.run(tf.global_variables_initializer())\n"
_STEP = "        writer.add_summary(text, step)\n"
_WRITE, _LOOP = 'checkpoint.write(OUT + "/model")\n', "with writer.as_default():\n"
_V1_LOGS = '    writer = tf.summary.FileWriter(OUT + "/logs", session.graph)\n'
_V2_LOGS = 'writer = tf.summary.create_file_writer(OUT + "/logs")\n'
_CLOSE = "writer.close()\n"

# One program on both sides, whose names say the same.
WRONG = [
    Rewrite("saved elsewhere", SESSION, SESSION, [("/model", "/best")]),
    Rewrite("not saved", SESSION, SESSION, [(_SAVE, "")]),
    Rewrite("saved first", SESSION, SESSION, [(_SAVE, ""), (_START, _START + _SAVE)]),
    Rewrite("no array", SESSION, SESSION, [(_ARRAY, "")]),
    Rewrite("array first", SESSION, SESSION, [(_ARRAY, ""), (_START, _START + _ARRAY)]),
    Rewrite("saved in each step", SESSION, SESSION, [(_SAVE, ""), (_STEP, f"{_STEP}    {_SAVE}")]),
    Rewrite("another folder", SESSION, SESSION, [('OUT = "out"', 'OUT = "result"')]),
    Rewrite("one variable", SESSION, SESSION, [("Saver()", "Saver([w])")]),
    Rewrite("no summaries", SESSION, SESSION, [(_V1_LOGS, ""), (_STEP, ""), (_CLOSE, "")]),
    Rewrite("Keras: no weights", KERAS, KERAS, [('model.save_weights("model.weights.h5")\n', "")]),
    Rewrite("Keras: weights elsewhere", KERAS, KERAS, [("model.weights.h5", "last.weights.h5")]),
    Rewrite(
        "Keras: saved first",
        KERAS,
        KERAS,
        [
            ('model.save("model.keras")\n', ""),
            ("model.fit", 'model.save("model.keras")\nmodel.fit'),
        ],
    ),
]
# Two forms of a program: not all that differs is a fault.
WRONG_FORMS = [
    Rewrite("function: not saved", SESSION, FUNCTION, [(_WRITE, "")]),
    Rewrite("function: saved first", SESSION, FUNCTION, [(_WRITE, ""), (_LOOP, _WRITE + _LOOP)]),
    Rewrite("function: saved elsewhere", SESSION, FUNCTION, [("/model", "/best")]),
    Rewrite("function: no summaries", FUNCTION, FUNCTION,
            [(_V2_LOGS, ""), (_LOOP, "if True:\n"),
             ('tf.summary.write("loss", train(data), step)', "train(data)"), (_CLOSE, "")]),
    Rewrite("function: fewer steps", SESSION, FUNCTION, [("range(20)", "range(10)")]),
    Rewrite("more steps", SESSION, SESSION, [("range(20)", "range(200)")]),
    Rewrite("eager: saved first", FUNCTION, EAGER, [(_WRITE, ""), (_LOOP, _WRITE + _LOOP)]),
    Rewrite("eager: half of the weights", FUNCTION, EAGER, [("(w=w, v=v)", "(w=w)")]),
]  # fmt: skip
RIGHT = [
    Rewrite("renamed", SESSION, SESSION, [("saver", "keeper"), ("merged", "summaries")]),
    Rewrite("another loop", SESSION, SESSION,
            [("for step in range(20):", "step = -1\n    while step < 19:\n        step += 1")]),
    Rewrite("eager code", FUNCTION, EAGER),
    Rewrite("Keras: other order", KERAS, KERAS,
            [('model.save_weights("model.weights.h5")\nmodel.save("model.keras")',
              'model.save("model.keras")\nmodel.save_weights("model.weights.h5")')]),
]  # fmt: skip
