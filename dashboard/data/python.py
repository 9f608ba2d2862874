"""How the dashboard starts Python in processes of their own."""

import sys

# -P: a module that lies in the current folder, beside a stranger's file, is not taken for one of ours
RUN_MODULE = (sys.executable, "-P", "-m")
