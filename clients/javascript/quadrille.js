// Reads archives and series of Quadrille in a browser or in Node, as docs/archive.md, taps.md and series.md describe them:
// from a server that answers to ranges, a File, an ArrayBuffer or a file of Node. No dependencies.
import { Box, world } from "./boxes.js";
import { fromURL } from "./sources.js";
import { Database, QuadrilleError } from "./sqlite.js";
import { Block, composed, entryPage, gridKey, inflate, parsed } from "./taps.js";
import { hex, sha256 } from "./updates.js";

export { fromBlob, fromBytes, fromNode, fromURL } from "./sources.js";
export { QuadrilleError } from "./sqlite.js";
export { archiveName, checkList, checkPackList, downloadName, hex, planUpdate, remembered, sha256 } from "./updates.js";

const quadkey = (x, y) => {
  let key = 0;
  for (let bit = 30; bit >= 0; bit--) key = key * 4 + ((Math.floor(y / 2 ** bit) & 1) << 1) + (Math.floor(x / 2 ** bit) & 1);
  return key;
};

/// The numbers of rows, by which they are found without an index, as they follow from their keys (docs/archive.md, docs/taps.md).
const firstNumber = (z) => (4 ** z - 1) / 3 + 1;
const tileNumber = ({ zoom_level: z, tile_column: x, tile_row: row }) => firstNumber(z) + quadkey(x, 2 ** z - 1 - row);
const numbers = {
  map: tileNumber,
  tiles: tileNumber,
  taps: ({ zoom_level: z, block_column: column, block_row: row }) => firstNumber(z) + column * 2 ** z + row,
  tap_entries: ({ first_feature: first }) => first + 1,
};

const json = async (url, fetcher) => {
  const answer = await fetcher(url);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
};

export class Archive {
  /// Opens an archive. From a url it reads parts of it as they are needed, never all.
  ///
  /// `source` is a url or a source of bytes (`fromBlob`, `fromBytes`, `fromNode`). Of a url, `legend` and `density` look beside it.
  static async open(source, { fetcher = (...all) => fetch(...all) } = {}) {
    const archive = new Archive();
    archive.url = typeof source === "string" ? source : null;
    archive.fetcher = fetcher;
    archive.database = await Database.open(archive.url === null ? source : await fromURL(source, fetcher));
    const { tables } = archive.database;
    if (!tables.has("metadata") || !tables.has("tiles")) throw new QuadrilleError("notAnArchive", "it has no tiles");
    archive.isDeduplicated = tables.has("map") && tables.has("images");
    archive.taps = tables.has("taps") ? "compact" : tables.has("grids") ? "utfgrid" : null;
    archive.metadata = {};
    // What the first tile needs, too.
    archive.database.enter(["metadata", ...(archive.isDeduplicated ? ["map", "images"] : ["tiles"])]);
    for await (const { name, value } of archive.database.rows("metadata")) archive.metadata[name] = value;
    archive.prepare();
    return archive;
  }

  prepare() {
    const told = (name, standard) => Number(this.metadata[name] ?? standard);
    [this.minzoom, this.maxzoom, this.density] = [told("minzoom"), told("maxzoom"), told("scale", 1)];
    this.bounds = (this.metadata.bounds ?? "-180,-85,180,85").split(",").map(Number);
    this.center = (this.metadata.center ?? "0,0,0").split(",").map(Number);
    [this.blocks, this.pages, this.numbering] = [new Map(), new Map(), {}];
  }

  /// The archive of a density if there is one beside this one, else this one.
  async at(density) {
    if (density <= this.density || this.density !== 1 || this.url === null) return this;
    const url = this.url.replace(/(\.[^./?]+)(\?.*)?$/, `@${density}x$1$2`);
    try {
      return await Archive.open(url, { fetcher: this.fetcher });
    } catch (error) {
      if (error.kind === "missing") return this;
      throw error;
    }
  }

  /// The legend beside an archive at a url, {…, image: url}; null without one.
  async legend() {
    if (this.url === null) return null;
    const base = this.url.replace(/\.[^./?]+(\?.*)?$/, "");
    const found = await json(`${base}.legend.json`, this.fetcher);
    return found && { ...found, image: `${base}.legend.png` };
  }

