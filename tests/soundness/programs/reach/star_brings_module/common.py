import pkg.probe as tools
