import pkg
import pkg.tf
pkg.run()
