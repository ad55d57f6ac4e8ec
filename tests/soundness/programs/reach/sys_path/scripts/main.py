import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(here, "..", "lib"))
import evaluate
import train

train.cpu()
evaluate.main()
