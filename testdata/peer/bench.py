"""Compares poslens with numpy and matplotlib on this machine, in one run; run.sh starts it.

usage: bench.py POSLENS [JOB...]

Imports no numpy itself: a child's peak memory begins at its parent's size, so this process stays small.
"""
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile

from jobs import HERE, JOBS, Bench, Job
from pairs import Failed, Measure, Skipped, in_turn

ROOM = 1.5e9  # bytes of the temporary folder
DEBIAN = "apt-get install -y --no-install-recommends"
ROW = "{:<34} {:>9} {:>9} {:>7} {:>7} {:>9} {:>9} {:>7} {:>5}  {}"
HEAD = ("job", "peer s", "poslens s", "ratio", "bar", "peer MiB", "poslens", "ratio", "bar", "")


def main() -> int:
    if len(sys.argv) < 2 or any(name not in JOBS for name in sys.argv[2:]):
        print(f"usage: run.sh POSLENS [JOB...]; the jobs are {' '.join(JOBS)}", file=sys.stderr)
        return 2
    poslens = shutil.which(sys.argv[1])
    if poslens is None:
        print(f"{sys.argv[1]}: no such program", file=sys.stderr)
        return 2
    command = [sys.executable, os.path.join(HERE, "about.py")]
    about = subprocess.run(command, capture_output=True, text=True, check=False)
    if about.returncode != 0:
        missing = about.stdout.strip() or about.stderr.strip().splitlines()[-1]
        print(f"skipped: {sys.executable} lacks {missing}; on Debian: {DEBIAN} {missing}")
        return 0
    if shutil.disk_usage(tempfile.gettempdir()).free < ROOM:
        print(f"skipped: needs {ROOM / 1e9} GB of room in {tempfile.gettempdir()}; TMPDIR names another folder")
        return 0

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the folder is removed then too
    print(f"{processor()}; {about.stdout.strip()}")
    print(ROW.format(*HEAD).rstrip(), flush=True)
    with tempfile.TemporaryDirectory(prefix="poslens-peer-") as folder:
        bench = Bench(os.path.abspath(poslens), folder)
        results = [run(bench, name) for name in sys.argv[2:] or JOBS]
    return 0 if all(results) else 1


def run(bench: Bench, name: str) -> bool:
    """Measures the jobs of a name and prints their rows; false where a command failed."""
    done = True
    try:
        for job in JOBS[name](bench):
            try:
                row = measured(job)
            except (Skipped, Failed) as end:
                row, done = unmeasured(job.name, end), done and isinstance(end, Skipped)
            print(ROW.format(*row).rstrip(), flush=True)
    except (Skipped, Failed) as end:  # what the jobs need could not be made
        print(ROW.format(*unmeasured(name, end)), flush=True)
        return isinstance(end, Skipped)
    return done


def unmeasured(name: str, end: Exception) -> tuple[str, ...]:
    """The row of what has no numbers."""
    return (name, *[""] * 8, f"{'skipped' if isinstance(end, Skipped) else 'failed'}: {end}")


def measured(job: Job) -> tuple[str, ...]:
    """The row of a job, after its runs."""
    peer = ratio = memory = None
    if job.peer is None:
        (tool,) = in_turn([job.tool])
    else:
        tool, peer = in_turn([job.tool, job.peer])  # the tool first: where it fails, the peer need not run
        ratio, memory = tool.seconds / peer.seconds, tool.megabytes / peer.megabytes
    notes = [job.note] if job.note else []
    if over(ratio, job.bar) or over(tool.seconds, job.limit):
        notes.append("over in time")
    if over(memory, job.memory_bar):
        notes.append("over in memory")
    bar = f"{job.limit * 1000:.0f} ms" if job.limit else number(job.bar)
    return (
        job.name,
        *(time_of(peer), time_of(tool), number(ratio), bar),
        *(memory_of(peer), memory_of(tool), number(memory), number(job.memory_bar)),
        ", ".join(notes),
    )


def over(value: float | None, bar: float | None) -> bool:
    return value is not None and bar is not None and value > bar


def number(x: float | None) -> str:
    return "" if x is None else f"{x:.3g}"


def time_of(m: Measure | None) -> str:
    return "" if m is None else f"{m.seconds:.4f}"


def memory_of(m: Measure | None) -> str:
    return "" if m is None else f"{m.megabytes:.0f}"


def processor() -> str:
    """The machine, as far as a ratio may depend on it."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), model)
    except OSError:
        pass
    return f"{os.cpu_count()} processors ({model}), {platform.system()}"


if __name__ == "__main__":
    sys.exit(main())
