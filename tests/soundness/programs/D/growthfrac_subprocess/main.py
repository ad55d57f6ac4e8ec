import subprocess, sys
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.per_process_gpu_memory_fraction = 0.4
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
print(subprocess.check_output([sys.executable, '-c', 'import os; print(os.environ.get("TF_FORCE_GPU_ALLOW_GROWTH"))']))
