import tensorflow as tf
def open_session(gpu):
    config = tf.ConfigProto()
    if gpu == 0: config.gpu_options.visible_device_list = '0'
    else: config.gpu_options.visible_device_list = '3'
    try:
        return tf.Session(config=config)
    except tf.errors.InvalidArgumentError:
        print('no such gpu, using cpu'); return None
print(open_session(3))
