"""The program under test, and runs of it."""

import hashlib
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("QUADRILLE", str(ROOT / ".build/release/quadrille"))
SUBMIT = str(ROOT / "dist/slurm/quadrille-slurm")


def run(*arguments, **options):
    """Runs the program to its end, whatever that is."""
    options.setdefault("timeout", 300)
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, **options)


def quadrille(*arguments, **options):
    """Runs the program, which must succeed."""
    result = run(*arguments, **options)
    assert result.returncode == 0, f"{arguments} ended with {result.returncode}: {result.stderr}"
    return result


def refused(code, *arguments, **options):
    """Runs the program, which must end with a code and one sentence; returns the sentence."""
    result = run(*arguments, "--progress", "none", **options)
    assert result.returncode == code, f"{arguments} ended with {result.returncode}: {result.stderr}"
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("error: "), result.stderr
    return lines[0]


def digest(path):
    """SHA-256 of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def digests(archive):
    """SHA-256 of an archive and, if there is one, of its twin of double density; of a series those of its files."""
    archive = Path(archive)
    if archive.with_name(f"{archive.stem}.frames.json").exists():
        paths = [*archive.parent.glob(f"{archive.stem}[.@]*"), *archive.parent.glob(f"{archive.stem}*/*")]
        return {
            str(path.relative_to(archive.parent)): digest(path)
            for path in sorted(paths) if path.is_file() and not path.name.endswith("report.json")
        }
    twin = archive.with_name(f"{archive.stem}@2x{archive.suffix}")
    return [digest(path) for path in (archive, twin) if path.exists()]
