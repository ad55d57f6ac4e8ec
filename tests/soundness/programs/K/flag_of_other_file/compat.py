import tensorflow as tf

TF2 = tf.__version__ >= "2"
