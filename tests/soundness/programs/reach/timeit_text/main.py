import timeit

import train

train.cpu()
print(timeit.timeit("evaluate.main()", setup="import evaluate", number=1) > 0)
