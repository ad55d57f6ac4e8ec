import evaluate
import train

train.main()
evaluate.main()
