import base


def net(x):
    return [file.tf.nn.dropout(x, 1.0) for file in [base]][0]
