from tensorflow import nn
