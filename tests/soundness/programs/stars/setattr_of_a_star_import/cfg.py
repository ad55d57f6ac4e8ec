def setattr(*a): pass
