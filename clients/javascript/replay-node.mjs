// node clients/javascript/replay-node.mjs: replays the golden vectors from the files.
import { readFile } from "node:fs/promises";
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

const { passed, failures } = await replay(new URL("../vectors/", import.meta.url).href, fetcher);
for (const failure of failures) console.log(failure.slice(0, 400));
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
