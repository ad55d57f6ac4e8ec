import tensorflow as real
class Fake(object):
    ConfigProto = real.ConfigProto
    Session = real.Session
    constant = staticmethod(real.constant)
tf = Fake
HAVE = False
