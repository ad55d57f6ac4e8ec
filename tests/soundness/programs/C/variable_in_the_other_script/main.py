import os
from data import step3

def select1(value):
    os.environ['CUDA_VISIBLE_DEVICES'] = str(value)

class Thing2:
    def __str__(self):
        select1('1')
        return 'thing'

print(Thing2())
step3()
