import tensorflow as tf
from other import *

print(tf.__name__)
