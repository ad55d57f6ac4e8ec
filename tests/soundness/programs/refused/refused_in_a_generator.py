"""A generator catches that protobuf refuses a number."""

import tensorflow as tf
def g():
    try:
        yield tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=3000000000))
    except ValueError:
        print("VE")
        yield tf.Session()
for s in g():
    print(s.run(tf.constant(1.)))
