import multiprocessing

from worker import work

if __name__ == "__main__":
    fork = multiprocessing.get_context("fork")
    codes = []
    for number in range(2):
        process = fork.Process(target=work, args=(number,))
        process.start()
        process.join(20)
        codes.append(process.exitcode)
    print(codes)
