import tensorflow as tf
import lib
from unittest import mock
print(lib.main())
with mock.patch.object(lib, 'make', lambda config: tf.Session()):
    print(lib.main())
