import tensorflow as tf
from second import *
