from data import other
other()
