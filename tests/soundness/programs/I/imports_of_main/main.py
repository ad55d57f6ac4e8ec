import sys
def main():
    import model
    x = model.build()
    import gpu
    print(gpu.Setup().run(x))
if __name__ == "__main__":
    main()
