"""A list of GPUs that is a blank is an error, which the program catches."""

import tensorflow as tf
def sess():
    return tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list=" ")))
try:
    s = sess()
except tf.errors.InvalidArgumentError as e:
    print("IAE"); s = tf.Session()
print(s.run(tf.constant(1.0)))
