"""A web server on loopback: the tiles of the archives, the two libraries, the pages of the test."""

import glob
import http.server
import os
import sys
import threading

from kit import cases
from kit.archive import Archive
from kit.ranges import part

LEAFLET = "/usr/share/javascript/leaflet"


def maplibre():
    """The folder with MapLibre GL JS that PyPI's `maplibre` ships, or None."""
    for folder in sys.path:
        found = glob.glob(os.path.join(folder, "maplibre/srcjs/maplibre-gl.js"))
        if found:
            return os.path.dirname(found[0])
    return None


TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".png": "image/png"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        parts = self.path.split("?")[0].strip("/").split("/")
        data = None
        if parts[0] == "tiles" and len(parts) == 5:
            z, x, y = int(parts[2]), int(parts[3]), int(parts[4].removesuffix(".png"))
            with self.server.lock:
                data = self.server.archive(parts[1]).bytes(z, x, y)
        elif parts[0] == "archives" and len(parts) > 3:
            # where the sidecars say that tiles are
            z, x, y = (int(part) for part in [*parts[-3:-1], parts[-1].removesuffix(".png")])
            with self.server.lock:
                data = self.server.beside("/".join(parts[1:-3])).bytes(z, x, y)
        elif parts[0] in self.server.folders and len(parts) > 1 and ".." not in parts:
            file = os.path.join(self.server.folders[parts[0]], *parts[1:])
            if os.path.isfile(file):
                with open(file, "rb") as content:
                    data = content.read()
        asked = self.headers.get("Range") if parts[0] == "packed" else None
        status, headers, body = part(data or b"", asked if data is not None else None)
        if status == 206:
            self.server.ranges.append(len(body))
        self.send_response(404 if data is None else status)
        headers["Content-Type"] = TYPES.get(os.path.splitext(parts[-1])[1], "application/octet-stream")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class TileServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock, self.opened = threading.Lock(), {}
        # the lengths of the parts of packed files that were asked for
        self.ranges = []
        self.folders = {
            "archives": cases.ARCHIVES, "pages": os.path.join(cases.HERE, "pages"), "leaflet": LEAFLET,
            "maplibre": maplibre() or "/nowhere",
        }  # fmt: skip
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def archive(self, name):
        if name not in self.opened:
            self.opened[name] = next(case for case in cases.CASES if str(case) == name).open()
        return self.opened[name]

    def beside(self, name):
        """The archive of that name in the folder of archives."""
        if name not in self.opened:
            self.opened[name] = Archive(os.path.join(cases.ARCHIVES, f"{name}.mbtiles"))
        return self.opened[name]

    def close(self):
        self.shutdown()
        self.server_close()
