"""Compares quadrille's pictures with MapLibre Native's.

usage: compare.py STYLE… --quadrille PATH --out DIR [--reference DIR] [--sheets N]

Renders the views of each style by quadrille, and by MapLibre Native (reference.py under xvfb-run) where no reference
picture is there yet. For each view DIR gets NAME.ours.png and NAME.theirs.png, for the worst views (--sheets) also
NAME.diff.png (ours | theirs | difference times 4, all enlarged 3 times, on grey where transparent), and table.tsv: mean
absolute difference of each premultiplied channel in % of 255 over the whole picture, the largest difference, the share
of pixels off by more than 32, and the share that MapLibre GL JS's render tests count (pixelmatch at 0.1285); they allow 0.00025.
"""
import argparse
import os
import shutil
import subprocess
import sys

import numpy as np
from PIL import Image
from pixelmatch.contrib.PIL import pixelmatch

import views

HERE = os.path.dirname(os.path.abspath(__file__))
ENLARGED, AMPLIFIED, OFF = 3, 4, 32
COUNTED, ALLOWED = 0.1285, 0.00025  # of the published render tests


def command(program, path, view, output):
    """quadrille's arguments for a view."""
    if view.tile:
        scale = ["--scale", f"{view.ratio:g}"] if view.ratio != 1 else []
        return [program, "tile", path, view.tile, "--tile-size", "512", *scale, "-o", output]
    center = f"{view.center[0]!r},{view.center[1]!r}"
    size = f"{view.size[0]}x{view.size[1]}"
    return [
        program, "render", path, "--local", os.path.dirname(os.path.abspath(path)), f"--center={center}", "--zoom", f"{view.zoom:g}", "--size", size,
        "--ratio", f"{view.ratio:g}", "-o", output,
    ]  # fmt: skip


def premultiplied(path):
    """The picture as float RGBA, 0 to 255, colours times alpha."""
    pixels = np.asarray(Image.open(path).convert("RGBA")).astype(np.float64)
    pixels[..., :3] *= pixels[..., 3:] / 255
    return pixels


def enlarged(pixels):
    """Premultiplied pixels over light grey, each as a block."""
    opaque = pixels[..., :3] + (255 - pixels[..., 3:]) * (230 / 255)
    picture = Image.fromarray(np.clip(opaque + 0.5, 0, 255).astype(np.uint8))
    return picture.resize((picture.width * ENLARGED, picture.height * ENLARGED), Image.Resampling.NEAREST)


def side_by_side(ours, theirs, path):
    difference = np.abs(ours - theirs)
    shown = np.dstack([np.clip(255 - AMPLIFIED * difference.max(axis=2, keepdims=True), 0, 255)] * 3)
    shown = np.dstack([shown, np.full(shown.shape[:2], 255.0)])
    parts = [enlarged(p) for p in (ours, theirs, shown)]
    sheet = Image.new("RGB", (sum(p.width for p in parts) + 20, parts[0].height), "white")
    x = 0
    for part in parts:
        sheet.paste(part, (x, 0))
        x += part.width + 10
    sheet.save(path, compress_level=1)


def measure(ours, theirs):
    """Mean of each channel in %, the largest difference, the share of pixels that are off by more than OFF."""
    difference = np.abs(ours - theirs)
    mean = difference.mean(axis=(0, 1)) / 2.55
    return [*mean, difference.max(), (difference.max(axis=2) > OFF).mean() * 100]


def counted(ours, theirs):
    """The share of pixels that the published render tests count as different."""
    pictures = [Image.open(path).convert("RGBA") for path in (ours, theirs)]
    return pixelmatch(*pictures, threshold=COUNTED) / (pictures[0].width * pictures[0].height)


def remove(path):
    if os.path.exists(path):
        os.unlink(path)


def make_references(styles, folder):
    missing = []
    for path in styles:
        style, wanted = views.load(path)
        if os.path.exists(f"{folder}/{views.case_name(path)}.refused"):
            continue
        if not views.unsupported(style) and any(not os.path.exists(f"{folder}/{v.name}.png") for v in wanted):
            missing.append(path)
    if missing:
        arguments = [sys.executable, f"{HERE}/reference.py", folder, *missing]
        subprocess.run(["nice", "-n", "10", "xvfb-run", "-a", *arguments], check=False, stdout=subprocess.DEVNULL)


def compare(program, path, view, options):
    """A row of the table, or a word for why there is none."""
    reference = f"{options.reference}/{view.name}.png"
    if not os.path.exists(reference):
        return "not applicable, the peer refuses it"
    base = f"{options.out}/{view.name}"
    remove(f"{base}.ours.png")
    shutil.copyfile(reference, f"{base}.theirs.png")
    run = subprocess.run(command(program, path, view, f"{base}.ours.png"), capture_output=True, text=True)
    if run.returncode != 0 or not os.path.exists(f"{base}.ours.png"):
        words = (run.stderr.strip().splitlines() or ["no picture"])[0]
        return f"exit {run.returncode}: {words}"
    ours, theirs = premultiplied(f"{base}.ours.png"), premultiplied(reference)
    if ours.shape != theirs.shape:
        return f"size {ours.shape[1]}x{ours.shape[0]}, not {theirs.shape[1]}x{theirs.shape[0]}"
    return [*measure(ours, theirs), counted(f"{base}.ours.png", reference)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("styles", nargs="+")
    parser.add_argument("--quadrille", required=True, help="the program")
    parser.add_argument("--out", required=True)
    parser.add_argument("--reference", default="/tmp/peers/reference", help="folder of MapLibre Native's pictures")
    parser.add_argument("--sheets", type=int, default=40, help="side-by-side sheets of so many views, the worst first")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    os.makedirs(options.reference, exist_ok=True)
    make_references(options.styles, options.reference)
    rows, failed = [], []
    for path in options.styles:
        style, wanted = views.load(path)
        reason = views.unsupported(style)
        for view in wanted:
            result = reason and f"not applicable, {reason}" or compare(options.quadrille, path, view, options)
            (failed if isinstance(result, str) else rows).append((view.name, result))
    for name, _ in failed:
        remove(f"{options.out}/{name}.diff.png")
    rows.sort(key=lambda row: -row[1][3] - sum(row[1][:3]))
    for i, (name, result) in enumerate(rows):
        base = f"{options.out}/{name}"
        remove(f"{base}.diff.png")
        if i < options.sheets and result[4] > 0:
            side_by_side(premultiplied(f"{base}.ours.png"), premultiplied(f"{base}.theirs.png"), f"{base}.diff.png")
    lines = ["view\tred %\tgreen %\tblue %\talpha %\tmax\t>32 %\tcounted"]
    lines += ["\t".join([name, *(f"{v:.3f}" for v in r[:4]), f"{r[4]:.0f}", f"{r[5]:.3f}", f"{r[6]:.5f}"]) for name, r in rows]
    if rows:
        mean = np.mean([r for _, r in rows], axis=0)
        lines.append("\t".join([f"mean of {len(rows)}", *(f"{v:.3f}" for v in mean[:4]), f"{mean[4]:.0f}", f"{mean[5]:.3f}", f"{mean[6]:.5f}"]))
        lines.append(f"{sum(r[6] <= ALLOWED for _, r in rows)} of {len(rows)} as the published render tests allow")
    lines += [f"{name}\t{word}" for name, word in failed]
    with open(f"{options.out}/table.tsv", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
