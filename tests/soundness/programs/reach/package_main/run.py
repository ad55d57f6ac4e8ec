import runpy

runpy.run_module("pkg", run_name="__main__")
