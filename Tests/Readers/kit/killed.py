"""Kills the Python reader's update at each of its calls of the system, or lets files grow no further than so many bytes.

    killed.py FOLDER LIST KEY OLD NEW

Prints how many updates were killed and how many found no room. After each, the archive is OLD or NEW, and the next update succeeds.
"""

import os
import resource
import shutil
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "clients", "python"))

import client  # noqa: E402
from taps import QuadrilleError  # noqa: E402

FOLDER, LIST, KEY, OLD, NEW = sys.argv[1:]
ARCHIVE = os.path.join(FOLDER, "towns.mbtiles")


def content(path):
    with open(path, "rb") as file:
        return file.read()


def in_child(work):
    """Runs a function in a child process; its status."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except (QuadrilleError, OSError):
            os._exit(3)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def update():
    client.update(ARCHIVE, LIST, [KEY])


def killed_at(number):
    seen = 0

    def hook(event, _):
        nonlocal seen
        if event.split(".")[0] in ("open", "os", "shutil", "sqlite3"):
            seen += 1
            if seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    update()


def limited_to(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    update()


def check(work, argument):
    """Whether an update came to its end; what it leaves is right in either case."""
    for name in os.listdir(FOLDER):
        os.remove(os.path.join(FOLDER, name))
    shutil.copyfile(OLD, ARCHIVE)
    status = in_child(lambda: work(argument))
    now = content(ARCHIVE)
    assert now == old or digest(ARCHIVE) == new, f"{work.__name__} {argument}: the archive is neither old nor new"
    assert in_child(update) == 0 and digest(ARCHIVE) == new, f"{work.__name__} {argument}: the next update fails"
    left = [name for name in os.listdir(FOLDER) if name.endswith((".part", ".new", "-journal")) or "-mj" in name]
    assert not left, f"{work.__name__} {argument}: {left} are left"
    return status == 0


def digest(path):
    archive = client.Archive(path)
    found = archive.verify()
    archive.database.close()
    return found


old, new = content(OLD), digest(NEW)
number = 1
while not check(killed_at, number):
    number += 1
assert number > 20
sizes = [0, 1, 60, 4095, 40_000, 65_536, 100_000, 131_071, 131_072, 1 << 20]
full = sum(not check(limited_to, size) for size in sizes)
print(number - 1, full)
