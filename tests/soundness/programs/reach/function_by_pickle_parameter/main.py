import tensorflow as tf
def run_a(config, n):
    with tf.Session(config=config) as s: print(s.run(tf.placeholder_with_default(n, [])))
c = tf.ConfigProto()
c.gpu_options.allow_growth = True
run_a(c, 1)
import pickle
pickle.loads(b'c__main__\nrun_a\n.')(None, 2)
