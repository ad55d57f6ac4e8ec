import inspect, sys
import tensorflow as tf
def cmd_train(config, n):
    with tf.Session(config=config) as s: print(s.run(tf.placeholder_with_default(n, [])))
def main(argv):
    c = tf.ConfigProto()
    c.gpu_options.allow_growth = True
    if not argv: return cmd_train(c, 1)
    for name, f in inspect.getmembers(sys.modules[__name__], inspect.isfunction):
        if name.startswith('cmd_'): f(None, 2)
main(sys.argv[1:])
