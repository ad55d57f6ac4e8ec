import evaluate
import train

for epoch in range(2):
    train.epoch()
    evaluate.epoch()
