import threading

import learner
import worker

for target in (worker.run, learner.run):
    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
