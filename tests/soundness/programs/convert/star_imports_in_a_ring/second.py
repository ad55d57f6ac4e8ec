import tensorflow as tf
from first import *
