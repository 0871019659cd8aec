"""The JavaScript reader at a server of another origin, which does not expose its headers, and of a file that changes."""

import os
import shutil

import pytest

from kit import clients, rows

SCRIPT = """
import { readFile } from "node:fs/promises";
import { Archive } from "%(javascript)s/quadrille.js";

// A server with ranges whose answers a page sees through CORS: safe headers, and those that are exposed.
const files = { old: await readFile("%(old)s"), new: await readFile("%(new)s") };
export const asked = [];
export const server = { file: "old", exposed: new Set(), cached: new Map(), bytes: null };
const safe = new Set(["content-length", "last-modified", "content-type"]);
export const fetcher = async (url, { headers = {}, cache = "default" } = {}) => {
  const range = headers.Range ?? "";
  asked.push(`${range} ${cache}`);
  // Of what a browser cached it takes the head alone.
  if (cache === "default" && range === "bytes=0-65535" && server.cached.has(url)) return server.cached.get(url).clone();
  const bytes = server.bytes ?? files[server.file];
  const found = /^bytes=(\\d+)-(\\d+)$/.exec(range);
  const [first, last] = found ? [Number(found[1]), Math.min(Number(found[2]) + 1, bytes.length)] : [0, bytes.length];
  if (found && first >= bytes.length) return new Response(null, { status: 416 });
  const all = { "Content-Range": `bytes ${first}-${last - 1}/${bytes.length}`, "ETag": `"${server.file}"`, "Last-Modified": server.file };
  const seen = Object.entries(all).filter(([name]) => safe.has(name.toLowerCase()) || server.exposed.has(name));
  const answer = new Response(bytes.subarray(first, last), { status: found ? 206 : 200, headers: Object.fromEntries(seen) });
  if (range === "bytes=0-65535") server.cached.set(url, answer.clone());
  return answer;
};
const url = "https://tiles.example.org/towns.mbtiles";
const show = (value) => console.log(JSON.stringify(value));
%(body)s
"""


@pytest.fixture
def node(tmp_path):
    if not shutil.which("node"):
        pytest.skip("no node: make deps-readers")

    def run(body):
        archives = os.path.join(rows.VECTORS, "archives")
        script = tmp_path / "script.mjs"
        names = {"javascript": f"file://{clients.CLIENTS}/javascript", "old": f"{archives}/towns-1.mbtiles", "new": f"{archives}/towns.mbtiles"}
        script.write_text(SCRIPT % {**names, "body": body})
        told = clients.run("node", script)
        assert told.returncode == 0, told.stderr
        return told.stdout.split()

    return run


def test_without_exposed_headers_the_size_is_that_of_the_header(node):
    told = node("""
for (const exposed of [[], ["Content-Range"], ["Content-Range", "ETag"]]) {
  server.exposed = new Set(exposed);
  server.cached.clear();
  show((await (await Archive.open(url, { fetcher })).verify()).length);
}
""")
    assert told == ["64", "64", "64"]


def test_without_a_size_anywhere_the_file_is_fetched_as_a_whole(node):
    told = node("""
server.bytes = Uint8Array.from(files.old);
// As after a writer that does not keep the count of pages.
server.bytes.set([9, 9, 9, 9], 24);
show((await (await Archive.open(url, { fetcher })).verify()).length);
show(asked.length);
""")
    assert told == ["64", "2"]


def test_a_file_of_less_than_the_first_part_is_whole(node):
    told = node("""
server.bytes = await readFile("%s/archives/plain.mbtiles");
show((await (await Archive.open(url, { fetcher })).verify()).length);
show(asked.length);
""" % rows.VECTORS)
    assert told == ["64", "1"]


def test_after_a_change_the_head_is_fetched_past_the_cache(node):
    told = node("""
server.exposed = new Set(["Content-Range"]);
const before = await Archive.open(url, { fetcher });
server.file = "new";
const tries = [];
for (let i = 0; i < 3; i++) {
  try {
    tries.push(await (await Archive.open(url, { fetcher })).verify() !== before.metadata["quadrille:digest"]);
  } catch (error) {
    tries.push(error.kind);
  }
}
show(tries.join("-"));
show(asked.at(-1).endsWith(" reload"));
""")
    # The browser has the head of the old file, and the parts come from the new one.
    assert told == ['"changed-true-true"', "true"]


def test_parts_are_asked_for_on_condition_and_a_changed_file_is_not_sent_whole(node):
    told = node("""
server.exposed = new Set(["Content-Range", "ETag"]);
let [conditions, isCancelled] = [0, false];
const conditional = async (url, options) => {
  const condition = options.headers["If-Range"];
  if (condition) conditions++;
  if (!condition || condition === `"${server.file}"`) return fetcher(url, options);
  const body = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(10)), cancel: () => void (isCancelled = true) });
  return new Response(body, { status: 200 });
};
const archive = await Archive.open(url, { fetcher: conditional });
show(await archive.verify().then((digest) => digest.length));
show(conditions > 0);
server.file = "new";
server.cached.clear();
const again = await Archive.open(url, { fetcher: conditional });
server.file = "other";
// So small an archive was read with the first tile in mind.
again.database.pages.clear();
show(await again.verify().catch((error) => error.kind));
show(isCancelled);
// On a page of another origin such a header would need a request of its own.
globalThis.location = new URL("https://app.example.org/");
[server.file, conditions] = ["old", 0];
server.cached.clear();
show((await (await Archive.open(url, { fetcher: conditional })).verify()).length);
show(conditions);
""")
    assert told == ["64", "true", '"changed"', "true", "64", "0"]


def test_a_delta_that_is_gone_gives_way_to_the_next_path(node):
    told = node("""
import { checkList } from "%(clients)s/javascript/quadrille.js";
import { updated } from "%(clients)s/javascript/layered.js";
const { list } = await checkList(await readFile("%(vectors)s/lists/good.updates.json", "utf8"), { sequence: 0, keys: [] }, "towns");
const before = await Archive.open(url, { fetcher });
for (const gone of [[], ["1-3"], ["1-3", "2-3"]]) {
  const found = await updated(before, list, async (file) => {
    const bytes = await readFile("%(vectors)s/deltas/" + file);
    if (!gone.some((name) => file.includes(name))) return bytes;
    if (gone.length === 1) throw new Error("404");
    return bytes.subarray(1);
  });
  show((found.path ?? []).map((delta) => delta.file));
  if (found.archive !== null) show(await found.archive.verify() === list.archive.digest);
}
""" % {"clients": clients.CLIENTS, "vectors": rows.VECTORS})
    assert told == ['["towns.1-3.delta"]', "true", '["towns.1-2.delta","towns.2-3.delta"]', "true", "[]"]
