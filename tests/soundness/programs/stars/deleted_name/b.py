G = '1'
del G