  /// The row of a table with a key; null if there is none. Earlier versions and other programs number rows otherwise.
  async rowOf(table, key) {
    if (this.numbering[table] !== false) {
      const found = await this.database.numbered(table, numbers[table](key));
      if (found && Object.entries(key).every(([column, value]) => found[column] === value)) return found;
      if (found === null && (await this.isNumbered(table))) return null;
    }
    return this.database.find(table, key);
  }
  /// Whether the rows of a table have the numbers of their keys: the last one does not where a program left the numbers to SQLite.
  async isNumbered(table) {
    if (this.numbering[table] === undefined) {
      const last = await this.database.numbered(table, Infinity, true);
      this.numbering[table] = last === null || numbers[table](last) === last.rowid;
    }
    return this.numbering[table];
  }

  // What a delta replaces (layered.js) is asked for by these alone.
  async place(zoom_level, tile_column, tile_row) {
    return this.rowOf(this.isDeduplicated ? "map" : "tiles", { zoom_level, tile_column, tile_row });
  }
  /// The bytes of an image. It mostly has the number of the row of the first tile that shows it.
  async image(id, row = null) {
    const found = row === null ? null : await this.database.numbered("images", row);
    const image = found?.tile_id === id ? found : await this.database.find("images", { tile_id: id });
    return image?.tile_data ?? null;
  }
  async grid(id, row) {
    const found = await this.database.numbered("grid_utfgrid", row);
    const grid = found?.grid_id === id ? found : await this.database.find("grid_utfgrid", { grid_id: id });
    return grid?.grid_utfgrid ?? null;
  }
  async keyText(key) {
    return (await this.database.find("keymap", { key_name: key }))?.key_json ?? null;
  }
  async blockData(zoom_level, block_column, block_row) {
    return (await this.rowOf("taps", { zoom_level, block_column, block_row }))?.block_data ?? null;
  }
  /// The first feature of the page of entries that a feature is in; undefined if there is none.
  async pageOf(feature) {
    return (await this.database.floor(this.database.index("tap_entries", ["first_feature"]).root, [feature]))?.[0];
  }
  /// The same by the number of a row, if the feature has an entry; undefined where rows have other numbers than those of their keys.
  async likelyPageOf(feature) {
    const found = this.numbering.tap_entries === false ? null : await this.database.numbered("tap_entries", feature + 1, true);
    if (found === null || numbers.tap_entries(found) === found.rowid) return found?.first_feature;
    this.numbering.tap_entries = false;
    return undefined;
  }
  async pageData(first) {
    return (await this.rowOf("tap_entries", { first_feature: first }))?.entry_data ?? null;
  }
  async pageStarts() {
    const starts = [];
    for await (const { first_feature } of this.database.rows("tap_entries")) starts.push(first_feature);
    return starts;
  }
  /// All places of tiles: {zoom_level, tile_column, tile_row, …}.
  places() {
    return this.database.rows(this.isDeduplicated ? "map" : "tiles");
  }

  /// The bytes of a stored tile; null if it is not stored.
  async stored(z, x, y) {
    const row = 2 ** z - 1 - y;
    if (this.isDeduplicated) this.database.numbered("images", tileNumber({ zoom_level: z, tile_column: x, tile_row: row })).catch(() => {});
    const place = await this.place(z, x, row);
    if (place === null) return null;
    if (!this.isDeduplicated) return place.tile_data;
    const data = await this.image(place.tile_id, place.rowid);
    if (data === null) throw new QuadrilleError("damaged", `the image of ${z}/${x}/${y} is not there`);
    return data;
  }

  /// {tile: [z, x, y], part: [left, top, side], data}: a stored tile, and the part of it to draw in shares of that tile.
  /// Beyond the last zoom that is its ancestor there. Null where nothing is drawn.
  async tile(z, x, y) {
    if (!(z >= this.minzoom && x >= 0 && x < 2 ** z && y >= 0 && y < 2 ** z)) return null;
    const up = 2 ** Math.max(z - this.maxzoom, 0);
    const tile = [Math.min(z, this.maxzoom), Math.floor(x / up), Math.floor(y / up)];
    const data = await this.stored(...tile);
    return data && { tile, part: [(x % up) / up, (y % up) / up, 1 / up], data };
  }

  /// The type of the tiles' images.
  get type() {
    return { png: "image/png", jpg: "image/jpeg", webp: "image/webp" }[this.metadata.format];
  }

  /// A place in tiles of a zoom, eastward and southward.
  static place(lng, lat, z) {
    return world(lng, lat).map((share) => share * 2 ** z);
  }

