"""Answers to requests for a part of a file."""


def part(data, asked):
    """Status, headers and body of an answer with bytes, to the header `Range` of a request or without one."""
    if not asked:
        return 200, {"Content-Length": str(len(data))}, data
    first, last = asked.removeprefix("bytes=").split("-")
    body = data[int(first) : int(last) + 1 if last else None]
    place = f"bytes {first}-{int(first) + len(body) - 1}/{len(data)}" if body else f"bytes */{len(data)}"
    return 206 if body else 416, {"Content-Length": str(len(body)), "Content-Range": place}, body
