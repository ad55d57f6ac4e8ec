import one
import two

one.go()
two.go()
