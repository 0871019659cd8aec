// Reads SQLite files page by page from a source of bytes: tables, rows by number, and rows by an index. Nothing is written.
// The format is https://www.sqlite.org/fileformat2.html; what archives do not have (WITHOUT ROWID, other encodings) is refused.

/// `kind` is one of clients/vectors/README.md: missing, notAnArchive, damaged, wrongBytes, wrongBase, badList, …
export class QuadrilleError extends Error {
  constructor(kind, text = "") {
    super(`${kind}: ${text}`);
    this.kind = kind;
  }
}
const damaged = (text) => new QuadrilleError("damaged", text);

/// A source is {size, read(offset, length)}, the latter a promise of a Uint8Array.
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
  const range = (first, last) => ask({ Range: `bytes=${first}-${last}` });
  const head = await range(0, headSize - 1);
  if (head.status === 416) return fromBytes(new Uint8Array(0));
  const bytes = new Uint8Array(await head.arrayBuffer());
  if (head.status !== 206) return fromBytes(bytes);
  const told = Number(/\/(\d+)$/.exec(head.headers.get("Content-Range") ?? "")?.[1] ?? NaN);
  const size = Number.isSafeInteger(told) ? told : bytes.length < headSize ? bytes.length : sizeInHeader(bytes);
  if (size === null) return fromBytes(new Uint8Array(await (await ask({})).arrayBuffer()));
  const mark = head.headers.get("ETag") ?? head.headers.get("Last-Modified");
  const read = async (offset, length) => {
    if (offset + length <= bytes.length) return bytes.subarray(offset, offset + length);
    const answer = await range(offset, Math.min(offset + length, size) - 1);
    const other = answer.headers.get("ETag") ?? answer.headers.get("Last-Modified");
    if (answer.status !== 206 || other !== mark) {
      changed.add(url);
      throw new QuadrilleError("changed", `${url} is another file now: open it again`);
    }
    return new Uint8Array(await answer.arrayBuffer());
  };
  return { size, read };
};

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

/// Integers of up to nine bytes, the highest first. Those beyond 2⁵³ occur in no archive.
const varint = (bytes, at) => {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) throw damaged("a record ends too early");
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + i + 1];
  }
  return [value * 256 + bytes[at + 8], at + 9];
};

const text = new TextDecoder();
const integer = (view, at, length) => {
  let value = view.getInt8(at);
  for (let i = 1; i < length; i++) value = value * 256 + view.getUint8(at + i);
  return value;
};

/// The values of a record.
const record = (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [end, at] = varint(bytes, 0);
  let data = end;
  const values = [];
  while (at < end) {
    const [type, next] = varint(bytes, at);
    at = next;
    const length = type >= 12 ? (type - 12) >> 1 : type < 5 ? type : type === 5 ? 6 : type < 8 ? 8 : 0;
    if (type >= 12 && (type - 12) / 2 > bytes.length) throw damaged("a value is too long");
    if (data + length > bytes.length) throw damaged("a record ends too early");
    if (type >= 12) values.push(type % 2 === 0 ? bytes.subarray(data, data + length) : text.decode(bytes.subarray(data, data + length)));
    else if (type === 0) values.push(null);
    else if (type === 7) values.push(view.getFloat64(data));
    else if (type === 8 || type === 9) values.push(type - 8);
    else if (type < 7) values.push(integer(view, data, length));
    else throw damaged("a value of an unknown type");
    data += length;
  }
  return values;
};

const blobs = new Set(["tile_data", "grid_utfgrid", "block_data", "entry_data"]);
const texts = new Set(["name", "value", "key_name", "key_json"]);

/// A value of a column. SQLite stores any type in any column, so one flipped bit makes a text of an image.
const typed = (column, value) => {
  if (value === null) return null;
  if (blobs.has(column) && !(value instanceof Uint8Array)) throw damaged(`${column} is no blob`);
  if (texts.has(column) && typeof value !== "string") throw damaged(`${column} is no text`);
  return value;
};

/// The order of an index: NULL, numbers, texts, and within texts that of UTF-8, which is that of code points.
const compare = (a, b) => {
  const rank = (value) => (value === null ? 0 : typeof value === "number" ? 1 : typeof value === "string" ? 2 : 3);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (rank(a) === 3) throw damaged("a blob in an index");
  if (typeof a !== "string") return a < b ? -1 : a > b ? 1 : 0;
  const [x, y] = [[...a], [...b]];
  for (let i = 0; i < Math.min(x.length, y.length); i++) if (x[i] !== y[i]) return x[i].codePointAt(0) - y[i].codePointAt(0);
  return x.length - y.length;
};
const comparePrefix = (values, key) => {
  for (let i = 0; i < key.length; i++) {
    const order = compare(values[i] ?? null, key[i]);
    if (order !== 0) return order;
  }
  return 0;
};

