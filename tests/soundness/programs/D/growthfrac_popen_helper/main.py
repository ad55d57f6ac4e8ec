import tensorflow as tf
from helper import launch
def main():
    opts = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3)
    with tf.Session(config=tf.ConfigProto(gpu_options=opts)) as sess:
        print(sess.run(tf.constant(1)))
    launch()
main()
