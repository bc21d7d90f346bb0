"""Runs two commands in turn and gives the median time and the peak memory of each. Standard library only."""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

LONG = 4.0  # seconds; a pair of runs that takes longer is long
PAIRS = 7  # measured pairs where they are short
LONG_PAIRS = 3  # measured pairs where they are long


class Failed(Exception):
    """A command that did not exit with 0; the message is the first line of its stderr."""


class Skipped(Exception):
    """A command that could not be compared, and why."""


@dataclass
class Command:
    """A command line, and how to measure a run of it."""

    args: list[str]
    out: str | None = None  # a large file that it writes, removed after every run
    seconds: Callable[[str], float] | None = None  # time from its stdout; None takes the time from start to exit


@dataclass
class Measure:
    """What the runs of a command came to."""

    seconds: float  # median
    megabytes: float  # resident memory at its peak, the largest of the runs


def once(command: Command) -> Measure:
    """Runs a command and waits for its end. Raises Failed, or what command.seconds raises."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        start = time.perf_counter()
        child = subprocess.Popen(command.args, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            child.kill()
            child.wait()
            raise
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)

        # The next run must neither pay for the removal of this file nor for its way to the disk.
        if command.out and os.path.exists(command.out):
            os.remove(command.out)

        if child.returncode != 0:
            err.seek(0)
            raise Failed(first_line(err.read()) or f"exit status {child.returncode}")
        if command.seconds:
            out.seek(0)
            seconds = command.seconds(out.read())
    unit = 2**20 if sys.platform == "darwin" else 2**10  # macOS counts bytes, others KiB
    return Measure(seconds, usage.ru_maxrss / unit)


def in_turn(commands: list[Command]) -> list[Measure]:
    """Runs the commands one after the other, once unmeasured, then again and again, so that a slow minute meets all."""
    start = time.perf_counter()
    for c in commands:
        once(c)
    pairs = LONG_PAIRS if time.perf_counter() - start > LONG else PAIRS
    rounds = [[once(c) for c in commands] for _ in range(pairs)]
    return [
        Measure(statistics.median(m.seconds for m in runs), max(m.megabytes for m in runs))
        for runs in zip(*rounds)
    ]


def go_benchmark(stdout: str) -> float:
    """The least time of a Go benchmark's lines, in seconds."""
    times = re.findall(r"^Benchmark\S+\s+\d+\s+([\d.]+) ns/op", stdout, re.MULTILINE)
    if not times:
        raise Skipped("there is no such benchmark")
    return min(map(float, times)) / 1e9


def first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0]
