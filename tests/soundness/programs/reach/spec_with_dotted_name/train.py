import tensorflow as tf
sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 0}))
print(len(sess.list_devices()))
