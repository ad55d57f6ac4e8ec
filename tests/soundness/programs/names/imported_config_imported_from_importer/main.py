import tensorflow as tf
from middle import config, make

with make() as sess:
    print(sess.run(tf.constant(1)), config.gpu_options.allow_growth)
