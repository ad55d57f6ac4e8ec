import settings
import tensorflow as tf

for name, value in {"allow_growth": False, "per_process_gpu_memory_fraction": 0.3}.items():
    setattr(settings.CONFIG.gpu_options, name, value)
with tf.Session(config=settings.CONFIG) as sess:
    sess.run(tf.random_uniform([8]))
