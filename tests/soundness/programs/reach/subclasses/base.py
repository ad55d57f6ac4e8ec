class Task:
    def run(self):
        raise NotImplementedError
