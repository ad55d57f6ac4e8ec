import tensorflow as tf
from agents.base import Base


class Agent(Base):
    def __init__(self):
        config = tf.ConfigProto()
        config.gpu_options.per_process_gpu_memory_fraction = 0.3
        super().__init__()
        self.sess = tf.Session(config=config)


Agent().sess.run(tf.random_uniform([8]))