  /// The entry of what is shown at a place; its `id` is the key. Null where nothing answers.
  async tap(lng, lat, zoom) {
    const z = Math.min(Math.floor(zoom), this.maxzoom);
    if (this.taps === null || z < this.minzoom || Math.abs(lat) >= 90) return null;
    const [x, y] = Archive.place(lng, lat, z);
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (column < 0 || column >= 2 ** z || row < 0 || row >= 2 ** z) return null;
    const tms = 2 ** z - 1 - row;
    this.enterTaps();
    if (this.taps === "compact") {
      const block = await this.block(z, column >> 3, tms >> 3);
      const [shareX, shareY] = [x - column + (column & 7), y - row + (row & 7)];
      const feature = block?.feature((row & 7) * 8 + (column & 7), shareX * block.side, shareY * block.side) ?? null;
      return feature === null ? null : this.entry(feature);
    }
    const place = await this.place(z, column, tms);
    const grid = place?.grid_id ? await this.gridOf(place.grid_id, place.rowid) : null;
    const key = grid && gridKey(grid, x - column, y - row);
    return key ? this.search(key) : null;
  }

  /// What a zoom shows in a box, [west, south, east, north], the nearest to its middle first: {key, lng, lat, count, layer, fields}.
  /// A box whose west is greater than its east crosses the antimeridian.
  entries(box, zoom, limit = 1000) {
    return entriesOf([this], box, Math.min(Math.floor(zoom), this.maxzoom), limit);
  }

  /// The entries to keep and to add when a map goes from one zoom to another, and those to remove.
  async changes(from, to, box, limit = 1000) {
    return setsOf(...(await Promise.all([from, to].map((zoom) => this.entries(box, zoom, limit)))));
  }

  /// Begins to read what all taps need, once.
  enterTaps() {
    const isCompact = this.taps === "compact";
    // Keys of UTFGrids are found by their index alone.
    if (!this.hasEntered) this.database.enter(isCompact ? ["taps", "tap_entries"] : ["grid_utfgrid", "keymap"], !isCompact);
    this.hasEntered = true;
  }

  kept(map, key, make) {
    if (!map.has(key)) {
      if (map.size >= 64) map.delete(map.keys().next().value);
      map.set(key, make());
      map.get(key).catch(() => map.delete(key));
    }
    return map.get(key);
  }

  gridOf(id, row) {
    return this.kept(this.blocks, id, async () => {
      const data = await this.grid(id, row);
      return data && parsed(new TextDecoder().decode(await inflate(data)));
    });
  }

  block(z, column, row) {
    return this.kept(this.blocks, `${z}/${column}/${row}`, async () => {
      const data = await this.blockData(z, column, row);
      return data && new Block(await inflate(data));
    });
  }

  async entry(feature) {
    const found = await this.pieces(feature);
    return found && this.whole(found);
  }

  /// The entry of a feature in pieces; null if there is none.
  async pieces(feature) {
    const likely = await this.likelyPageOf(feature);
    const found = likely === undefined ? undefined : (await this.page(likely)).get(feature);
    if (found) return found;
    const first = await this.pageOf(feature);
    return first === undefined ? null : ((await this.page(first)).get(feature) ?? null);
  }

  /// The JSON of an entry, with the members of a cluster.
  async whole(entry) {
    const member = async (feature) => {
      const found = await this.pieces(feature);
      if (found === null) throw new QuadrilleError("damaged", `no entry of the member ${feature}`);
      return found;
    };
    return parsed(composed(entry, await Promise.all((entry.members ?? []).map(member))));
  }

  page(first) {
    return this.kept(this.pages, first, async () => {
      const data = await this.pageData(first);
      if (data === null) throw new QuadrilleError("damaged", `no entries from ${first} on`);
      return entryPage(await inflate(data), first);
    });
  }

  /// The entry of a key; null if there is none. In compact taps this reads all entries.
  async search(key) {
    if (this.taps === null) return null;
    if (this.taps === "utfgrid") return parsed((await this.keyText(key)) ?? "null");
    for (const first of await this.pageStarts()) {
      for (const found of (await this.page(first)).values()) {
        // Entries of the first format have the key among their fields.
        const entry = found.key === key || (found.key === "" && found.fields.includes(key)) ? await this.whole(found) : null;
        if (entry?.id === key) return entry;
      }
    }
    return null;
  }

