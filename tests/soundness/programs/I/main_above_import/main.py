from gpu import start
from net import out
def main():
    print(start().run(out()))
if __name__ == '__main__':
    main()
import tensorflow as tf
with tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))) as s2:
    print(s2.run(tf.constant(3.)))
