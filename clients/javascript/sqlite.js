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

/// The bytes that are read at once around a page: few of the first pages, since a first tile waits for them.
const [firstBytes, firstReads, moreBytes] = [16384, 3, 32768];

/// The bytes of the pages that are kept, the most of pages that are read together, and those before the root of an index.
const [keptBytes, spanLimit, leadBytes] = [16 << 20, 131072, 16384];
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
    this.pages = new Map();
    this.reads = 0;
    this.tables = new Map();
    this.indexes = [];
  }

  async readHeader() {
    const head = await this.source.read(0, Math.min(100, this.source.size));
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
    this.load(1, Math.min(Math.max(Math.floor((this.source.head ?? 0) / this.pageSize), 1), this.pageCount));
    for await (const [, [type, name, table, root, sql]] of this.walk(1)) {
      const list = /\((.*)\)\s*$/s.exec(sql ?? "")?.[1];
      const columns = list?.split(",").map((column) => column.trim().split(/\s+/)[0].replace(/^["'`[]|["'`\]]$/g, ""));
      if (type === "table") this.tables.set(name, { root, columns });
      if (type === "view") this.tables.set(name, { root: 0, columns: [] });
      if (type === "index" && columns) this.indexes.push({ table, root, columns });
    }
  }

  /// Reads pages by one request; they are kept, those that were asked for last the longest.
  load(first, last) {
    const span = this.source.read((first - 1) * this.pageSize, (last + 1 - first) * this.pageSize);
    span.catch(() => {});
    for (let page = first; page <= last; page++) {
      const start = (page - first) * this.pageSize;
      const bytes = span.then((all) => all.subarray(start, start + this.pageSize));
      bytes.catch(() => this.pages.get(page) === bytes && this.pages.delete(page));
      this.pages.set(page, bytes);
    }
    while (this.pages.size > Math.max(keptBytes / this.pageSize, last + 1 - first)) this.pages.delete(this.pages.keys().next().value);
  }

  /// The bytes of a page. One that is not here is read with those around it that are not either, and with some that follow it.
  bytes(number, following = 0) {
    const found = this.pages.get(number);
    if (found) {
      this.pages.delete(number);
      this.pages.set(number, found);
      return found;
    }
    // What does not fit into a leaf lies before it. Later, neighbours on either side are as likely.
    const isFirst = this.reads++ < firstReads;
    const count = Math.max((isFirst ? firstBytes : moreBytes) / this.pageSize, 1);
    const start = isFirst && following === 0 ? number - count + 1 : number - ((number - 1) % count);
    const end = Math.min(Math.max(start + count, number + 1 + following), this.pageCount + 1);
    let [first, last] = [number, number];
    while (first > Math.max(start, 1) && !this.pages.has(first - 1)) first--;
    while (last + 1 < end && !this.pages.has(last + 1)) last++;
    this.load(first, last);
    return this.pages.get(number);
  }

  /// Reads pages ahead that are not here, those that lie near each other by one request, all at the same time.
  ahead(pages) {
    const spans = [];
    const missing = pages.filter((one) => one > 1 && one <= this.pageCount && !this.pages.has(one));
    for (const page of missing.sort((a, b) => a - b)) {
      const last = spans.at(-1);
      if (last && (page + 1 - last[0]) * this.pageSize <= spanLimit) last[1] = page;
      else spans.push([page, page]);
    }
    for (const [first, last] of spans) this.load(first, last);
  }

  /// Reads ahead what is above the rows of tables, and of their indexes: the root, and the pages before it, which are leaves of it.
  enter(names, withIndexes = false) {
    const roots = names.map((name) => this.table(name).root);
    const indexes = withIndexes ? this.indexes.filter((index) => names.includes(index.table)).map((index) => index.root) : [];
    const lead = Math.floor(leadBytes / this.pageSize);
    const before = indexes.filter((root) => !this.pages.has(root)).flatMap((root) => Array.from({ length: lead }, (_, i) => root - 1 - i));
    this.ahead([...roots, ...indexes, ...before]);
  }

  async page(number) {
    if (!(number >= 1 && number <= this.pageCount)) throw damaged(`page ${number} is not there`);
    const bytes = await this.bytes(number);
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
      const more = await this.bytes(next, Math.ceil((size - have) / (this.usable - 4)) - 1);
      if (more.length < this.pageSize) throw damaged(`page ${next} ends too early`);
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

  /// A page of a table's tree, its first cell whose row has a number or a greater one, and what tells the number of a cell's row.
  async search(root, number) {
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
    return { page, low, key };
  }

  /// The row with a number, [number, values]; null if there is none. With `orBefore` the row before it where there is none.
  async row(root, number, orBefore = false) {
    let left = null;
    for (let depth = 0; depth <= 2 * depthLimit; depth++) {
      const { page, low, key } = await this.search(root, number);
      if (page.isInner) {
        if (low > 0) left = this.child(page, low - 1);
        root = this.child(page, low);
        continue;
      }
      const cell = low < page.count && key(low) === number ? low : orBefore ? low - 1 : -1;
      if (cell >= 0) return [key(cell), record((await this.payload(page, cell))[1])];
      if (!orBefore || left === null) return null;
      [root, left] = [left, null];
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
    const row = await this.numbered(table, entry.at(-1));
    if (row === null) throw damaged(`a row of ${table} is not there`);
    return row;
  }

  /// The row of a table with a number, as an object; null if there is none. With `orBefore` as of `row`.
  async numbered(table, number, orBefore = false) {
    const found = await this.row(this.table(table).root, number, orBefore);
    return found && { rowid: found[0], ...this.named(table, found[1]) };
  }

  /// All rows of a table as objects.
  async *rows(table) {
    if (!this.tables.has(table)) return;
    for await (const [number, values] of this.walk(this.table(table).root)) yield { rowid: number, ...this.named(table, values) };
  }
}
