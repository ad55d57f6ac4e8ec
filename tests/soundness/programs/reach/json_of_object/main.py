import json
import tensorflow as tf
class Trainer(object):
    def __init__(self):
        self.rate = 0.1
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        with tf.Session(config=self.config) as s:
            s.run(tf.constant(1))
print(json.dumps(Trainer(), default=lambda o: sorted(o.__dict__) if hasattr(o, '__dict__') else str(o)))
