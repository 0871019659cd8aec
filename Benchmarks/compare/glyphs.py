"""Writes signed distance field glyph ranges of DejaVu for MapLibre. usage: glyphs.py DIR

The format is MapLibre's glyphs.proto: fontstack {1: name, 2: range, 3: glyph*}; glyph {1: id, 2: bitmap, 3: width,
4: height, 5: left (zigzag), 6: top (zigzag), 7: advance}. A bitmap is 24 px to the em with a border of 3 px; a value is
255 - 255 (d / 8 + 0.25), d the distance to the outline in px, positive outside.
"""
import math
import os
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy.ndimage import distance_transform_edt

EM, BORDER, OVERSAMPLING = 24, 3, 8
FOLDER = "/usr/share/fonts/truetype/dejavu"
STACKS = {
    "DejaVu Sans": "DejaVuSans.ttf",
    "DejaVu Sans Bold": "DejaVuSans-Bold.ttf",
    # what a style without text-font asks for, and what the published tests name
    "Open Sans Regular,Arial Unicode MS Regular": "DejaVuSans.ttf",
    "Open Sans Semibold,Arial Unicode MS Bold": "DejaVuSans-Bold.ttf",
    "Open Sans Semibold": "DejaVuSans-Bold.ttf",
    "NotoCJK": "DejaVuSans.ttf",
}
RANGES = (0, 256, 512, 768, 1024, 8192)


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number, value):
    """One protobuf field: bytes are length-delimited, numbers are varints."""
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def zigzag(value):
    return value << 1 if value >= 0 else (-value << 1) - 1


def distance_field(font, character):
    """Bitmap (rows of bytes with the border), left and bearing above the baseline, in px of the 24 px em."""
    n = OVERSAMPLING
    x0, y0, x1, y1 = font.getbbox(character, anchor="ls")
    left, top = math.floor(x0 / n), math.floor(y0 / n)
    width, height = math.ceil(x1 / n) - left, math.ceil(y1 / n) - top
    if width <= 0 or height <= 0 or not character.strip():
        return None
    pad = BORDER * n
    image = Image.new("L", (width * n + 2 * pad, height * n + 2 * pad))
    ImageDraw.Draw(image).text((pad - left * n, pad - top * n), character, 255, font, anchor="ls")
    inside = np.asarray(image) > 127
    distance = (distance_transform_edt(~inside) - distance_transform_edt(inside)) / n
    # the mean of the four samples around a pixel's middle
    c = n // 2
    middle = sum(distance[c - a :: n, c - b :: n][: height + 6, : width + 6] for a in (0, 1) for b in (0, 1)) / 4
    values = np.clip(np.round(255 - 255 * (middle / 8 + 0.25)), 0, 255).astype(np.uint8)
    return values.tobytes(), width, height, left, -top


def write_range(path, name, font, ascender, start):
    glyphs = b""
    for code in range(start, start + 256):
        character = chr(code)
        advance = round(font.getlength(character) / OVERSAMPLING)
        drawn = None if code < 32 or font.getmask(character).getbbox() is None else distance_field(font, character)
        body = field(1, code)
        if drawn:
            bitmap, width, height, left, top = drawn
            body += field(2, bitmap) + field(3, width) + field(4, height)
            body += field(5, zigzag(left)) + field(6, zigzag(top - ascender))
        else:
            body += field(3, 0) + field(4, 0) + field(5, 0) + field(6, 0)
        glyphs += field(3, body + field(7, advance))
    stack = field(1, name.encode()) + field(2, f"{start}-{start + 255}".encode()) + glyphs
    with open(path, "wb") as file:
        file.write(field(1, stack))


def main(folder):
    made = {}
    for name, file in STACKS.items():
        target = os.path.join(folder, name)
        if os.path.exists(target):
            continue
        if file in made:
            os.symlink(made[file], target)
            continue
        os.makedirs(target)
        font = ImageFont.truetype(os.path.join(FOLDER, file), EM * OVERSAMPLING, layout_engine=ImageFont.Layout.BASIC)
        ascender = math.ceil(font.getmetrics()[0] / OVERSAMPLING)
        for start in RANGES:
            write_range(os.path.join(target, f"{start}-{start + 255}.pbf"), name, font, ascender, start)
        made[file] = name


if __name__ == "__main__":
    main(sys.argv[1])
