"""What a user would write instead of `poslens similarity TABLE.npy -o OUT.npy`: the whole cosine matrix into a file.

usage: save.py TABLE.npy OUT.npy single|double
"""
import sys

import numpy as np

table_path, out_path, precision = sys.argv[1:]
table = np.load(table_path).astype(precision)
unit = table / (np.linalg.norm(table, axis=1, keepdims=True) + 1e-8)
np.save(out_path, unit @ unit.T)
