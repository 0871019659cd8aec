"""A web server that publishes updates of the archive `towns` of the golden vectors."""

import http.server
import os
import threading

from kit import rows
from kit.ranges import part

# The key that signs the lists.
KEY = "qwYalhyxl7Ox2I7bb5U5RJbeM7tbsPDoR9pjeFMem3A="


class Publisher:
    """`cut` closes a connection after so many bytes of a file; `flip` changes one, of the files whose names end with `flips`.

    `gone` has the names of files that answer with a status: {name: 404}. `midway` is called once, when half of an archive was sent.
    Without `has_ranges` files are answered as a whole.
    """

    def __init__(self):
        self.cut, self.flip, self.flips, self.ranges, self.asked, self.gone, self.midway = None, None, "", [], [], {}, None
        self.has_ranges, publisher = True, self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                publisher.answer(self)

            def log_message(self, *_):
                pass

        self.files = {"towns.updates.json": "lists/good.updates.json", "towns.mbtiles": "archives/towns.mbtiles"}
        self.files |= {name: f"deltas/{name}" for name in os.listdir(os.path.join(rows.VECTORS, "deltas"))}
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.list = f"http://127.0.0.1:{self.server.server_port}/towns.updates.json"

    def answer(self, handler):
        name = handler.path.lstrip("/")
        self.asked.append(name)
        if name in self.gone:
            return handler.send_error(self.gone[name])
        with open(os.path.join(rows.VECTORS, self.files[name]), "rb") as file:
            data = bytearray(file.read())
        if self.flip is not None and not name.endswith(".json") and name.endswith(self.flips):
            data[self.flip] ^= 1
        asked = handler.headers.get("Range") if self.has_ranges else None
        status, headers, body = part(data, asked)
        first = int(asked.removeprefix("bytes=").split("-")[0]) if status == 206 else len(data) - len(body)
        self.ranges += [first] if asked else []
        handler.send_response(status)
        for header, value in headers.items():
            handler.send_header(header, value)
        handler.end_headers()
        is_cut = self.cut is not None and not name.endswith(".json")
        if self.midway and name.endswith(".mbtiles"):
            handler.wfile.write(body[: len(body) // 2])
            handler.wfile.flush()
            body, call, self.midway = body[len(body) // 2 :], self.midway, None
            call()
        handler.wfile.write(body[: max(self.cut - first, 0)] if is_cut else body)
        handler.close_connection = True

    def close(self):
        self.server.shutdown()
        self.server.server_close()
