#!/usr/bin/env python3
"""Runs tests, and ends those that hang, saying which they are and where they stand.

usage: watched.py EVENTS MINUTES COMMAND...

EVENTS is the file of `--event-stream-output-path` that COMMAND writes. Where nothing is added to it for
MINUTES after the first test has started, the cases that have not ended are listed, and the stacks of all
threads (by gdb or lldb, if one is there); COMMAND and what it started are killed, and the exit status is 124.
Otherwise it is the status of COMMAND.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time


def unended(path):
    """Returns the cases of tests with arguments that have started and not ended, in the order of their start.

    Of a test without arguments the stream tells the end long after it, so it is seen in the stacks alone.
    """
    running = {}
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                continue  # The line that is being written.
            event = record["payload"]
            case = (event.get("testID"), json.dumps(event.get("_testCase"), ensure_ascii=False))
            if event.get("kind") == "testCaseStarted":
                running[case] = None
            elif event.get("kind") == "testCaseEnded":
                running.pop(case, None)
    return [f"{test} {arguments[:200]}" for test, arguments in running]


def processes(session):
    """Returns the processes of a session; what `swift test` starts has groups of its own."""
    listed = subprocess.run(["ps", "-eo", "pid=,sid=,args="], capture_output=True, text=True).stdout
    rows = (line.split(None, 2) for line in listed.splitlines())
    return [(int(row[0]), row[2]) for row in rows if len(row) == 3 and row[1] == str(session)]


def stacks(session):
    """Prints the stacks of the session's processes that hold tests."""
    for pid, words in processes(session):
        print(f"  process {pid}: {words[:150]}", flush=True)
        if "xctest" not in words.split()[0] and "swiftpm-testing" not in words.split()[0]:
            continue
        if shutil.which("gdb"):
            command = ["gdb", "-p", str(pid), "-batch", "-ex", "set print frame-arguments none",
                       "-ex", "thread apply all backtrace 30"]
        elif shutil.which("lldb"):
            command = ["lldb", "-p", str(pid), "--batch", "-o", "thread backtrace all -c 30"]
        else:
            continue
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=240)
        except subprocess.TimeoutExpired:
            print("  the debugger did not end", flush=True)


def end(session, number):
    """Sends a signal to all processes of a session."""
    for pid, _ in processes(session):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def main():
    events, patience, command = sys.argv[1], float(sys.argv[2]) * 60, sys.argv[3:]
    if os.path.exists(events):
        os.remove(events)
    child = subprocess.Popen(command, start_new_session=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: end(child.pid, number))
    size, last = 0, time.monotonic()
    while True:
        try:
            sys.exit(child.wait(timeout=2))
        except subprocess.TimeoutExpired:
            pass
        now = os.path.getsize(events) if os.path.exists(events) else 0
        if now != size or now == 0:
            size, last = now, time.monotonic()
        elif time.monotonic() - last > patience:
            break
    print(f"\n== no test has started or ended for {patience / 60:g} minutes; these have not ended:", flush=True)
    for test in unended(events):
        print("  " + test, flush=True)
    stacks(child.pid)
    end(child.pid, signal.SIGKILL)
    child.wait()
    sys.exit(124)


main()
