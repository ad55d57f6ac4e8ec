import tensorflow as tf


def make_session(config=None, graph=None):
    if config is None:
        config = tf.ConfigProto(
            allow_soft_placement=True,
            inter_op_parallelism_threads=2,
            intra_op_parallelism_threads=2,
        )
        config.gpu_options.allow_growth = True
    return tf.Session(config=config, graph=graph)
