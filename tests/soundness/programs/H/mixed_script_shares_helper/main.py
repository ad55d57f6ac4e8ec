import helpers as _helpers
import tensorflow as tf

def step2():
    double = tf.function(lambda value: value * 2)

class App3:
    def run(self):
        _helpers.step1()

App3().run()