  /// Computes the digest of all tiles, which has to be that of the metadata, and returns it.
  async verify() {
    const blocks = new Map();
    for await (const { zoom_level: z, tile_column: x, tile_row: row } of this.places()) {
      const y = 2 ** z - 1 - row;
      const [X, Y] = [Math.floor(x / 64), Math.floor(y / 64)];
      const name = `${z}/${X}/${Y}\n`;
      if (!blocks.has(name)) blocks.set(name, { name, z, order: quadkey(X, Y), tiles: [] });
      const hash = await sha256((await this.stored(z, x, y)) ?? new Uint8Array());
      blocks.get(name).tiles.push({ name: `${z}/${x}/${y}\n`, order: quadkey(x, y), hash });
    }
    const root = [];
    for (const block of [...blocks.values()].sort((a, b) => a.z - b.z || a.order - b.order)) {
      block.tiles.sort((a, b) => a.order - b.order);
      root.push(block.name, await sha256(joined(block.tiles.flatMap((tile) => [tile.name, tile.hash]))));
    }
    const digest = hex(await sha256(joined(root)));
    if (digest !== this.metadata["quadrille:digest"]) throw new QuadrilleError("damaged", "the tiles are not those of the digest");
    return digest;
  }
}

const joined = (parts) => {
  const bytes = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
  const all = new Uint8Array(bytes.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/// What archives of one map show in a box at a zoom that they have.
export const entriesOf = async (archives, box, z, limit) => {
  if (archives.some((archive) => archive.taps !== "compact")) {
    throw new QuadrilleError("noPlaces", "no compact taps: build it with 'interactivity: {format: compact}'");
  }
  const having = archives.filter((archive) => z >= archive.minzoom);
  if (having.length === 0 || box[1] > box[3]) return [];
  for (const archive of having) archive.enterTaps();
  const tiles = new Box(box, z);
  const places = tiles.blocks().flatMap(([column, row]) => having.map((archive) => [column, row, archive]));
  const blocks = await Promise.all(
    places.map(async ([column, row, archive]) => [column, row, await archive.block(z, column, (2 ** z - 1 - row * 8) >> 3)]),
  );
  const found = tiles.found(blocks.filter(([, , block]) => block)).slice(0, limit);
  const entry = async (feature) => {
    for (const archive of having) {
      const one = await archive.entry(feature);
      if (one !== null) return one;
    }
    return null;
  };
  // Neighbours by identifier share a page.
  const byPage = [...found].sort((a, b) => a.feature - b.feature);
  await Promise.all(byPage.map(async (one) => (one.fields = await entry(one.feature))));
  return found.filter(({ fields }) => fields !== null).map(({ lng, lat, layer, fields }) => {
    return { key: fields.id, lng, lat, count: fields.cluster === true ? fields.point_count : 1, layer, fields };
  });
};

/// The entries of two zooms to keep, to add and to remove.
export const setsOf = (before, after) => {
  const [old, now] = [before, after].map((entries) => new Set(entries.map((one) => one.key)));
  return {
    keep: after.filter((one) => old.has(one.key)),
    add: after.filter((one) => !old.has(one.key)),
    remove: before.filter((one) => !now.has(one.key)),
  };
};

/// {zoom, box: [west, south, east, north]} at which a cluster comes apart; null for anything else.
export const clusterView = (entry) => (entry?.cluster === true ? { zoom: entry.expansion_zoom, box: entry.bbox } : null);

/// The frames of a manifest, `NAME.frames.json`.
export class Series {
  static async open(url, { fetcher = (...all) => fetch(...all) } = {}) {
    const manifest = await json(url, fetcher);
    if (manifest === null) throw new QuadrilleError("missing", url);
    return new Series(manifest, url, fetcher);
  }

  constructor(manifest, url, fetcher) {
    for (const file of [...manifest.frames.map((frame) => frame.file), manifest.latest]) {
      // A path that leads elsewhere than below the manifest's folder.
      if (!/^(?![A-Za-z][A-Za-z0-9+.-]*:)(?:(?!\.{0,2}(?:\/|$))[^/\\\0-\x1f]*(?:\/|$))+$/.test(file) || file.endsWith("/")) {
        throw new QuadrilleError("damaged", `${url} names the file '${file}'`);
      }
    }
    Object.assign(this, { manifest, url, fetcher, frames: manifest.frames, loop: manifest.loop });
    this.default = this.frames.findIndex((frame) => frame.time === manifest.default);
  }

  /// Opens the archive of a frame.
  open(index) {
    return Archive.open(new URL(this.frames[index].file, new URL(this.url, globalThis.location?.href)).href, { fetcher: this.fetcher });
  }

  /// The index of the frame that is shown so many milliseconds after the first one began.
  shown(elapsed) {
    const total = this.frames.reduce((sum, frame) => sum + frame.duration, 0);
    let left = this.loop ? elapsed % total : Math.min(elapsed, total - 1);
    return this.frames.findIndex((frame) => (left -= frame.duration) < 0);
  }
}
