class Lazy(object):
    def __getattr__(self, name):
        import tensorflow
        return getattr(tensorflow, name)
tf = Lazy()
