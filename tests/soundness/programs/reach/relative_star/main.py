from pkg import *

cpu()
main()
