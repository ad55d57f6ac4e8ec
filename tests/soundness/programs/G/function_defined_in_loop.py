"""A generator that makes the eager context is defined behind the session, but in a loop around it."""

import tensorflow as tf

made = []
for step in range(2):
    for function in made:
        print([int(item) for item in function()])
        config = tf.compat.v1.ConfigProto()
        config.gpu_options.allow_growth = True
        session = tf.compat.v1.Session(config=config)

    def items():
        yield tf.constant(step) + 1

    made.append(items)
