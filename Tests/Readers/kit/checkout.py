"""A web server on loopback that answers to ranges: the checkout, and the map libraries below `/leaflet` and `/maplibre`."""

import functools
import http.server
import os
import threading

from kit import cases
from kit.server import LEAFLET, maplibre


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Files in whole or in ranges."""

    libraries = {"leaflet": LEAFLET, "maplibre": maplibre() or "/nowhere"}

    def translate_path(self, path):
        first, _, rest = path.lstrip("/").partition("/")
        if first in self.libraries and ".." not in rest:
            return os.path.join(self.libraries[first], rest)
        return super().translate_path(path)

    def do_GET(self):
        asked = self.headers.get("Range")
        path = self.translate_path(self.path)
        if not asked or not os.path.isfile(path):
            super().do_GET()
            return
        first, last = asked.removeprefix("bytes=").split("-")
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            file.seek(int(first))
            data = file.read(int(last or size) - int(first) + 1)
        self.send_response(206 if data else 416)
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(data) - 1}/{size}")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Checkout(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), functools.partial(Ranges, directory=cases.ROOT))
        self.url = f"http://127.0.0.1:{self.server_port}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()
