from lib import noise

print(noise().numpy().shape)
