from net import out
print(out().numpy())
