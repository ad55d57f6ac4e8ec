import multiprocessing


def run(function):
    process = multiprocessing.get_context("fork").Process(target=function)
    process.start()
    process.join(20)
    return process.exitcode
