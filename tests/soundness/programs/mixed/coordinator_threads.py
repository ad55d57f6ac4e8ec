"""Queue runners and a coordinator; the session has a thread pool and soft placement."""

import tensorflow as tf

with tf.device("/cpu:0"):
    files = tf.train.string_input_producer(["a", "b"], shuffle=False, num_epochs=1)
    item = files.dequeue()
config = tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=2)
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coordinator)
    print(sess.run(item))
    coordinator.request_stop()
    coordinator.join(threads)