const partSize = 65536;
const partLimit = 256;
const depthLimit = 40;

export class Database {
  /// Opens a source: reads its header and its tables.
  static async open(source) {
    const database = new Database(source);
    await database.readHeader();
    return database;
  }

  constructor(source) {
    this.source = source;
    this.parts = new Map();
    this.tables = new Map();
    this.indexes = [];
  }

  async readHeader() {
    const head = await this.bytes(0, Math.min(100, this.source.size));
    if (head.length < 100 || text.decode(head.subarray(0, 16)) !== "SQLite format 3\0") throw new QuadrilleError("notAnArchive", "no SQLite file");
    const view = new DataView(head.buffer, head.byteOffset, 100);
    const told = view.getUint16(16);
    this.pageSize = told === 1 ? 65536 : told;
    this.usable = this.pageSize - head[20];
    if (this.pageSize < 512 || (this.pageSize & (this.pageSize - 1)) !== 0 || this.usable < 480) throw damaged("its pages have no size");
    if (head[18] > 1) throw damaged("a write-ahead log");
    if (view.getUint32(56) > 1) throw damaged("texts are not UTF-8");
    this.pageCount = view.getUint32(28);
    if (this.source.size < this.pageCount * this.pageSize) throw damaged("it is shorter than its pages");
    for await (const [, [type, name, table, root, sql]] of this.walk(1)) {
      const list = /\((.*)\)\s*$/s.exec(sql ?? "")?.[1];
      const columns = list?.split(",").map((column) => column.trim().split(/\s+/)[0].replace(/^["'`[]|["'`\]]$/g, ""));
      if (type === "table") this.tables.set(name, { root, columns });
      if (type === "view") this.tables.set(name, { root: 0, columns: [] });
      if (type === "index" && columns) this.indexes.push({ table, root, columns });
    }
  }

  /// Bytes of the file, by parts that are kept.
  async bytes(offset, length) {
    const first = Math.floor(offset / partSize);
    if (offset + length > (first + 1) * partSize) return this.source.read(offset, length);
    if (!this.parts.has(first)) {
      if (this.parts.size >= partLimit) this.parts.delete(this.parts.keys().next().value);
      const start = first * partSize;
      this.parts.set(first, this.source.read(start, Math.min(partSize, this.source.size - start)));
      this.parts.get(first).catch(() => this.parts.delete(first));
    }
    const part = await this.parts.get(first);
    return part.subarray(offset - first * partSize, offset - first * partSize + length);
  }

  async page(number) {
    if (!(number >= 1 && number <= this.pageCount)) throw damaged(`page ${number} is not there`);
    const bytes = await this.bytes((number - 1) * this.pageSize, this.pageSize);
    if (bytes.length < this.pageSize) throw damaged(`page ${number} ends too early`);
    const start = number === 1 ? 100 : 0;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const kind = bytes[start];
    if (![2, 5, 10, 13].includes(kind)) throw damaged(`page ${number} is of no tree`);
    const isInner = kind < 10;
    const count = view.getUint16(start + 3);
    const pointers = start + (isInner ? 12 : 8);
    if (pointers + 2 * count > bytes.length) throw damaged(`page ${number} has no room for its cells`);
    const last = isInner ? view.getUint32(start + 8) : 0;
    return { bytes, view, isInner, isIndex: kind === 2 || kind === 10, count, last, cell: (i) => view.getUint16(pointers + 2 * i) };
  }

  child(page, i) {
    if (i >= page.count) return page.last;
    const at = page.cell(i);
    if (at + 4 > page.bytes.length) throw damaged("a cell lies outside its page");
    return page.view.getUint32(at);
  }

  /// The number and the record's bytes of a cell; of an index there is no number.
  async payload(page, i) {
    let at = page.cell(i) + (page.isInner ? 4 : 0);
    let size, row;
    [size, at] = varint(page.bytes, at);
    if (!page.isIndex) [row, at] = varint(page.bytes, at);
    const most = page.isIndex ? Math.floor(((this.usable - 12) * 64) / 255) - 23 : this.usable - 35;
    if (size <= most) {
      if (at + size > page.bytes.length) throw damaged("a record lies outside its page");
      return [row, page.bytes.subarray(at, at + size)];
    }
    if (size > this.source.size) throw damaged("a record is too long");
    const least = Math.floor(((this.usable - 12) * 32) / 255) - 23;
    const local = least + ((size - least) % (this.usable - 4));
    let have = local <= most ? local : least;
    const data = new Uint8Array(size);
    if (at + have + 4 > page.bytes.length) throw damaged("a record lies outside its page");
    data.set(page.bytes.subarray(at, at + have));
    let next = page.view.getUint32(at + have);
    while (have < size) {
      if (!(next >= 1 && next <= this.pageCount)) throw damaged(`page ${next} is not there`);
      const more = await this.bytes((next - 1) * this.pageSize, this.usable);
      if (more.length < this.usable) throw damaged(`page ${next} ends too early`);
      next = new DataView(more.buffer, more.byteOffset).getUint32(0);
      const part = more.subarray(4, 4 + Math.min(size - have, this.usable - 4));
      data.set(part, have);
      have += part.length;
    }
    return [row, data];
  }

  /// All rows of a tree: [number, values].
  async *walk(root, depth = 0, seen = { pages: 0 }) {
    if (depth > depthLimit || ++seen.pages > this.pageCount) throw damaged("a tree without an end");
    const page = await this.page(root);
    for (let i = 0; i < page.count; i++) {
      if (page.isInner) yield* this.walk(this.child(page, i), depth + 1, seen);
      if (page.isInner && !page.isIndex) continue;
      const [row, data] = await this.payload(page, i);
      yield [row, record(data)];
    }
    if (page.isInner) yield* this.walk(page.last, depth + 1, seen);
  }

  /// The values of the row with a number; null if there is none.
  async row(root, number) {
    for (let depth = 0; depth <= depthLimit; depth++) {
      const page = await this.page(root);
      if (page.isIndex) throw damaged("an index in place of a table");
      const key = (i) => {
        const at = page.cell(i) + (page.isInner ? 4 : 0);
        return page.isInner ? varint(page.bytes, at)[0] : varint(page.bytes, varint(page.bytes, at)[1])[0];
      };
      let [low, high] = [0, page.count];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (key(middle) < number) low = middle + 1;
        else high = middle;
      }
      if (page.isInner) root = this.child(page, low);
      else return low < page.count && key(low) === number ? record((await this.payload(page, low))[1]) : null;
    }
    throw damaged("a tree without an end");
  }

  /// The last entry of an index whose first values are a key or come before it; null if there is none.
  async floor(root, key, depth = 0) {
    if (depth > depthLimit) throw damaged("a tree without an end");
    const page = await this.page(root);
    if (!page.isIndex) throw damaged("a table in place of an index");
    let [low, high, found] = [0, page.count, null];
    while (low < high) {
      const middle = (low + high) >> 1;
      const values = record((await this.payload(page, middle))[1]);
      if (comparePrefix(values, key) > 0) high = middle;
      else {
        low = middle + 1;
        found = values;
      }
    }
    return page.isInner ? (await this.floor(this.child(page, low), key, depth + 1)) ?? found : found;
  }

  index(table, columns) {
    const found = this.indexes.find((index) => index.table === table && columns.every((column, i) => index.columns[i] === column));
    if (!found) throw new QuadrilleError("notAnArchive", `no index of ${table}`);
    return found;
  }

  table(name) {
    const found = this.tables.get(name);
    if (!found?.columns) throw damaged(`no table ${name}`);
    return found;
  }

  named(table, values) {
    return Object.fromEntries(this.table(table).columns.map((column, i) => [column, typed(column, values[i] ?? null)]));
  }

  /// The row of a table with values in the columns of an index, as an object; null if there is none.
  async find(table, key) {
    const index = this.index(table, Object.keys(key));
    const wanted = Object.values(key);
    const entry = await this.floor(index.root, wanted);
    if (entry === null || comparePrefix(entry, wanted) !== 0) return null;
    const row = await this.row(this.table(table).root, entry.at(-1));
    if (row === null) throw damaged(`a row of ${table} is not there`);
    return this.named(table, row);
  }

  /// All rows of a table as objects.
  async *rows(table) {
    if (!this.tables.has(table)) return;
    for await (const [number, values] of this.walk(this.table(table).root)) yield { rowid: number, ...this.named(table, values) };
  }
}
