"""mb-util and PMTiles take an archive apart, and give the same bytes for each tile."""

import os
import shutil
import subprocess
import sys

import pytest

from kit.archive import Archive
from kit import cases


def program(name):
    """The path of a program of the venv, or of the PATH."""
    beside = os.path.join(os.path.dirname(sys.executable), name)
    return beside if os.path.exists(beside) else shutil.which(name)


def test_mbutil_writes_every_tile_as_it_is(case, tmp_path):
    mbutil = program("mb-util")
    if not mbutil:
        pytest.skip("no mbutil: make deps-readers")
    folder = tmp_path / "tiles"
    subprocess.run([mbutil, "--scheme=xyz", case.path, str(folder)], check=True, capture_output=True)
    count = 0
    for z, x, y, data in case.open().tiles():
        assert (folder / f"{z}/{x}/{y}.png").read_bytes() == data, f"{z}/{x}/{y}"
        count += 1
    assert count == sum(1 for _ in folder.rglob("*.png"))


def test_mbutil_reads_its_own_files_back_to_the_same_tiles(tmp_path):
    mbutil = program("mb-util")
    if not mbutil:
        pytest.skip("no mbutil: make deps-readers")
    case = cases.Case("rain", 1)
    folder, again = tmp_path / "tiles", tmp_path / "again.mbtiles"
    for arguments in ([case.path, str(folder)], [str(folder), str(again)]):
        subprocess.run([mbutil, "--scheme=xyz", *arguments], check=True, capture_output=True)
    assert sorted(Archive(again).tiles()) == sorted(case.open().tiles())


def equal_pmtiles(path, archive):
    """Fails unless a PMTiles file has the tiles of an archive and nothing else."""
    from pmtiles.reader import MmapSource, Reader, all_tiles

    with open(path, "rb") as file:
        source = MmapSource(file)
        reader, header = Reader(source), Reader(source).header()
        found = dict(all_tiles(source))
        count = 0
        for z, x, y, data in archive.tiles():
            assert found[z, x, y] == data, f"{z}/{x}/{y}"
            count += 1
        assert len(found) == count
        # a look-up reads the directories anew, which takes long
        for z in range(header["min_zoom"], header["max_zoom"] + 1):
            x, y = archive.richest(z)
            assert reader.get(z, x, y) == archive.bytes(z, x, y), f"{z}/{x}/{y}"
    assert header["min_zoom"] == int(archive.metadata["minzoom"])
    assert header["max_zoom"] == int(archive.metadata["maxzoom"])
    assert header["tile_type"].name == archive.metadata["format"].upper()
    bounds = [float(part) for part in archive.metadata["bounds"].split(",")]
    assert [header[f"{key}_e7"] for key in ("min_lon", "min_lat", "max_lon", "max_lat")] == pytest.approx(
        [value * 1e7 for value in bounds], abs=1
    )


def test_pmtiles_makes_its_format_of_it(case, tmp_path):
    convert = pytest.importorskip("pmtiles.convert", reason="no pmtiles: make deps-readers")
    output = tmp_path / "out.pmtiles"
    convert.mbtiles_to_pmtiles(case.path, str(output), int(case.open().metadata["maxzoom"]))
    equal_pmtiles(output, case.open())
