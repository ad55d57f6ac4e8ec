"""TF_FORCE_GPU_ALLOW_GROWTH has a value that TensorFlow ignores, beside virtual devices."""
# variables: TF_FORCE_GPU_ALLOW_GROWTH=1

# run: K_virt_env | | TF_FORCE_GPU_ALLOW_GROWTH=1
import tensorflow as tf
config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="0", allow_growth=True, experimental=tf.GPUOptions.Experimental(virtual_devices=[tf.GPUOptions.Experimental.VirtualDevices(memory_limit_mb=[100, 50])])))
s = tf.Session(config=config)
print(s.run(tf.constant(1.)))
