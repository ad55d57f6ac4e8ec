import tensorflow as tf


class RunConfig:
    def __init__(self, session_config=None):
        self.session_config = session_config


class Estimator:
    def __init__(self, model, config=None):
        self.model = model
        self.config = config or RunConfig()

    def _run(self, config):
        with tf.Graph().as_default(), tf.Session(config=config) as sess:
            sess.run(self.model())
            print(len(sess.list_devices()))

    def train(self):
        self._run(self.config.session_config)

    def evaluate(self):
        self._run(None)
