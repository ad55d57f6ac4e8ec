class Base(object):
    reads = 0
    @property
    def fraction(self):
        self.reads += 1
        return 0.5 / self.reads
