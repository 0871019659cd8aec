"""Updates by the Python reader that nothing but Python is needed for: links that are refused, deltas that are gone, and manifests that
lead elsewhere. Ends with status 1 and the reason if one goes wrong; Swift's tests run it as well."""

import contextlib
import errno
import functools
import hashlib
import http.server
import json
import os
import shutil
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
CLIENTS = os.path.join(HERE, "..", "..", "..", "clients")
sys.path.insert(0, os.path.join(CLIENTS, "python"))

import client  # noqa: E402
import updates  # noqa: E402
from taps import QuadrilleError  # noqa: E402

VECTORS = os.path.join(CLIENTS, "vectors")
KEY = "qwYalhyxl7Ox2I7bb5U5RJbeM7tbsPDoR9pjeFMem3A="


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def scene():
    """A site with the files of `towns`, its address, and an app's folder with an old archive."""
    with tempfile.TemporaryDirectory() as ground:
        site, app = os.path.join(ground, "site"), os.path.join(ground, "app")
        os.makedirs(app)
        shutil.copytree(os.path.join(VECTORS, "deltas"), site)
        shutil.copyfile(os.path.join(VECTORS, "lists", "good.updates.json"), os.path.join(site, "towns.updates.json"))
        shutil.copyfile(os.path.join(VECTORS, "archives", "towns.mbtiles"), os.path.join(site, "towns.mbtiles"))
        shutil.copyfile(os.path.join(VECTORS, "archives", "towns-1.mbtiles"), os.path.join(app, "towns.mbtiles"))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        try:
            yield site, f"http://127.0.0.1:{server.server_port}/", app
        finally:
            server.shutdown()
            server.server_close()


def digest(path):
    archive = client.Archive(path)
    archive.database.close()
    return archive.metadata["quadrille:digest"]


NEWEST = digest(os.path.join(VECTORS, "archives", "towns.mbtiles"))


def newest(app, address, name="towns"):
    archive = os.path.join(app, "towns.mbtiles")
    assert client.update(archive, f"{address}{name}.updates.json", [KEY])
    assert digest(archive) == NEWEST and not client.update(archive, f"{address}{name}.updates.json", [KEY])


def refused(kind, work, *arguments):
    try:
        work(*arguments)
    except QuadrilleError as error:
        assert error.kind == kind, error
    else:
        raise AssertionError(f"not {kind}")


def links():
    """Whatever a system says to a hard link, the archive before stays as a copy."""
    linked = os.link
    for code in (errno.EACCES, errno.EPERM, errno.EXDEV, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EINVAL, errno.EOPNOTSUPP):
        with scene() as (_, address, app):

            def no_link(*_, code=code):
                raise OSError(code, os.strerror(code))

            os.link = no_link
            try:
                newest(app, address)
            finally:
                os.link = linked
            with open(os.path.join(app, "towns.mbtiles.previous"), "rb") as kept, open(os.path.join(VECTORS, "archives", "towns-1.mbtiles"), "rb") as old:
                assert kept.read() == old.read()
            assert sorted(os.listdir(app)) == ["towns.mbtiles", "towns.mbtiles.previous", "towns.update-state.json"]


def folders():
    """A system that opens no folder to sync it."""
    synced = updates.sync

    def sync(path):
        if os.path.isdir(path):
            raise PermissionError(path)
        synced(path)

    updates.sync = sync
    try:
        with scene() as (_, address, app):
            newest(app, address)
    finally:
        updates.sync = synced


def gone():
    for names in (["towns.1-3.delta"], ["towns.1-3.delta", "towns.2-3.delta"]):
        with scene() as (site, address, app):
            for name in names:
                os.remove(os.path.join(site, name))
            newest(app, address)
        with scene() as (site, address, app):
            for name in names:
                with open(os.path.join(site, name), "r+b") as file:
                    file.write(b"x")
            newest(app, address)


