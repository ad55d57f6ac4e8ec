import a
import b

b.go()
a.go()
