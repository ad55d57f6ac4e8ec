import gpu


class Fake(object):
    ConfigProto = gpu.tf.ConfigProto

    @staticmethod
    def Session(config=None):
        print("fake", config is not None)


gpu.tf = Fake
gpu.open_session()
