from loading import lazily
tf = lazily('tensorflow')
def net(x):
    return tf.nn.dropout(x, 0.9, seed=1)
