"""A trainer with one tower per GPU: variables on the CPU, averaged gradients, moving averages."""

import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()

GPUS = 4


def tower(images, labels):
    kernel = v1.get_variable("kernel", [3, 3, 3, 8])
    x = tf.nn.relu(tf.nn.conv2d(images, kernel, 1, "SAME"))
    x = tf.nn.max_pool2d(x, 2, 2, "SAME")
    x = tf.nn.lrn(x)
    weights = v1.get_variable("weights", [12 * 12 * 8, 10])
    logits = tf.matmul(tf.reshape(x, [-1, 12 * 12 * 8]), weights)
    cross = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(cross) + 0.004 * tf.nn.l2_loss(weights)


with tf.device("/cpu:0"):
    step = v1.train.get_or_create_global_step()
    optimizer = v1.train.GradientDescentOptimizer(0.1)
    images, labels = tf.zeros([8, 24, 24, 3]), tf.zeros([8], tf.int64)
    gradients, losses = [], []
    for gpu in range(GPUS):
        with (
            v1.variable_scope("model", reuse=gpu > 0),
            v1.device(
                v1.train.replica_device_setter(
                    ps_device="/cpu:0",
                    worker_device=f"/gpu:{gpu}",
                    ps_tasks=1,
                    ps_ops=["VariableV2"],
                )
            ),
            v1.name_scope(f"tower_{gpu}"),
        ):
            losses.append(tower(images, labels))
            gradients.append(optimizer.compute_gradients(losses[-1]))
    averaged = [
        (tf.reduce_mean(tf.stack([gradient for gradient, _ in pairs]), 0), pairs[0][1])
        for pairs in zip(*gradients, strict=True)
    ]
    apply = optimizer.apply_gradients(averaged, step)
    average = tf.train.ExponentialMovingAverage(0.99, step).apply(v1.trainable_variables())
    train = tf.group(apply, average)
    loss = tf.add_n(losses)
    checked = v1.check_numerics(loss, "loss is not a number")

config = v1.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
with v1.Session(config=config) as session:
    session.run(v1.global_variables_initializer())
    seen = v1.RunMetadata()
    options = v1.RunOptions(output_partition_graphs=True)
    for _ in range(3):
        session.run([train, checked], options=options, run_metadata=seen)
    used = {node.device for graph in seen.partition_graphs for node in graph.node}
    assert {f"/job:localhost/replica:0/task:0/device:GPU:{gpu}" for gpu in range(GPUS)} <= used
print("ok")
