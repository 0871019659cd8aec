"""The commands that run the readers of clients/."""

import os
import subprocess
import sys

from kit import cases

CLIENTS = os.path.join(cases.ROOT, "clients")
JDBC = "/usr/share/java/sqlite-jdbc.jar"
PYTHON = [sys.executable, "-B", os.path.join(CLIENTS, "python", "replay.py")]
NODE = ["node", os.path.join(CLIENTS, "javascript", "replay-node.mjs")]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, check=False)


def compiled(folder, *more):
    """Compiles the Java reader and more files into a folder; the class path."""
    package = os.path.join(CLIENTS, "java", "quadrille")
    files = sorted(os.path.join(package, name) for name in os.listdir(package))
    built = run("javac", "-Xlint:all", "-Werror", "-d", folder, *files, *more)
    assert built.returncode == 0, built.stdout + built.stderr
    return f"{folder}:{JDBC}"
