import tensorflow as tf
config = tf.ConfigProto(device_count={"GPU": 1})
sess = tf.Session(config=config)
