import tensorflow as tf
from .net import *
