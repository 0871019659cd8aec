"""Starts `quadrille preview`, and takes its page by window.quadrille."""

import os
import re
import subprocess

from kit import cases

PROGRAM = os.environ.get("QUADRILLE_PREVIEW", os.path.join(os.path.dirname(cases.PROGRAM), "quadrille-preview"))


class Preview:
    """The server of a page, on a port that was free."""

    def __init__(self, files):
        command = [PROGRAM, *files, "--port", "0", "--no-open"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = []
        for line in self.process.stdout:
            said.append(line)
            found = re.search(r"http://(127\.0\.0\.1|localhost|\[::1\]):\d+\S*", line)
            if found:
                self.url = found[0].rstrip("/") + "/"
                return
        raise AssertionError(f"the preview did not start: {''.join(said)}")

    def close(self):
        self.process.terminate()
        self.process.wait(10)


def export(files, folder):
    """Writes the page as files."""
    subprocess.run([PROGRAM, *files, "--export", str(folder)], check=True, capture_output=True, text=True)


def show(page, url, width=1200, height=800, density=1, scheme="light"):
    """Opens the page and waits until it is whole."""
    page.resize(width, height, density)
    page.colours(scheme)
    page.open(url)
    page.wait("window.quadrille && quadrille.ready && quadrille.ready.then(() => quadrille.idle()).then(() => true)")


def go(page, view):
    """Moves the map to the middle of a view, at its own size."""
    longitude, latitude = view.center
    page.run(f"quadrille.map.setView([{latitude!r}, {longitude!r}], {view.zoom}, {{animate: false}}), quadrille.idle()")


def seen(page, view):
    """The part of the map where a view's tiles are, which `go` has put into the middle of the map; RGB."""
    box = page.run(
        "(() => { const b = document.getElementById('map').getBoundingClientRect();"
        " return [b.left, b.top, b.width, b.height, devicePixelRatio]; })()"
    )
    left, top, width, height, ratio = box
    x, y = (left + width / 2 - view.size / 2) * ratio, (top + height / 2 - view.size / 2) * ratio
    side = round(view.size * ratio)
    return page.screenshot()[round(y) : round(y) + side, round(x) : round(x) + side]
