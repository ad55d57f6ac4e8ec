import tensorflow as tf

try:
    import horovod.tensorflow as hvd
except ImportError:
    import single as hvd

hvd.init()
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(hvd.local_rank())
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1) + 1))
