from loading import need
tensorflow = need('tensorflow')
def net():
    return tensorflow.placeholder_with_default(1, [])
