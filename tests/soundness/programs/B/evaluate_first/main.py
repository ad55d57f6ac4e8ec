import evaluate
import train

evaluate.main()
train.main()
