import model
def run():
    x = model.build()
    import gpu
    print(gpu.Setup().run(x))
run()
