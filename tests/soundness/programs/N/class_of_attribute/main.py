import tensorflow as tf
class Trainer(object):
    def __init__(self):
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = '0'
        self.sess = tf.Session(config=config)
    def fresh(self):
        return self.sess.__class__()
t = Trainer()
print(len(t.sess.list_devices()), len(t.fresh().list_devices()))
