import importlib.util, glob, os
for f in ['train.py', 'evaluate.py']:
    spec = importlib.util.spec_from_file_location(f[:-3], os.path.join(os.path.dirname(os.path.abspath(__file__)), f))
    m = importlib.util.module_from_spec(spec); spec.loader.exec_module(m); m.main()
