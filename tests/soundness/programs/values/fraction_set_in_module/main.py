import settings
import tensorflow as tf


def override(module, **values):
    for name in values:
        setattr(module, name, values[name])


override(settings, FRACTION=1.5)
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = settings.FRACTION
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
