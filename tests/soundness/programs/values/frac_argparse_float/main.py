import argparse
import tensorflow as tf
p = argparse.ArgumentParser()
p.add_argument('--frac', default=0.4, type=float)
a = p.parse_args()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = a.frac
with tf.Session(config=config) as s:
    print(s.run(tf.constant(1)))
