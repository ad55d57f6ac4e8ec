"""Between a config and its sessions in a comprehension each iteration makes a plain one."""
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.25
sessions = [(tf.Session(), tf.Session(config=config)) for _ in range(2)]
for pair in sessions:
    for sess in pair:
        sess.run(tf.random_uniform([8]))
