GPU = "1"
