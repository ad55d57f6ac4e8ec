import tensorflow as tf
class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.per_process_gpu_memory_fraction = 0.5
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1.0)))
trainer = Trainer()
trainer.train()
