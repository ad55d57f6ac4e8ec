"""TF_FORCE_GPU_ALLOW_GROWTH=true is there already."""
# variables: TF_FORCE_GPU_ALLOW_GROWTH=true

# run: K_frac_env1 | | TF_FORCE_GPU_ALLOW_GROWTH=1
import tensorflow as tf
config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3))
s = tf.Session(config=config)
print(s.run(tf.constant(1.)))
