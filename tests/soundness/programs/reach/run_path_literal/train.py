import tensorflow as tf
config = tf.ConfigProto(device_count={"GPU": 0})
sess = tf.Session(config=config)
print(len(sess.list_devices()))
