import os
import tensorflow as tf
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '2'
options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3)
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
    print(sess.run(tf.constant(1)))
print(os.environ.get('NO_SUCH_VARIABLE'), os.getenv('NO_OTHER'), 'NONE_AT_ALL' in os.environ)
