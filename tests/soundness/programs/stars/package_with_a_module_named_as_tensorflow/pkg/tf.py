from tensorflow import Session, ConfigProto, constant
