from tensorflow import ConfigProto, Session, constant
from work import *

config = ConfigProto()
config.gpu_options.allow_growth = True
with Session(config=config) as sess:
    print(sess.run(constant(1.0) + 1.0))
