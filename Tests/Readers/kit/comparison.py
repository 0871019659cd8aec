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


def pooled(rgb, factor, radius, choose):
    """The least or greatest value (`choose`) around each pixel of a picture that is `factor` times smaller."""
    height, width = rgb.shape[0] // factor, rgb.shape[1] // factor
    small = choose.reduce(rgb.reshape(height, factor, width, factor, 3), axis=(1, 3))
    padded = np.pad(small, ((radius, radius), (radius, radius), (0, 0)), mode="edge")
    window = range(2 * radius + 1)
    return choose.reduce([padded[y : y + height, x : x + width] for y in window for x in window])


def resampled(shown, wanted, name, limit, mean, radius=1):
    """Fails unless each pixel lies within the range of the pixels around its place in a picture as large or larger, give
    or take `limit`, and the means of all colours differ by no more than `mean`.
    """
    file = save(shown, name)
    factor = wanted.shape[0] // shown.shape[0]
    low, high = (pooled(wanted.astype(int), factor, radius, choose) for choose in (np.minimum, np.maximum))
    assert low.shape == shown.shape, f"{file}: {shown.shape} does not show {wanted.shape}"
    wrong = ((shown < low - limit) | (shown > high + limit)).any(axis=2)
    if wrong.any():
        save(np.hstack([shown, low, high, np.repeat(255 * wrong[..., None], 3, axis=2)]), f"{name}.wrong")
        y, x = np.argwhere(wrong)[0]
        raise AssertionError(
            f"{file}: {int(wrong.sum())} of {wrong.size} pixels show what is not there; the first at ({x}, {y}),"
            f" {shown[y, x]} instead of {low[y, x]} to {high[y, x]}"
        )
    off = abs(shown.mean(axis=(0, 1)) - wanted.mean(axis=(0, 1))).max()
    assert off <= mean, f"{file}: the mean colour is off by {off:.2f}"


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
