import tensorflow as tf
from conf import cfg
def session():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    config.inter_op_parallelism_threads = cfg.v
    print("x")
    return tf.Session(config=config)
print(session().run(tf.constant(1.)))
