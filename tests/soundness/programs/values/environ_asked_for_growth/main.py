from os import environ
import tensorflow as tf
options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3)
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
    print(sess.run(tf.constant(1)))
print('TF_FORCE_GPU_ALLOW_GROWTH' in environ)
