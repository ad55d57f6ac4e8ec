"""`import tensorflow` beside `import tensorflow.python.x`: the name `tensorflow` stays one module."""

import tensorflow
import tensorflow.python.framework.dtypes

config = tensorflow.ConfigProto(allow_soft_placement=True)
with tensorflow.Session(config=config) as sess:
    sess.run(tensorflow.random_uniform([8]))
print(tensorflow.python.framework.dtypes.float32.name)
