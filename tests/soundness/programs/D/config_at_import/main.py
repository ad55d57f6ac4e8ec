import multiprocessing

import library

worker = multiprocessing.get_context("fork").Process(target=library.run)
worker.start()
worker.join(20)
print(worker.exitcode)
