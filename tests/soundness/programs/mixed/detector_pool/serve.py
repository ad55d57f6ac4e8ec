import pool

for name in ("plain", "small", "plain"):
    print(name, pool.get(name).run())
