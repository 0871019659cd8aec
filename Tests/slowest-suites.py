#!/usr/bin/env python3
"""Prints the slowest suites of the last `make test` as a table in Markdown.

usage: slowest-suites.py [EVENTS [COUNT]]

EVENTS is what `swift test --event-stream-output-path` wrote: one JSON object per line. The time of a
suite is the sum over its cases from start to end. A case that waits for others, or for a turn on a busy
machine, counts that time as its own, so measure on a quiet one.

Tests without arguments are missing: they have no cases in the stream, and all of them begin with the run.
"""
import collections
import json
import sys


def suites(path):
    """Returns the seconds and the number of cases by suite, as TARGET.SUITE."""
    started, seconds, cases = {}, collections.Counter(), collections.Counter()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            event = record["payload"]
            if record["kind"] != "event" or not event["kind"].startswith("testCase"):
                continue
            case = (event["testID"], json.dumps(event.get("_testCase")))
            instant = event["instant"]["absolute"]
            if event["kind"] == "testCaseStarted":
                started[case] = instant
            elif event["kind"] == "testCaseEnded" and case in started:
                suite = event["testID"].split("/")[0]
                seconds[suite] += instant - started.pop(case)
                cases[suite] += 1
    return seconds, cases


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else ".build-test/events.jsonl"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    try:
        seconds, cases = suites(path)
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}; run 'make test' first")
    print("| Suite | Cases | Seconds |\n|---|---:|---:|")
    for suite, time in seconds.most_common(count):
        print(f"| {suite} | {cases[suite]} | {time:.1f} |")
    print(f"| all {len(seconds)} suites | {sum(cases.values())} | {sum(seconds.values()):.0f} |")


main()
