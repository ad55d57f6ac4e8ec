import tensorflow as tf
from pkg import nets
with tf.Session() as s:
    print(s.run(nets.net()))
