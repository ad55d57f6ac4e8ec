from tools.train import main

main()
