#!/usr/bin/env python3
"""A georeferenced frame to Web Mercator tiles, z3-9, by quadrille and by GDAL's and rasterio's programs, bilinear, in turn.
usage: image_tiles.py QUADRILLE WORKDIR [--runs N] [--kind rain|photo] [--rio PATH/rio]
Makes a 1000 x 800 RGBA frame (rain: classes on nothing; photo: smooth colours with grain, opaque) over 12 W..5 E, 48..61 N.
Whole commands; wall and CPU seconds (children too), tiles, bytes; medians, and how many times quadrille is faster, round by round.
Needs gdal-bin, python3-gdal, Pillow, numpy; --rio names rio with rio-mbtiles installed."""
import argparse, os, resource, shutil, sqlite3, statistics, subprocess, time
import numpy as np
from PIL import Image

BOX = (-12, 48, 5, 61)
METRES = 2 * np.pi * 6378137 / (256 << 9)
CLASSES = [(.50, (0, 0, 0, 0)), (.58, (40, 80, 250, 160)), (.66, (30, 160, 120, 190)), (.76, (250, 200, 20, 210)),
           (1.01, (240, 30, 30, 230))]


def waves(random, width, height, sizes):
    total = np.zeros((height, width), np.float32)
    for size, share in sizes:
        field = Image.fromarray(random.standard_normal((size, size)).astype(np.float32))
        total += share * np.asarray(field.resize((width, height), Image.BICUBIC))
    return (total - total.min()) / (total.max() - total.min())


def frame(kind, path, width=1000, height=800):
    random = np.random.default_rng(11)
    field = waves(random, width, height, [(8, 1), (16, .6), (32, .4), (64, .25), (128, .15), (256, .08)])
    picture = np.zeros((height, width, 4), np.uint8)
    if kind == "rain":
        low = 0
        for high, color in CLASSES:
            picture[(field >= low) & (field < high)] = color
            low = high
    else:
        for channel in range(3):
            smooth = waves(random, width, height, [(45, 1), (9, 1)])
            picture[..., channel] = np.clip(40 + 130 * smooth + 60 * field + random.normal(0, 4, (height, width)), 0, 255)
        picture[..., 3] = 255
    Image.fromarray(picture).save(path)


def size(path):
    """Tiles and their bytes, of an archive or a folder."""
    if os.path.isdir(path):
        files = [os.path.join(d, f) for d, _, names in os.walk(path) for f in names if f.endswith(".png")]
        return len(files), sum(map(os.path.getsize, files))
    return sqlite3.connect(path).execute("select count(*), sum(length(tile_data)) from tiles").fetchone()


def remove(path):
    shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)


def timed(commands, made):
    for path in made: remove(path)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    for command in commands:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("quadrille"); parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=3); parser.add_argument("--rio")
    parser.add_argument("--kind", choices=["rain", "photo"], default="rain")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    at = lambda name: os.path.join(options.folder, f"{options.kind}{name}")
    frame(options.kind, at(".png"))
    west, south, east, north = BOX
    subprocess.run(["gdal_translate", "-q", "-a_srs", "EPSG:4326", "-a_ullr", *map(str, (west, north, east, south)),
                    at(".png"), at(".tif")], check=True)
    with open(at(".yml"), "w") as file:
        file.write(f"""version: 1
sources: {{frame: {{type: image, url: {os.path.abspath(at(".png"))}, bounds: {list(BOX)}, projection: equirectangular}}}}
layers: [{{id: frame, type: raster, source: frame}}]
tiles: {{minzoom: 3, maxzoom: 9}}
output: {{path: {os.path.abspath(at(".mbtiles"))}}}
""")
    cores = str(os.cpu_count())
    programs = {
        "quadrille": ([[os.path.abspath(options.quadrille), "build", "-f", "-q", at(".yml")]], at(".mbtiles"), []),
        "gdal2tiles.py": ([["gdal2tiles.py", "-q", "-z", "3-9", "-r", "bilinear", "--xyz", "-x", "-w", "none",
                            f"--processes={cores}", at(".tif"), at("-gdal2tiles")]], at("-gdal2tiles"), []),
        "gdalwarp, MBTILES, gdaladdo": ([
            ["gdalwarp", "-q", "-multi", "-wo", f"NUM_THREADS={cores}", "-t_srs", "EPSG:3857", "-tr", str(METRES),
             str(METRES), "-r", "bilinear", at(".tif"), at("-warped.tif")],
            ["gdal_translate", "-q", "-of", "MBTILES", at("-warped.tif"), at("-gdal.mbtiles")],
            ["gdaladdo", "-q", "-r", "bilinear", at("-gdal.mbtiles"), "2", "4", "8", "16", "32", "64"]],
            at("-gdal.mbtiles"), [at("-warped.tif")]),
    }
    if options.rio:
        programs["rio-mbtiles"] = ([[options.rio, "mbtiles", at(".tif"), at("-rio.mbtiles"), "--format", "PNG", "--rgba",
                                     "--resampling", "bilinear", "--zoom-levels", "3..9", "-j", cores]],
                                   at("-rio.mbtiles"), [])
    costs = {name: [] for name in programs}
    for _ in range(options.runs):
        for name, (commands, made, more) in programs.items(): costs[name].append(timed(commands, [made, *more]))
    ours = costs["quadrille"]
    print(f"{options.kind}: median of {options.runs} | wall s | CPU s | tiles | bytes | times faster (wall, CPU; least)")
    for name, (_, made, _) in programs.items():
        wall, cpu = (statistics.median(cost[i] for cost in costs[name]) for i in (0, 1))
        ratios = [min(theirs[i] / mine[i] for theirs, mine in zip(costs[name], ours)) for i in (0, 1)]
        print(f"{name} | {wall:.2f} | {cpu:.2f} | {' | '.join(map(str, size(made)))} | {ratios[0]:.1f}, {ratios[1]:.1f}")


main()
