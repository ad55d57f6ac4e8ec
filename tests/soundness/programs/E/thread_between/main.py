import monitor
import trainer

fit = trainer.prepare()
monitor.Monitor().start_and_wait()
fit()
