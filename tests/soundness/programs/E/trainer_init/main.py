import a
import b

trainer = a.Trainer()
b.go()
trainer.go()
