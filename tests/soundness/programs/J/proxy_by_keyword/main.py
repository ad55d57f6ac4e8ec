import tensorflow as tf
import model
config = tf.ConfigProto()
config.gpu_options.visible_device_list = '0'
with tf.Session(config=config) as s:
    print(s.run(model.net()), len(s.list_devices()))
