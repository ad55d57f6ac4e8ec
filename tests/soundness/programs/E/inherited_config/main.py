from children import Child

child = Child()
child.check()
child.train()
