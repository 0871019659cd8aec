// Reads archives and series of Quadrille in a browser or in Node, as docs/archive.md, taps.md and series.md describe them:
// from a server that answers to ranges, a File, an ArrayBuffer or a file of Node. No dependencies.
import { Database, fromBytes, fromURL, QuadrilleError } from "./sqlite.js";
import { Block, composed, entryPage, gridKey, inflate, parsed } from "./taps.js";
import { hex, sha256 } from "./updates.js";

export { fromBlob, fromBytes, fromNode, fromURL, QuadrilleError } from "./sqlite.js";
export { archiveName, checkList, hex, planUpdate, remembered, sha256 } from "./updates.js";

const quadkey = (x, y) => {
  let key = 0;
  for (let bit = 30; bit >= 0; bit--) key = key * 4 + ((Math.floor(y / 2 ** bit) & 1) << 1) + (Math.floor(x / 2 ** bit) & 1);
  return key;
};

/// Web Mercator on the sphere: shares of the world's square, eastward and southward.
const world = (lng, lat) => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return [(lng + 180) / 360, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
};

const json = async (url, fetcher) => {
  const answer = await fetcher(url);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
};

export class Archive {
  /// Opens an archive. From a url it reads parts of 64 KiB as they are needed, never all of it.
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
    for await (const { name, value } of archive.database.rows("metadata")) archive.metadata[name] = value;
    archive.prepare();
    return archive;
  }

  prepare() {
    const told = (name, standard) => Number(this.metadata[name] ?? standard);
    [this.minzoom, this.maxzoom, this.density] = [told("minzoom"), told("maxzoom"), told("scale", 1)];
    this.bounds = (this.metadata.bounds ?? "-180,-85,180,85").split(",").map(Number);
    this.center = (this.metadata.center ?? "0,0,0").split(",").map(Number);
    [this.blocks, this.pages] = [new Map(), new Map()];
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

  // What a delta replaces (layered.js) is asked for by these alone.
  place(z, x, row) {
    return this.database.find(this.isDeduplicated ? "map" : "tiles", { zoom_level: z, tile_column: x, tile_row: row });
  }
  async image(id) {
    return (await this.database.find("images", { tile_id: id }))?.tile_data ?? null;
  }
  async grid(id) {
    return (await this.database.find("grid_utfgrid", { grid_id: id }))?.grid_utfgrid ?? null;
  }
  async keyText(key) {
    return (await this.database.find("keymap", { key_name: key }))?.key_json ?? null;
  }
  async blockData(zoom_level, block_column, block_row) {
    return (await this.database.find("taps", { zoom_level, block_column, block_row }))?.block_data ?? null;
  }
  /// The first feature of the page of entries that a feature is in; undefined if there is none.
  async pageOf(feature) {
    return (await this.database.floor(this.database.index("tap_entries", ["first_feature"]).root, [feature]))?.[0];
  }
  async pageData(first) {
    return (await this.database.find("tap_entries", { first_feature: first }))?.entry_data ?? null;
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
    const place = await this.place(z, x, 2 ** z - 1 - y);
    if (place === null) return null;
    if (!this.isDeduplicated) return place.tile_data;
    const data = await this.image(place.tile_id);
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

  /// The entry of what is shown at a place; its `id` is the key. Null where nothing answers.
  async tap(lng, lat, zoom) {
    const z = Math.min(Math.floor(zoom), this.maxzoom);
    if (this.taps === null || z < this.minzoom || Math.abs(lat) >= 90) return null;
    const [x, y] = world(lng, lat).map((share) => share * 2 ** z);
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (column < 0 || column >= 2 ** z || row < 0 || row >= 2 ** z) return null;
    const tms = 2 ** z - 1 - row;
    if (this.taps === "compact") {
      const block = await this.block(z, column >> 3, tms >> 3);
      const [shareX, shareY] = [x - column + (column & 7), y - row + (row & 7)];
      const feature = block?.feature((row & 7) * 8 + (column & 7), shareX * block.side, shareY * block.side) ?? null;
      return feature === null ? null : this.entry(feature);
    }
    const place = await this.place(z, column, tms);
    const grid = place?.grid_id ? await this.gridOf(place.grid_id) : null;
    const key = grid && gridKey(grid, x - column, y - row);
    return key ? this.search(key) : null;
  }

  kept(map, key, make) {
    if (!map.has(key)) {
      if (map.size >= 64) map.delete(map.keys().next().value);
      map.set(key, make());
      map.get(key).catch(() => map.delete(key));
    }
    return map.get(key);
  }

  gridOf(id) {
    return this.kept(this.blocks, id, async () => {
      const data = await this.grid(id);
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
    const first = await this.pageOf(feature);
    return first === undefined ? null : ((await this.page(first)).get(feature) ?? null);
  }

  /// The JSON of an entry, with the members of a cluster.
  async whole(entry) {
    const members = [];
    for (const member of entry.members ?? []) {
      members.push(await this.pieces(member));
      if (members.at(-1) === null) throw new QuadrilleError("damaged", `no entry of the member ${member}`);
    }
    return parsed(composed(entry, members));
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
