def main():
    import tensorflow as tf, numpy as np
    from gpu import start
    sess = start()
    from net import out
    o = out()
    sess.run(tf.global_variables_initializer())
    print(tf.executing_eagerly())
    print(sess.run(o).shape)
main()
import tensorflow as tf
with tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=.5))) as s2:
    print(s2.run(tf.constant(3.)))
