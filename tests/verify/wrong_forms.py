"""Wrong rewrites of the programs in `forms`: what is replaced in a form, and by what."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wrong:
    """A form with one fault: each pair of texts is replaced, wherever it stands."""

    program: str
    form: str
    fault: str
    texts: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """The name of its test."""
        return f"{self.program}-{self.form}-{self.fault}".replace(" ", "_")


_GROWTH = (("memory_growth(gpu, True)", "memory_growth(gpu, False)"),)
_SOFT = (("placement(False)", "placement(True)"),)
_TENSORFLOW_2 = ("function", "eager", "wrapped", "keras")


def _all(program: str, fault: str, *texts: tuple[str, str], but: str = "") -> list[Wrong]:
    forms = [form for form in _TENSORFLOW_2 if form not in but.split()]
    return [Wrong(program, form, fault, texts) for form in forms]


WRONG = [
    # settings
    *(Wrong(name, form, "growth lost", _GROWTH)
      for name, form in (("matmul", "function"), ("feed", "keras"), ("mlp", "eager"),
                         ("towers", "wrapped"), ("counter", "eager"), ("conv", "keras"))),
    *(Wrong(name, form, "soft placement", _SOFT)
      for name, form in (("matmul", "eager"), ("feed", "wrapped"), ("mlp", "keras"),
                         ("towers", "function"), ("counter", "keras"), ("conv", "function"))),
    # matmul
    *_all("matmul", "lost device", ('"/gpu:1"', '"/gpu:0"')),
    *_all("matmul", "swapped devices", ('"/gpu:1"', '"/gpu:2"'), ('"/gpu:0"', '"/gpu:1"'),
          ('"/gpu:2"', '"/gpu:0"')),
    *_all("matmul", "sum on a GPU", ('"/cpu:0"', '"/gpu:0"')),
    *_all("matmul", "half on the CPU", ('"/gpu:1"', '"/cpu:0"')),
    *_all("matmul", "missing activation", ("tf.nn.relu(e)", "e")),
    *_all("matmul", "other shape", ("[48, 64]", "[96, 64]")),
    # feed
    *_all("feed", "lost device", ('"/gpu:1"', '"/gpu:0"')),
    *_all("feed", "swapped layers", ('"/gpu:1"', '"/gpu:2"'), ('"/gpu:0"', '"/gpu:1"'),
          ('"/gpu:2"', '"/gpu:0"')),
    *_all("feed", "layer on the CPU", ('"/gpu:1"', '"/cpu:0"')),
    *_all("feed", "missing softmax", ("tf.nn.softmax(tf.matmul(hidden, v))",
                                      "tf.matmul(hidden, v)"), but="keras"),
    Wrong("feed", "keras", "missing softmax", ((', activation="softmax"', ""),)),
    Wrong("feed", "keras", "missing layer", (("self.second(hidden)", "hidden"),)),
    Wrong("feed", "function", "variables on the CPU",
          (('with tf.device("/gpu:1"):\n    w', 'with tf.device("/cpu:0"):\n    w'),)),
    Wrong("feed", "eager", "variables on the CPU",
          (('with tf.device("/gpu:1"):\n    w', 'with tf.device("/cpu:0"):\n    w'),)),
    # mlp
    *_all("mlp", "on the CPU", ('"/gpu:0"', '"/cpu:0"'), but="keras"),
    *_all("mlp", "other GPU", ('"/gpu:0"', '"/gpu:1"')),
    *(Wrong("mlp", form, "missing layer", (("tf.matmul(hidden, w2) + b2", "hidden"),))
      for form in ("function", "eager", "wrapped")),
    Wrong("mlp", "keras", "one more layer",
          (("            tf.keras.layers.Dense(10)",
            "            tf.keras.layers.Dense(48),\n            tf.keras.layers.Dense(10)"),)),
    Wrong("mlp", "keras", "missing layer",
          (('tf.keras.layers.Dense(48, activation="relu", input_shape=(64,)),\n            ', ""),
           ("Dense(10)", "Dense(10, input_shape=(64,))"))),
    *(Wrong("mlp", form, "other optimizer", (("optimizers.Adam(0.001)", "optimizers.SGD(0.1)"),))
      for form in ("function", "eager", "keras")),
    *(Wrong("mlp", form, "weights not trained",
            (("tape.gradient(loss, [w1, b1, w2, b2])", "tape.gradient(loss, [w1, b1])"),
             ("zip(gradients, [w1, b1, w2, b2])", "zip(gradients, [w1, b1])")))
      for form in ("function", "eager")),
    *(Wrong("mlp", form, "gradients on the other GPU",
            (("        gradients = tape", '        with tf.device("/gpu:1"):\n'
              "            gradients = tape"),))
      for form in ("function", "eager")),
    # conv
    *_all("conv", "other GPU", ('"/gpu:0"', '"/gpu:1"')),
    *_all("conv", "missing pooling", ("tf.nn.max_pool2d(tf.nn.relu(z), 2, 2, \"VALID\")",
                                      "tf.nn.relu(z)"), but="keras"),
    Wrong("conv", "keras", "missing pooling", (("layers.MaxPooling2D(2, 2),\n", ""),)),
    Wrong("conv", "keras", "missing normalization", (("layers.BatchNormalization(),\n", ""),)),
    *_all("conv", "larger kernel", ("[3, 3, 3, 12]", "[5, 5, 3, 12]"), but="keras"),
    # towers
    *_all("towers", "swapped", ('"/gpu:%d" % number', '"/gpu:%d" % (1 - number)')),
    *_all("towers", "one GPU", ('"/gpu:%d" % number', '"/gpu:0"')),
    *_all("towers", "half on the CPU", ('"/gpu:%d" % number', '("/gpu:0", "/cpu:0")[number]')),
    *_all("towers", "variables on a GPU", ('"/cpu:0"', '"/gpu:0"')),
    *_all("towers", "uneven", ("tf.split(x, 2), tf.split(y, 2)",
                               "tf.split(x, [24, 8]), tf.split(y, [24, 8])")),
    *_all("towers", "three to one", ("tf.split(x, 2), tf.split(y, 2)",
                                     "tf.split(x, 4), tf.split(y, 4)"),
          ("range(2)", "range(4)"), ('"/gpu:%d" % number', '"/gpu:%d" % (number // 3)')),
    *(Wrong("towers", form, "means on a GPU",
            (('    with tf.device("/cpu:0"):\n        means',
              '    with tf.device("/gpu:0"):\n        means'),))
      for form in ("function", "eager", "wrapped")),
    *(Wrong("towers", form, "gradients on one GPU",
            (('        with tf.device("/gpu:%d" % number):\n            gradients',
              '        with tf.device("/gpu:0"):\n            gradients'),))
      for form in ("function", "eager")),
    *(Wrong(name, "keras", "momentum", (("legacy.SGD(0.1)", "SGD(0.1)"),))
      for name in ("conv", "towers")),
    *(Wrong("mlp", "wrapped", name, (("AdamOptimizer(0.001)", f"{name}Optimizer({rest})"),))
      for name, rest in (("GradientDescent", 0.1), ("Momentum", "0.1, 0.9"), ("Adagrad", 0.1))),
    Wrong("matmul", "function", "mean for sum", (("tf.reduce_sum", "tf.reduce_mean"),)),
    *(Wrong("towers", form, "crossed gradients",
            (('        with tf.device("/gpu:%d" % number):\n            gradients',
              '        with tf.device("/gpu:%d" % (1 - number)):\n            gradients'),))
      for form in ("function", "eager")),
    # counter
    *_all("counter", "count on a GPU", ('"/cpu:0"', '"/gpu:0"'), but="wrapped"),
    *_all("counter", "weights on the CPU", ('"/gpu:0"', '"/cpu:0"')),
    *_all("counter", "other GPU", ('"/gpu:0"', '"/gpu:1"')),
    Wrong("counter", "function", "no count", (("count.assign_add(1)", "count"),)),
]  # fmt: skip
