import tensorflow as tf
STEPS = 2
session_config = tf.ConfigProto()
session_config.device_count['GPU'] = 0
