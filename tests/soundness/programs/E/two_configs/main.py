import first
import second

one, two = first.First(), second.Second()
two.go()
one.go()