def damaged():
    for change in (lambda data: b"", lambda data: b"x" * 9000, lambda data: data[:9000], lambda data: data[:-4096]):
        with scene() as (_, address, app):
            archive = os.path.join(app, "towns.mbtiles")
            with open(archive, "rb") as file:
                data = file.read()
            with open(archive, "wb") as file:
                file.write(change(data))
            newest(app, address)
    for text in ("", "[" * 20_000, '{"sequence": 7, "keys": []}'):
        with scene() as (site, address, app):
            with open(os.path.join(app, "towns.update-state.json"), "w", encoding="utf-8") as file:
                file.write(text)
            shutil.copyfile(os.path.join(VECTORS, "lists", "unsigned.updates.json"), os.path.join(site, "towns.updates.json"))
            refused("unsigned", newest, app, address)
            shutil.copyfile(os.path.join(VECTORS, "lists", "good.updates.json"), os.path.join(site, "towns.updates.json"))
            newest(app, address)


def exchanged():
    with scene() as (site, address, app):
        shutil.copyfile(os.path.join(site, "towns.updates.json"), os.path.join(site, "plain.updates.json"))
        refused("otherArchive", newest, app, address, "plain")
        newest(app, address)


def manifests():
    """Neither a manifest on the disk nor a link makes an update touch what is not in the folder of the series."""
    with scene() as (site, address, app):
        shutil.copyfile(os.path.join(VECTORS, "archives", "plain.mbtiles"), os.path.join(site, "new.mbtiles"))
        os.makedirs(os.path.join(site, "rain"))
        os.rename(os.path.join(site, "new.mbtiles"), os.path.join(site, "rain", "new.mbtiles"))
        with open(os.path.join(site, "rain.frames.json"), "w", encoding="utf-8") as file:
            json.dump({"frames": [{"file": "rain/new.mbtiles"}]}, file)

        def told(name):
            with open(os.path.join(site, name), "rb") as file:
                data = file.read()
            return {"file": os.path.basename(name), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

        frame = {**told("rain/new.mbtiles"), "digest": digest(os.path.join(site, "rain", "new.mbtiles"))}
        series = {"folder": "rain", "frames": [frame], "manifest": told("rain.frames.json")}
        text = json.dumps({"format": 1, "minimumClient": 1, "sequence": 1, "series": series, "deltas": []})
        with open(os.path.join(site, "rain.updates.json"), "w", encoding="utf-8") as file:
            json.dump({"list": text, "signatures": []}, file)
        victims = [os.path.join(app, *path) for path in (["..", "victim.mbtiles"], ["victim.mbtiles"], ["other", "victim.mbtiles"], ["rain", "victim.txt"])]
        for victim in victims:
            os.makedirs(os.path.dirname(victim), exist_ok=True)
            with open(victim, "w", encoding="utf-8") as file:
                file.write("not ours")
        names = ["../victim.mbtiles", os.path.abspath(victims[0]), "victim.mbtiles", "other/victim.mbtiles", "rain/victim.txt", "rain/../victim.mbtiles", "rain\\x.mbtiles"]
        manifest = os.path.join(app, "rain.frames.json")
        for content in (json.dumps({"frames": [{"file": name} for name in names]}), "", "[" * 20_000):
            with open(manifest, "w", encoding="utf-8") as file:
                file.write(content)
            assert client.update_series(manifest, f"{address}rain.updates.json")
            for victim in victims:
                with open(victim, encoding="utf-8") as file:
                    assert file.read() == "not ours", victim
        refused("badList", client.update, manifest, f"{address}rain.updates.json")
        shutil.rmtree(os.path.join(app, "rain"))
        os.symlink(os.path.join(app, "other"), os.path.join(app, "rain"))
        refused("badName", client.update_series, manifest, f"{address}rain.updates.json")
        assert os.listdir(os.path.join(app, "other")) == ["victim.mbtiles"]


for part in (links, folders, gone, damaged, exchanged, manifests):
    part()
print("healed")
