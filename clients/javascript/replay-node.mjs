// node clients/javascript/replay-node.mjs: replays the golden vectors from the files.
// node clients/javascript/replay-node.mjs damage ARCHIVE COUNT: changes bytes at random; every error has to be one of ours.
// node clients/javascript/replay-node.mjs entries ARCHIVE FILE: answers boxes, lines of "west south east north zoom", by lines of JSON.
// node clients/javascript/replay-node.mjs taps ARCHIVE FILE: answers taps, lines of "lng lat zoom", by keys or empty lines.
import { open, readFile } from "node:fs/promises";
import { Archive, fromBytes, fromNode, QuadrilleError } from "./quadrille.js";
import { replay } from "./replay.js";

/// Answers as a server with ranges does.
const fetcher = async (url, { headers = {} } = {}) => {
  let bytes;
  try {
    bytes = await readFile(new URL(url));
  } catch {
    return new Response(null, { status: 404 });
  }
  const asked = /^bytes=(\d+)-(\d+)$/.exec(headers.Range ?? "");
  if (!asked) return new Response(bytes);
  const part = bytes.subarray(Number(asked[1]), Number(asked[2]) + 1);
  if (part.length === 0) return new Response(null, { status: 416 });
  return new Response(part, { status: 206, headers: { "Content-Range": `bytes ${asked[1]}-${Number(asked[1]) + part.length - 1}/${bytes.length}` } });
};

const taps = async (path, places) => {
  const file = await open(path);
  const archive = await Archive.open(await fromNode(file));
  const keys = [];
  for (const line of (await readFile(places, "utf8")).trim().split("\n")) keys.push((await archive.tap(...line.split(" ").map(Number)))?.id ?? "");
  await file.close();
  console.log(keys.join("\n"));
};

const entries = async (path, places) => {
  const file = await open(path);
  const archive = await Archive.open(await fromNode(file));
  for (const line of (await readFile(places, "utf8")).trim().split("\n")) {
    const [zoom, ...box] = line.split(" ").map(Number).reverse();
    const found = await archive.entries(box.reverse(), zoom);
    console.log(JSON.stringify(found.map(({ key, lng, lat, count }) => [key, lng, lat, count])));
  }
  await file.close();
};

const replayAll = async () => {
  const { passed, failures } = await replay(new URL("../vectors/", import.meta.url).href, fetcher);
  for (const failure of failures) console.log(failure.slice(0, 400));
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 ? 1 : 0;
};

const damage = async (path, count) => {
  const plain = await readFile(path);
  const chosen = (below) => Math.floor(Math.random() ** 2 * below);
  const told = { fine: 0, refused: 0 };
  for (let i = 0; i < count; i++) {
    const bytes = Uint8Array.from(plain);
    for (let changes = chosen(4) + 1; changes > 0; changes--) bytes[chosen(bytes.length)] = chosen(256);
    const works = [(one) => one.verify(), (one) => one.search("dG93bnM..dDA"), (one) => one.tap(7.5223, 46.9435, i % 11), (one) => one.tile(5, 16, 11)];
    if (path.includes("shapes")) works.push((one) => one.entries([7, 46, 8, 48], i % 11));
    for (const work of works) {
      try {
        await work(await Archive.open(fromBytes(bytes)));
        told.fine++;
      } catch (error) {
        if (!(error instanceof QuadrilleError)) throw error;
        told.refused++;
      }
    }
  }
  console.log(`${told.fine} ${told.refused}`);
};

const [, , command, ...words] = process.argv;
await ({ taps, entries, damage }[command] ?? replayAll)(...words);
