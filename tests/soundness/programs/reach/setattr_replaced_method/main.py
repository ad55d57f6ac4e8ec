import tensorflow as tf
from lib import Net
n = Net()
print(n.main())
name = 'make'
setattr(n, name, lambda config: tf.Session())
print(n.main())
