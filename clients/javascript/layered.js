// Lays deltas over an archive: a page fetches the delta alone, and reads everything that it leaves from the old archive. Nothing is
// written; an app that keeps files applies deltas by SQL (docs/updates.md).
import { Archive, fromBytes, hex, planUpdate, QuadrilleError, sha256 } from "./quadrille.js";
import { Database } from "./sqlite.js";

const name = (z, x, row) => `${z}/${x}/${row}`;

/// The bytes of a file, which are refused if they are not the ones that its entry of the list tells.
export const proven = async (bytes, told) => {
  if (hex(await sha256(bytes)) !== told.sha256) throw new QuadrilleError("wrongBytes", told.file);
  return bytes;
};

/// The archive that a delta makes of another one. `bytes` are the delta's; `told` is its entry of the list, if there is one.
export const layered = async (archive, bytes, told = null) => {
  if (told !== null) await proven(bytes, told);
  const layer = Object.assign(new Layered(), archive, { under: archive, starts: undefined });
  await layer.read(await Database.open(fromBytes(bytes)));
  layer.prepare();
  return layer;
};

/// {archive, path}: the archive that a list leads to from another one, and the deltas that are laid over it. Both are null where the whole
/// file costs no more, or where the deltas are not to be had.
///
/// `fetchBytes` answers a file's name with its bytes. A delta that it cannot fetch, or that is another file, gives way to the next path.
export const updated = async (archive, list, fetchBytes) => {
  const { metadata } = archive;
  if (isRegion(metadata, list)) {
    const text = "the archive is a region that was cut on a device: Swift's, Java's and Python's readers update it, since a page writes no files";
    throw new QuadrilleError("wrongBase", text);
  }
  const without = new Set();
  while (without.size < 10) {
    const path = planUpdate(list, metadata["quadrille:digest"], metadata["quadrille:taps"], undefined, without);
    if (path === null) break;
    let layer = archive;
    for (const delta of path) {
      try {
        layer = await layered(layer, await fetchBytes(delta.file), delta);
      } catch {
        without.add(delta.file);
        layer = null;
        break;
      }
    }
    if (layer !== null) return { archive: layer, path };
  }
  return { archive: null, path: null };
};

/// Whether an archive is a region of one that a list publishes, or has published.
const isRegion = (metadata, { archive, deltas }) => {
  try {
    const { digest } = JSON.parse(metadata["quadrille:extract"] ?? "{}");
    return digest !== undefined && [archive?.digest, ...deltas.map(({ before }) => before)].includes(digest);
  } catch {
    return false;
  }
};

class Layered extends Archive {
  async read(delta) {
    const facts = {};
    for await (const { name, value } of delta.rows("facts")) facts[name] = value;
    const { metadata } = this.under;
    if (metadata["quadrille:digest"] !== facts.before || (metadata["quadrille:taps"] ?? "") !== (facts.taps_before ?? "")) {
      throw new QuadrilleError("wrongBase", "the delta is for another archive");
    }
    const rows = async (table, key, value) => {
      const found = new Map();
      for await (const row of delta.rows(table)) found.set(key(row), value(row));
      return found;
    };
    const place = (row) => name(row.zoom_level, row.tile_column, row.tile_row);
    this.newPlaces = await rows(this.isDeduplicated ? "new_map" : "new_tiles", place, (row) => row);
    for (const [key] of await rows("removed_tiles", place, () => null)) this.newPlaces.set(key, null);
    this.newImages = await rows("new_images", (row) => row.tile_id, (row) => row.tile_data);
    this.newGrids = await rows("new_grids", (row) => row.grid_id, (row) => row.grid_utfgrid);
    // A row that is replaced by one of another name is gone.
    const replaced = await rows("new_keymap", (row) => row.replaces, () => null);
    const dropped = await rows("dropped_keymap", (row) => row.key_name, () => null);
    this.newKeys = new Map([...replaced, ...dropped, ...(await rows("new_keymap", (row) => row.key_name, (row) => row.key_json))]);
    const block = (row) => name(row.zoom_level, row.block_column, row.block_row);
    const goneBlocks = await rows("removed_taps", block, () => null);
    this.newBlocks = new Map([...goneBlocks, ...(await rows("new_taps", block, (row) => row.block_data))]);
    const gonePages = await rows("removed_tap_entries", (row) => row.first_feature, () => null);
    this.newPages = new Map([...gonePages, ...(await rows("new_tap_entries", (row) => row.first_feature, (row) => row.entry_data))]);
    this.metadata = { ...metadata };
    for await (const row of delta.rows("new_metadata")) {
      if (row.replaces !== null && row.replaces !== row.name) delete this.metadata[row.replaces];
      this.metadata[row.name] = row.value;
    }
    if (this.metadata["quadrille:digest"] !== facts.after) throw new QuadrilleError("damaged", "the delta makes another archive than it says");
  }

  enterTaps() {
    this.under.enterTaps();
  }
  async place(z, x, row) {
    const key = name(z, x, row);
    return this.newPlaces.has(key) ? this.newPlaces.get(key) : this.under.place(z, x, row);
  }
  async image(id, row) {
    return this.newImages.get(id) ?? this.under.image(id, row);
  }
  async grid(id, row) {
    return this.newGrids.get(id) ?? this.under.grid(id, row);
  }
  async keyText(key) {
    return this.newKeys.has(key) ? this.newKeys.get(key) : this.under.keyText(key);
  }
  async blockData(z, column, row) {
    const key = name(z, column, row);
    return this.newBlocks.has(key) ? this.newBlocks.get(key) : this.under.blockData(z, column, row);
  }
  async pageData(first) {
    return this.newPages.has(first) ? this.newPages.get(first) : this.under.pageData(first);
  }
  async pageStarts() {
    const kept = (await this.under.pageStarts()).filter((first) => !this.newPages.has(first));
    return [...kept, ...[...this.newPages].filter(([, data]) => data !== null).map(([first]) => first)].sort((a, b) => a - b);
  }
  async likelyPageOf() {
    return undefined;
  }
  async pageOf(feature) {
    this.starts ??= this.pageStarts();
    return (await this.starts).findLast((first) => first <= feature);
  }
  async *places() {
    for await (const row of this.under.places()) if (!this.newPlaces.has(name(row.zoom_level, row.tile_column, row.tile_row))) yield row;
    for (const row of this.newPlaces.values()) if (row !== null) yield row;
  }
}
