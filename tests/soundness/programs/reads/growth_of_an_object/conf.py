class C:
    def __getattr__(self, name):
        print(name)
        return 1
cfg = C()
