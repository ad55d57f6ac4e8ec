import tensorflow as tf


def train():
    config = tf.ConfigProto(inter_op_parallelism_threads=5)
    with tf.train.MonitoredTrainingSession(config=config) as sess:
        print(sess.run(step))


def data():
    dataset = tf.data.Dataset.from_generator(lambda: iter([1, 2]), tf.int64).batch(2)
    print(dataset is not None)


step = tf.train.get_or_create_global_step()
train()
data()
