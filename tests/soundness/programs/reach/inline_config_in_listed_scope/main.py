import tensorflow as tf
def main():
    s = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
    print(s.run(tf.constant(1)))
    print(sorted(locals()))
main()
