import threading, time
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
res = {}
def run(name, soft):
    g = tf.Graph()
    with g.as_default():
        with tf.device('/gpu:7'):
            x = tf.constant(1.0) + 1.0
        config = tf.ConfigProto(allow_soft_placement=soft)
        with tf.Session(graph=g, config=config) as s:
            try:
                s.run(x); res[name] = 'ran'
            except tf.errors.InvalidArgumentError:
                res[name] = 'refused'
ts = [threading.Thread(target=run, args=(i, i % 2 == 0)) for i in range(12)]
[t.start() for t in ts]; [t.join() for t in ts]
print(sorted(res.items()))
