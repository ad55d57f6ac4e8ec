GPU = "0"
