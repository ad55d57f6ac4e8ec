import tensorflow as tf


def install(module):
    module.flag = 1


install(tf)
