import constants

print(constants.PI.numpy() > 3)
