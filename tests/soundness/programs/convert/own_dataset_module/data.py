class Dataset:
    def __init__(self, rows):
        self.rows = list(rows)

    def filter(self, function):
        return Dataset(filter(function, self.rows))

    def map(self, function):
        return Dataset(map(function, self.rows))
