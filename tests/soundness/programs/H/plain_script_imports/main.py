import lib
import session

sess = session.make()
lib.ask()
lib.run(sess)
