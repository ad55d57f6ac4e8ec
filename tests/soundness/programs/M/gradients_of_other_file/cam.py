from keras import backend as K


def heat():
    x = K.placeholder([2])
    return len(K.gradients(K.sum(x), [x]))
