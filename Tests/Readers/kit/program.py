"""The program under test."""

import subprocess

from kit import cases


def quadrille(*arguments):
    """Runs the program, which has to succeed, and returns its standard output."""
    run = subprocess.run([cases.PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout
