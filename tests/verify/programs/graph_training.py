"""TF1 graphs: dense, convolutional and 3-D networks with batch norm, Saver, RunMetadata."""

import tempfile

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()


def variable(name, shape):
    return v1.get_variable(name, shape, initializer=v1.truncated_normal_initializer(stddev=0.1))


def dense(x, units, name):
    with v1.variable_scope(name):
        weights, bias = variable("weights", [x.shape[-1], units]), variable("bias", [units])
        return tf.nn.bias_add(tf.matmul(x, weights), bias)


def flat(x):
    return tf.reshape(x, [-1, int(np.prod(x.shape[1:]))])


def normalised(x, name):
    with v1.variable_scope(name):
        scale, offset = variable("scale", [x.shape[-1]]), variable("offset", [x.shape[-1]])
        return v1.nn.fused_batch_norm(x, scale, offset, is_training=True)[0]


def image_network(x):
    x = dense(x, 192, "in")
    x = tf.reshape(x, [-1, 8, 8, 3])
    x = tf.nn.relu(normalised(tf.nn.conv2d(x, variable("filter", [3, 3, 3, 8]), 1, "SAME"), "norm"))
    x = tf.nn.avg_pool2d(tf.nn.max_pool2d(x, 2, 2, "VALID"), 2, 2, "VALID")
    return dense(v1.nn.dropout(flat(x), rate=0.2), 10, "out")


def volume_network(x):
    x = tf.reshape(x, [-1, 4, 4, 4, 1])
    x = tf.nn.conv3d(x, variable("volume", [2, 2, 2, 1, 4]), [1] * 5, "SAME")
    return dense(flat(tf.nn.max_pool3d(x, 2, 2, "VALID")), 10, "volume_out")


x = v1.placeholder(tf.float32, [16, 64])
y = v1.placeholder(tf.int64, [16])
with tf.device("/gpu:0"):
    logits = image_network(x) + volume_network(x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    rate = v1.train.exponential_decay(0.1, v1.train.get_or_create_global_step(), 10, 0.9)
    trains = [
        v1.train.MomentumOptimizer(rate, 0.9).minimize(loss, v1.train.get_global_step()),
        v1.train.AdamOptimizer(0.01).minimize(loss),
        v1.train.RMSPropOptimizer(0.01).minimize(loss),
    ]
saver = v1.train.Saver()
config = v1.ConfigProto(allow_soft_placement=True)
with v1.Session(config=config) as session:
    session.run(v1.global_variables_initializer())
    feed = {x: np.ones([16, 64], np.float32), y: np.zeros([16], np.int64)}
    for _ in range(2):
        session.run(trains, feed)
    options = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE, output_partition_graphs=True)
    seen = v1.RunMetadata()
    session.run(trains, feed, options=options, run_metadata=seen)
    nodes = [node for graph in seen.partition_graphs for node in graph.node]
    for kind in ("Conv2D", "Conv3D", "Conv2DBackpropFilter", "FusedBatchNormGradV3", "MatMul"):
        placed = {node.device for node in nodes if node.op.lstrip("_").startswith(kind)}
        assert placed and all(device.endswith("GPU:0") for device in placed), (kind, placed)
    with tempfile.TemporaryDirectory() as folder:
        path = saver.save(session, f"{folder}/model")
        saver.restore(session, path)
print("ok")
