import sys

import evaluate as loaded
import train

sys.modules["measures"] = loaded
train.cpu()
import measures

measures.main()
