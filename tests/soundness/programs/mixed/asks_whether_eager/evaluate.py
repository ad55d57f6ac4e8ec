import tensorflow as tf

from helpers import evaluate

evaluate()
