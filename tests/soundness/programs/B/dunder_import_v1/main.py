import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
config = tf.ConfigProto(device_count={'GPU': 1})
config.gpu_options.per_process_gpu_memory_fraction = 0.25
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
task = __import__('task')
task.run()
