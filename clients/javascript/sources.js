// Where the bytes of an archive come from: memory, a File, a file of Node, or a server that answers to ranges.
import { QuadrilleError } from "./sqlite.js";

/// A source is {size, read(offset, length), head}: `read` promises a Uint8Array, and `head` bytes of its start are here already.
export const fromBytes = (data) => {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  return { size: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) };
};

/// A File or Blob, such as that of an `<input type="file">`.
export const fromBlob = (blob) => ({
  size: blob.size,
  read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
});

// The addresses whose file became another one while it was read: the browser's cache may have parts of the old one.
const changed = new Set();

/// A file of a server that answers to ranges; from one that does not it is fetched once, as a whole.
///
/// On another origin a page sees `Content-Range` only where the server exposes it; else SQLite's header says the size.
export const fromURL = async (url, fetcher = fetch) => {
  const options = changed.has(url) ? { cache: "reload" } : {};
  const ask = async (headers) => {
    const answer = await fetcher(url, { ...options, headers });
    if (answer.status === 404) throw new QuadrilleError("missing", url);
    if (!answer.ok && answer.status !== 416) throw new Error(`${url}: ${answer.status}`);
    return answer;
  };
  const range = (first, last, more = {}) => ask({ Range: `bytes=${first}-${last}`, ...more });
  const head = await range(0, headSize - 1);
  if (head.status === 416) return fromBytes(new Uint8Array(0));
  const bytes = new Uint8Array(await head.arrayBuffer());
  if (head.status !== 206) return fromBytes(bytes);
  const told = Number(/\/(\d+)$/.exec(head.headers.get("Content-Range") ?? "")?.[1] ?? NaN);
  const size = Number.isSafeInteger(told) ? told : bytes.length < headSize ? bytes.length : sizeInHeader(bytes);
  if (size === null) return fromBytes(new Uint8Array(await (await ask({})).arrayBuffer()));
  const tag = head.headers.get("ETag");
  const mark = tag ?? head.headers.get("Last-Modified");
  // Elsewhere each request with such a header would need one before it, which asks the server whether it may have that.
  const isOwn = !globalThis.location || new URL(url, globalThis.location.href).origin === globalThis.location.origin;
  const condition = isOwn && tag?.startsWith('"') ? { "If-Range": tag } : {};
  const read = async (offset, length) => {
    if (offset + length <= bytes.length) return bytes.subarray(offset, offset + length);
    const answer = await range(offset, Math.min(offset + length, size) - 1, condition);
    const other = answer.headers.get("ETag") ?? answer.headers.get("Last-Modified");
    if (answer.status !== 206 || other !== mark) {
      changed.add(url);
      // All of the new file would follow.
      answer.body?.cancel().catch(() => {});
      throw new QuadrilleError("changed", `${url} is another file now: open it again`);
    }
    return new Uint8Array(await answer.arrayBuffer());
  };
  return { size, read, head: bytes.length };
};

/// What is asked for first: the header, the schema, and what archives have beside them (docs/archive.md, "Pages").
const headSize = 65536;

/// The size of a database by its first 100 bytes; null where they do not say it.
const sizeInHeader = (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [page, pages] = [view.getUint16(16) === 1 ? 65536 : view.getUint16(16), view.getUint32(28)];
  const isDatabase = new TextDecoder().decode(bytes.subarray(0, 15)) === "SQLite format 3";
  // The count of pages is right where the last writer kept it, which the change counters show.
  return isDatabase && page >= 512 && pages > 0 && view.getUint32(24) === view.getUint32(92) ? page * pages : null;
};

/// A `FileHandle` of Node's fs/promises.
export const fromNode = async (handle) => ({
  size: (await handle.stat()).size,
  read: async (offset, length) => {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  },
});
