import net
import tensorflow as tf
c = tf.ConfigProto(allow_soft_placement=True)
c.gpu_options.per_process_gpu_memory_fraction = 0.3
s = tf.Session(config=c)
print(s.run(net.out))
