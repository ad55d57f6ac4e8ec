import settings
import tensorflow as tf
import trainer

settings.CONFIG = tf.ConfigProto(device_count={"GPU": 1})
trainer.run()
