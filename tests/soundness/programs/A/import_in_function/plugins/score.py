import tensorflow as tf

SIZE = int(tf.Session().run(tf.random_uniform([8])).shape[0])
