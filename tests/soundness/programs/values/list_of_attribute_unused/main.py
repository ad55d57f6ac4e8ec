import tensorflow as tf
class Net(object):
    def __init__(self, gpu):
        self.config = tf.ConfigProto()
        self.config.gpu_options.visible_device_list = str(gpu)
    def run(self):
        with tf.Session(config=self.config) as s:
            return s.run(tf.constant(1))
nets = [Net(n) for n in range(4)]
print(nets[0].run())
