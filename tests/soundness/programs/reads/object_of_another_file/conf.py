class C:
    def __getattr__(self, name):
        print(name)
        return 2
cfg = C()
