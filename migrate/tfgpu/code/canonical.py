"""The one name of each symbol of TensorFlow and Keras, whichever of its paths it is imported by.

A canonical name starts with `tf.` or `keras.`; `tf.compat.v1.Session`, `tensorflow.Session` and
`tensorflow.python.client.session.Session` are all `tf.Session`.
"""

from __future__ import annotations

from functools import cache

from tfgpu.files.pattern import expression

# Longest prefix first; what stands on the left is one namespace with what stands on the right.
_PREFIXES = (
    ("tensorflow.core.protobuf.config_pb2", "tf"),
    ("tensorflow.core.protobuf.rewriter_config_pb2", "tf"),
    ("tensorflow.core.protobuf.cluster_pb2", "tf"),
    ("tensorflow.python.client.session", "tf"),
    ("tensorflow.python.framework.ops", "tf"),
    ("tensorflow.python.platform.test", "tf.test"),
    ("tensorflow.python.framework.test_util", "tf.test"),
    ("tensorflow.python.training.monitored_session", "tf.train"),
    ("tensorflow.python.training.session_manager", "tf.train"),
    ("tensorflow.python.training.supervisor", "tf.train"),
    ("tensorflow.python.training.server_lib", "tf.train"),
    ("tensorflow.python.estimator.run_config", "tf.estimator"),
    ("tensorflow_estimator.python.estimator.run_config", "tf.estimator"),
    (
        "tensorflow.contrib.distribute.python.collective_all_reduce_strategy",
        "tf.contrib.distribute",
    ),
    ("tensorflow.contrib.distribute.python.mirrored_strategy", "tf.contrib.distribute"),
    ("tensorflow.contrib.distribute.python.one_device_strategy", "tf.contrib.distribute"),
    ("tensorflow.contrib.distribute.python.parameter_server_strategy", "tf.contrib.distribute"),
    ("tensorflow.contrib.eager.python.tfe", "tf.contrib.eager"),
    ("tensorflow.contrib.gan.python.train", "tf.contrib.gan"),
    ("tensorflow.contrib.learn.python.learn.estimators.run_config", "tf.contrib.learn"),
    ("tensorflow.contrib.learn.python.learn.experiment", "tf.contrib.learn"),
    ("tensorflow.contrib.learn.python.learn", "tf.contrib.learn"),
    ("tensorflow.contrib.predictor.predictor_factories", "tf.contrib.predictor"),
    ("tensorflow.contrib.slim.python.slim", "tf.contrib.slim"),
    ("tensorflow.contrib.tpu.python.tpu.tpu_config", "tf.contrib.tpu"),
    ("tensorflow.contrib.training.python.training.evaluation", "tf.contrib.training"),
    ("tensorflow.contrib.training.python.training.training", "tf.contrib.training"),
    ("tensorflow.contrib.keras.python.keras", "keras"),
    ("tensorflow.contrib.keras.api.keras", "keras"),
    ("tensorflow.contrib.keras", "keras"),
    ("tensorflow.python.keras", "keras"),
    ("tensorflow.keras", "keras"),
    ("tensorflow", "tf"),
    ("tf_keras", "keras"),
    ("keras", "keras"),
)
FLAGS = frozenset(["tf.app.flags.FLAGS", "tf.flags.FLAGS", "absl.flags.FLAGS"])
"""Where the flags of TensorFlow, or absl, have their values."""
_KERAS_BACKENDS = ("keras.backend.tensorflow_backend", "keras.src.backend")
# TensorFlow has itself among its names, as often as one likes: `tf.compat.v1.compat.v2.compat.v1`.
_ITSELF = expression(r"tensorflow(?:_core)?(?:\.(?:_api\.v[12]|compat\.v[12](?=\.|$)))*(?=\.|$)")


@cache
def canonical(path: str) -> str:
    """Return the canonical name of a dotted path; a path outside TensorFlow is its own."""
    path = _ITSELF.sub("tensorflow", path, count=1) if path.startswith("tensorflow") else path
    for prefix, name in _PREFIXES:
        if path == prefix or path.startswith(prefix + "."):
            path = name + path[len(prefix) :]
            break
    for backend in _KERAS_BACKENDS:
        if path == backend or path.startswith(backend + "."):
            return "keras.backend" + path[len(backend) :]
    return path
