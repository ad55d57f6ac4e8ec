"""Soft placement, and operations whose sizes are read back from the GPU."""

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()

with tf.device("/gpu:0"):
    counter = v1.get_variable("counter", initializer=1, use_resource=False)
    text = tf.strings.join(["a", "b"])
    values = v1.placeholder(tf.float32, [6])
    positive = tf.where(values > 0)
    unique = tf.unique(tf.cast(values, tf.int32))
    kept = tf.boolean_mask(values, values > 0)
    best = tf.math.top_k(values, 3)
    boxes = tf.image.non_max_suppression(tf.reshape(tf.tile(values, [4]), [6, 4]), values, 3)
    matrix = tf.eye(4) * 2.0
    algebra = [
        tf.linalg.cholesky(matrix),
        tf.linalg.inv(matrix),
        tf.linalg.solve(matrix, matrix),
        tf.linalg.svd(matrix)[0],
        tf.linalg.qr(matrix)[0],
        tf.linalg.eigh(matrix)[0],
        tf.linalg.det(matrix),
        tf.signal.fft(tf.cast(matrix, tf.complex64)),
        tf.random.normal([4, 4]) + tf.sort(matrix, 1) + tf.cumsum(matrix, 1),
    ]

feed = {values: np.array([3, 0, 1, 1, 0, 2], np.float32)}
with v1.Session(config=v1.ConfigProto(allow_soft_placement=True)) as session:
    session.run(v1.global_variables_initializer())
    seen = v1.RunMetadata()
    options = v1.RunOptions(output_partition_graphs=True)
    asked = [v1.assign_add(counter, 1), text]
    assert session.run(asked, options=options, run_metadata=seen) == [2, b"ab"]
    devices = {node.device for graph in seen.partition_graphs for node in graph.node}
    assert all(device.endswith("CPU:0") for device in devices), devices
    for fetch in (positive, unique, kept, best, boxes, algebra):
        session.run(fetch, feed)
try:
    with v1.Session(config=v1.ConfigProto(allow_soft_placement=False)) as session:
        session.run(v1.global_variables_initializer())
        raise SystemExit("a variable without a GPU kernel was placed on the GPU")
except tf.errors.InvalidArgumentError as error:
    assert "Cannot assign a device" in str(error)
print("ok")
