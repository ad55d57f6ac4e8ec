from keras import backend as K


def heat():
    x = K.placeholder((2,))
    function = K.function([x], K.gradients(K.sum(x), [x]))
    return function([[1.0, 2.0]])[0].shape
