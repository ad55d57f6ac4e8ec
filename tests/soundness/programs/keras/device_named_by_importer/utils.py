import tensorflow as tf
K = tf.keras.backend

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
