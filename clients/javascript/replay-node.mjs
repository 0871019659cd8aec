// node clients/javascript/replay-node.mjs: replays the golden vectors from the files.
// node clients/javascript/replay-node.mjs taps ARCHIVE FILE: answers taps, lines of "lng lat zoom", by keys or empty lines.
import { open, readFile } from "node:fs/promises";
import { Archive, fromNode } from "./quadrille.js";
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

const replayAll = async () => {
  const { passed, failures } = await replay(new URL("../vectors/", import.meta.url).href, fetcher);
  for (const failure of failures) console.log(failure.slice(0, 400));
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 ? 1 : 0;
};

await (process.argv[2] === "taps" ? taps(process.argv[3], process.argv[4]) : replayAll());
