"""The files of the golden vectors."""

import os
import subprocess

from reference import metadata, opened, sha256

HERE = os.path.dirname(os.path.abspath(__file__))

# The delta that is merged of two others.
MERGED = "towns.1-3"

# Old archive, new archive, name of the delta.
DELTAS = [
    ("archives/towns-1.mbtiles", "archives/towns-2.mbtiles", "towns.1-2"),
    ("archives/towns-2.mbtiles", "archives/towns.mbtiles", "towns.2-3"),
    ("archives/towns-1.mbtiles", "archives/towns.mbtiles", "towns.1-3"),
    ("archives/plain-1.mbtiles", "archives/plain.mbtiles", "plain.1-2"),
    ("archives/shapes-1.mbtiles", "archives/shapes.mbtiles", "shapes.1-2"),
]


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout


def measured(file):
    with open(os.path.join(HERE, file), "rb") as content:
        data = content.read()
    return {"file": os.path.basename(file), "bytes": len(data), "sha256": sha256(data)}


def digests(file):
    """The digests of an archive: of its tiles, and of its taps if it has any."""
    told = metadata(opened(os.path.join(HERE, file)))
    return {"digest": told["quadrille:digest"], **({"taps": told["quadrille:taps"]} if "quadrille:taps" in told else {})}
