import tensorflow as tf

print([one.name for one in tf.Session(config=tf.ConfigProto()).list_devices()])
