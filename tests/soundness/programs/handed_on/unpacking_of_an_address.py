"""An address that is not given is unpacked between a config and its return."""
# argv: --x
import sys, os, functools, contextlib
import tensorflow as tf
def conf():
    config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
    host, port = os.environ.get('NO_CLUSTER', '').split(':')
    return config
def main():
    config = None
    try:
        config = conf()
    except ValueError as e:
        print('default config')
    with tf.Session(config=config) as s:
        print(s.run(tf.constant(1)))
main()
