"""TF1 graphs: loops, conditions, embeddings with sampled loss, queues and their threads."""

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()
v1.disable_control_flow_v2()

HIDDEN, STEPS = 16, 5


def lstm(inputs):
    """A cell by hand in a while_loop over time."""
    weights = v1.get_variable("cell", [inputs.shape[-1] + HIDDEN, 4 * HIDDEN])

    def step(time, state, output):
        joined = tf.concat([inputs[time], output], 1)
        new, forget, keep, out = tf.split(tf.matmul(joined, weights), 4, 1)
        state = tf.sigmoid(forget) * state + tf.sigmoid(keep) * tf.tanh(new)
        return time + 1, state, tf.sigmoid(out) * tf.tanh(state)

    zeros = tf.zeros([inputs.shape[1], HIDDEN])
    return tf.while_loop(lambda time, *_: time < STEPS, step, [0, zeros, zeros])[2]


with tf.device("/gpu:0"):
    words = v1.placeholder(tf.int32, [STEPS, 8])
    table = v1.get_variable("table", [100, 12])
    output = lstm(tf.nn.embedding_lookup(table, words))
    weights, biases = v1.get_variable("nce", [100, HIDDEN]), v1.get_variable("bias", [100])
    targets = tf.cast(tf.expand_dims(words[0], 1), tf.int64)
    loss = tf.reduce_mean(tf.nn.nce_loss(weights, biases, targets, output, 4, 100))
    train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
    flag = v1.placeholder(tf.bool, [])
    chosen = tf.cond(flag, lambda: tf.ones([2]) * 2.0, lambda: tf.zeros([2]))
    case = tf.case([(flag, lambda: tf.constant(1.0))], default=lambda: tf.constant(2.0))

queue = tf.queue.FIFOQueue(8, [tf.float32], [[4]])
runner = v1.train.QueueRunner(queue, [queue.enqueue(tf.ones([4]))] * 2)
v1.train.add_queue_runner(runner)
with tf.device("/gpu:0"):
    from_queue = queue.dequeue() * 2.0

with v1.Session(config=v1.ConfigProto(allow_soft_placement=True)) as session:
    session.run(v1.global_variables_initializer())
    for _ in range(3):
        session.run(train, {words: np.ones([STEPS, 8], np.int32)})
    assert session.run([chosen, case], {flag: True})[0].shape == (2,)
    coordinator = v1.train.Coordinator()
    threads = v1.train.start_queue_runners(session, coordinator)
    for _ in range(5):
        assert session.run(from_queue).shape == (4,)
    coordinator.request_stop()
    session.run(queue.close(cancel_pending_enqueues=True))
    coordinator.join(threads, stop_grace_period_secs=30)
print("ok")
