import tensorflow as tf
class T(object):
    def get_config(self):
        c = tf.ConfigProto()
        c.gpu_options.allow_growth = True
        return c
    def sess(self): return tf.Session(config=self.get_config())
t = T()
print(t.sess().run(tf.placeholder_with_default(1, [])))
for what in ('config',):
    print(getattr(t, 'get_' + what)().gpu_options.allow_growth)
