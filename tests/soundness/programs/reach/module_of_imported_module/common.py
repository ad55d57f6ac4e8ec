import pkg.probe
