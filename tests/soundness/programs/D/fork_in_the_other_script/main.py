import multiprocessing
from data import step3

process = multiprocessing.get_context("fork").Process(target=step3)
process.start()
process.join()
print(process.exitcode)
