import tensorflow as tf

SIZE = int(tf.convert_to_tensor([1, 2, 3]).numpy().sum())
