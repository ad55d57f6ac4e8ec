import lib
match lib:
    case object(config=c):
        print(c)
    case _:
        raise SystemExit(3)
lib.train()
