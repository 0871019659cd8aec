"""A web server on loopback that answers to ranges: the checkout, and the map libraries below `/leaflet` and `/maplibre`."""

import functools
import http.server
import os
import threading

from kit import cases
from kit.ranges import part
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
        with open(path, "rb") as file:
            status, headers, body = part(file.read(), asked)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

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
