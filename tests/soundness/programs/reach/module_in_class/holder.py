class Holder:
    import pkg.tools as tools
