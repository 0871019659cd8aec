"""What a reader showed beside what it had to show."""

import os

import numpy as np
from PIL import Image

from kit import cases


def load(path):
    """A picture as RGB."""
    return np.asarray(Image.open(path).convert("RGB"))


def save(shown, name):
    os.makedirs(cases.SHOTS, exist_ok=True)
    file = os.path.join(cases.SHOTS, f"{name}.png")
    Image.fromarray(np.asarray(shown, np.uint8)).save(file)
    return file


def same(shown, wanted, name, limit=0, share=0.0):
    """Fails unless no channel is off by more than `limit`, in but `share` of the pixels. Keeps the picture in SHOTS."""
    file = save(shown, name)
    assert shown.shape == wanted.shape, f"{file}: {shown.shape} instead of {wanted.shape}"
    off = np.abs(shown.astype(np.float64) - wanted.astype(np.float64)).max(axis=2)
    wrong = off > limit
    if wrong.mean() > share:
        amplified = np.repeat(np.clip(255 - 4 * off[..., None], 0, 255), 3, axis=2)
        save(np.hstack([shown, np.floor(wanted + 0.5), amplified]), f"{name}.wrong")
        y, x = np.unravel_index(off.argmax(), off.shape)
        raise AssertionError(
            f"{file}: {int(wrong.sum())} of {wrong.size} pixels are off by more than {limit}; at ({x}, {y})"
            f" {shown[y, x]} instead of {wanted[y, x]}"
        )
    return float(off.max()), float((off > 0).mean())
