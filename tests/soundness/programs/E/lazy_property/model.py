import tensorflow as tf


class Model:
    def __init__(self):
        self._config = tf.ConfigProto()
        self._config.gpu_options.per_process_gpu_memory_fraction = 0.4
        self._session = None

    @property
    def session(self):
        if self._session is None:
            self._session = tf.Session(config=self._config)
        return self._session
