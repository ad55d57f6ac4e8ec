import tensorflow as tf
from pkg.gpu import config
with tf.Session(config=config) as s:
    print(s.run(tf.placeholder_with_default(1, [])))
