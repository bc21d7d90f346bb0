"""What a user would write instead of `poslens report TABLE.npy -o OUTDIR --only figures`.

usage: figures.py TABLE.npy OUTDIR

OUTDIR gets similarity.png (the cosine matrix as a heat map), decay.png (mean cosine against distance 0..40) and
decay.tsv (the same curve as text). 1e-8 is added to every norm, as such scripts do.
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

table_path, folder = sys.argv[1:]
table = np.load(table_path)

unit = table / (np.linalg.norm(table, axis=1, keepdims=True) + 1e-8)
cosine = unit @ unit.T
distance = np.arange(min(41, len(table)))
mean = np.array([cosine.diagonal(k).mean() for k in distance])

figure, axes = plt.subplots(figsize=(6, 5))
image = axes.imshow(cosine, cmap="viridis", vmin=-1, vmax=1)
figure.colorbar(image, label="cosine similarity")
axes.set_xlabel("position")
axes.set_ylabel("position")
figure.savefig(f"{folder}/similarity.png", dpi=150)

figure, axes = plt.subplots(figsize=(6, 4))
axes.plot(distance, mean)
axes.set_xlabel("distance (positions)")
axes.set_ylabel("mean cosine similarity")
axes.grid(True)
figure.savefig(f"{folder}/decay.png", dpi=150)

curve = np.column_stack([distance, mean])
np.savetxt(f"{folder}/decay.tsv", curve, delimiter="\t", header="distance\tmean", comments="")
