"""An error comes between the constructor and an attribute, and the caller catches it."""
import sys
import tensorflow as tf
class Trainer(object):
    def __init__(self):
        self.config = None
    def setup(self):
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
        int(sys.argv[3])
        self.config = config
    def run(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
trainer = Trainer()
try:
    trainer.setup()
except IndexError:
    print("no settings")
trainer.run()
