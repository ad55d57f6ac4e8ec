import lib

lib.ask()
