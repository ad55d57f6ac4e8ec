from tools.train import main

main()  # `utils` of tools/train.py is utils.py of this folder
