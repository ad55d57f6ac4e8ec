import lib

print(lib.noise().numpy().shape)
