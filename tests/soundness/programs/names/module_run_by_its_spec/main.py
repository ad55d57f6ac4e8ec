import importlib.util
import lib
spec = importlib.util.find_spec('checks')
m = importlib.util.module_from_spec(spec)
spec.loader.exec_module(m)
lib.train()
