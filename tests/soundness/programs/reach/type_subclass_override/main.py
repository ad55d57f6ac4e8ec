import tensorflow as tf
import lib
def make(self, config):
    print('custom'); return tf.Session()
Custom = type('Custom', (lib.Net,), {'make': make})
print(lib.Net().main())
print(Custom().main())
