from small import SmallTrainer

SmallTrainer().fit()
