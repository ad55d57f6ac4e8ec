from nets import fit

fit()
