"""What a user would write instead of `poslens decay TABLE.npy --max-distance all --stats mean -f tsv`.

usage: decay.py TABLE.npy OUT.tsv

Mean cosine at every distance, by the full product and its diagonals, in the table's own precision: n x n x 4 bytes for
n positions of a float32 table.
"""
import sys

import numpy as np

table_path, out_path = sys.argv[1:]
table = np.load(table_path)
unit = table / (np.linalg.norm(table, axis=1, keepdims=True) + 1e-8)
cosine = unit @ unit.T
with open(out_path, "w", encoding="ascii") as out:
    out.write("distance\tmean\n")
    for k in range(len(cosine)):
        out.write(f"{k}\t{cosine.diagonal(k).mean()}\n")
