import tensorflow as tf


class Session(tf.Session):
    def __init__(self, config=None):
        print(config is None)
        super().__init__(config=config)
