gpu = "mine"
index = 7
from settings import *

with make() as sess:
    sess.run(tf.random_uniform([8]))
print(gpu, index)
