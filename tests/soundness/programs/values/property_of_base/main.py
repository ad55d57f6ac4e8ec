import tensorflow as tf
from base import Base
class Options(Base):
    pass
def session(options):
    gpu = tf.GPUOptions(per_process_gpu_memory_fraction=options.fraction)
    return tf.Session(config=tf.ConfigProto(gpu_options=gpu))
o = Options()
print(session(o).run(tf.constant(1)), o.reads)
