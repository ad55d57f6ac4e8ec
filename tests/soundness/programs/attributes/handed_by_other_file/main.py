from settings import Settings, train
from small import Small

train(Small())
train(Settings())
