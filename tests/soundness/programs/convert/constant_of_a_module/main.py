import settings
import tensorflow as tf

print(settings.GROWTH, sorted(vars(settings).keys())[-1:])
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = settings.FRACTION
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
