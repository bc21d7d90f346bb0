"""The jobs of the comparison: what runs against what, and the bar of each."""
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from pairs import Command, Failed, Skipped, go_benchmark, once

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DECAY_GIGABYTES = 10  # memory that must be available for decay.py with 32768 positions


@dataclass
class Job:
    """One row of the result."""

    name: str
    tool: Command
    peer: Command | None = None  # None: the tool alone
    bar: float | None = None  # largest tool time / peer time
    memory_bar: float | None = None  # largest tool memory / peer memory
    limit: float | None = None  # largest tool time, in seconds
    note: str = ""


@dataclass
class Bench:
    """Where the jobs find the tool, and room for their tables and outputs."""

    poslens: str
    folder: str

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def table(self, n: int, width: int) -> str:
        """The path of a table, made when first asked for."""
        path = self.path(f"table-{n}x{width}.npy")
        if not os.path.exists(path):
            once(script("table.py", path, str(n), str(width)))
        return path

    def tool(self, *args: str, out: str | None = None) -> Command:
        return Command([self.poslens, "-q", *args], out)


def script(name: str, *args: str, out: str | None = None) -> Command:
    return Command([sys.executable, os.path.join(HERE, name), *args], out)


def figures(b: Bench) -> Iterator[Job]:
    for n in (512, 1024):
        table = b.table(n, 768)
        folder = b.path("figures")
        os.makedirs(folder, exist_ok=True)
        yield Job(
            f"figures {n}x768",
            b.tool("report", table, "--only", "figures", "-o", b.path("report")),
            script("figures.py", table, folder),
            bar=1 / 10,
            memory_bar=1 / 2,
        )


def save(b: Bench) -> Iterator[Job]:
    table, mine, theirs = b.table(8192, 1024), b.path("poslens.npy"), b.path("numpy.npy")
    for precision, flags in (("double", []), ("single", ["--precision", "single"])):
        yield Job(
            f"save matrix 8192x1024 {precision}",
            b.tool("similarity", table, *flags, "-o", mine, out=mine),
            script("save.py", table, theirs, precision, out=theirs),
            bar=1,
        )


def decay(b: Bench) -> Iterator[Job]:
    table = b.table(32768, 1024)
    job = Job(
        "decay all 32768x1024",
        b.tool("decay", table, "--max-distance", "all", "--stats", "mean", "-f", "tsv"),
        script("decay.py", table, b.path("decay-numpy.tsv")),
        bar=1 / 5,
    )
    if available_gigabytes() < DECAY_GIGABYTES:
        job.peer, job.bar = None, None
        job.note = f"numpy skipped: less than {DECAY_GIGABYTES} GB of memory available"
    yield job


def reading(b: Bench) -> Iterator[Job]:
    table = b.table(32768, 1024)
    read = b.tool("export", table, "-f", "npy", "-o", "/dev/null")
    yield Job("heat map 32768x1024 / reading it", b.tool("similarity", table, "-o", b.path("map.png")), read, bar=2)
    yield Job(
        "decay 40 32768x1024 / reading it",
        b.tool("decay", table, "--max-distance", "40", "-o", b.path("decay-40.tsv")),
        read,
        bar=3,
    )


def matrix(b: Bench) -> Iterator[Job]:
    if shutil.which("go") is None:
        raise Skipped("no go")
    binary = b.path("gram.test")
    build = subprocess.run(
        ["go", "test", "-c", "-o", binary, "./internal/gram"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if build.returncode != 0:
        raise Failed(build.stderr.strip().replace("\n", " "))
    if not os.path.exists(binary):
        raise Skipped("there is no such benchmark")
    for n in (4096, 8192):
        for precision in ("double", "single"):
            # Five runs of one call, of which go_benchmark takes the best, as gram.py does.
            pattern = f"^BenchmarkMatrix$/^n={n}$/^d=1024$/^{precision}$"
            args = [f"-test.bench={pattern}", "-test.run=^$", "-test.benchtime=1x", "-test.count=5"]
            tool = Command([binary, *args], seconds=go_benchmark)
            peer = script("gram.py", str(n), "1024", precision)
            peer.seconds = float
            yield Job(f"matrix in memory {n}x1024 {precision}", tool, peer, bar=0.77)


def doubling(b: Bench) -> Iterator[Job]:
    def mean(n: int) -> Command:
        return b.tool("decay", b.table(n, 1024), "--max-distance", "all", "--stats", "mean", "-f", "tsv")

    def heat_map(n: int) -> Command:
        return b.tool("similarity", b.table(n, 1024), "-o", b.path("map.png"))

    def full(n: int) -> Command:
        return b.tool("similarity", b.table(n, 1024), "-f", "npy", "-o", "/dev/null")

    yield Job("decay all, n 32768 / 16384", mean(32768), mean(16384), bar=2.2)
    yield Job("heat map, n 32768 / 16384", heat_map(32768), heat_map(16384), bar=2.2)
    yield Job("matrix, n 8192 / 4096", full(8192), full(4096), bar=4.4)


def start(b: Bench) -> Iterator[Job]:
    yield Job("start (poslens version)", b.tool("version"), limit=0.015)


# In the order of the result; the names are run.sh's arguments.
JOBS = {
    "figures": figures,
    "save": save,
    "decay": decay,
    "reading": reading,
    "matrix": matrix,
    "doubling": doubling,
    "start": start,
}


def available_gigabytes() -> float:
    """Memory that a program can have without swapping; infinite where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as info:
            kib = dict(line.split(":", 1) for line in info)["MemAvailable"]
    except (OSError, KeyError):
        return float("inf")
    return int(kib.split()[0]) * 1024 / 1e9
