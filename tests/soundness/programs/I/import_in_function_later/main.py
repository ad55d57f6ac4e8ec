def late():
    import gpu
    return gpu.Setup()

import model
x = model.build()
print(late().run(x))
