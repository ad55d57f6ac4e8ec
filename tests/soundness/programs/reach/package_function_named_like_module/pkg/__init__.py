from pkg.evaluate import *
from pkg.train import train
