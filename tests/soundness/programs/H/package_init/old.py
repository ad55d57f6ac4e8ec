from pkg.sessions import make

make().run([])
