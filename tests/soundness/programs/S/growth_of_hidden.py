"""Growth counts for the GPU that the session before did not show."""
# expect: safe
# gpus: sim:512MiB,512MiB,1GiB

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 2})) as session:
    print(len(session.list_devices()))
with tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))) as session:
    print(len(session.list_devices()))
