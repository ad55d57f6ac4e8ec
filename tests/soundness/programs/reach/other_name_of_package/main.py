import sys

import evaluate
import train

sys.modules["scores"] = evaluate
import scores

train.cpu()
scores.main()
