// Packs as docs/packs.md describes them: the regions of an archive that an app has, with what they share, as one map.
import { boxOf, touches } from "./boxes.js";
import { Archive, entriesOf, setsOf } from "./quadrille.js";
import { fromBytes } from "./sources.js";
import { QuadrilleError } from "./sqlite.js";
import { archiveName, checkPackList, downloadName, hex, remembered, sha256 } from "./updates.js";

const ending = ".packs.json";

export class PackSet {
  /// Takes the list at a url, `…/NAME.packs.json`. `state` comes from `remembered`; the one to remember is `packs.state` afterwards.
  static async open(url, { state = remembered(null, []), name = archiveName(url, ending), fetcher = (...all) => fetch(...all) } = {}) {
    const packs = Object.assign(new PackSet(), { url, name, fetcher, state, held: new Map() });
    await packs.refresh();
    return packs;
  }

  /// Takes the list anew: the files of packs that are there whose archives changed, or that are gone.
  async refresh() {
    const answer = await this.fetcher(this.url, { cache: "no-cache" });
    if (!answer.ok) throw new QuadrilleError("missing", this.url);
    const { list, state } = await checkPackList(await answer.text(), this.state, this.name);
    const old = new Map((this.list ? this.packs : []).map((pack) => [pack.file, pack.sha256]));
    Object.assign(this, { list, state });
    const now = new Map(this.packs.map((pack) => [pack.file, pack.sha256]));
    return [...this.held.keys()].filter((file) => old.get(file) !== now.get(file));
  }

  /// All packs of the list, the one that all need last.
  get packs() {
    return this.list.shared ? [...this.list.packs, this.list.shared] : this.list.packs;
  }
  /// The packs of regions whose bounds touch a box, [west, south, east, north].
  within(box) {
    return this.list.packs.filter((pack) => touches(pack.bounds, box));
  }
  at(lng, lat) {
    return this.within([lng, lat, lng, lat]);
  }
  isHeld(pack) {
    return this.held.has(pack.file);
  }
  /// The packs that are missing for some packs: themselves and the shared one.
  missing(packs) {
    const wanted = new Set([...packs.map((pack) => pack.file), this.list.shared?.file]);
    return this.packs.filter((pack) => wanted.has(pack.file) && !this.isHeld(pack));
  }
  /// The bytes to download for some packs.
  size(packs) {
    return this.missing(packs).reduce((sum, pack) => sum + pack.bytes, 0);
  }

  /// The url of a pack.
  address(pack) {
    return new URL(encodeURIComponent(downloadName(pack)), new URL(this.url, globalThis.location?.href)).href;
  }
  /// Opens a pack: where it is on the server, by ranges, or a source of bytes (`fromBlob`, `fromBytes`, `fromNode`).
  async add(pack, source = this.address(pack)) {
    this.held.set(pack.file, await Archive.open(source, { fetcher: this.fetcher }));
  }
  remove(pack) {
    this.held.delete(pack.file);
  }
  /// Downloads a pack, checks it and opens it; its bytes, for the app to store. `progress` hears the bytes so far, and all of them.
  async download(pack, progress = () => {}) {
    const answer = await this.fetcher(this.address(pack), { cache: "no-cache" });
    if (!answer.ok) throw new QuadrilleError("missing", pack.file);
    const bytes = new Uint8Array(pack.bytes);
    let size = 0;
    for (const reader = answer.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      if (size + value.length > bytes.length) throw new QuadrilleError("wrongBytes", pack.file);
      bytes.set(value, size);
      progress((size += value.length), pack.bytes);
    }
    if (size < bytes.length) throw new QuadrilleError("cutOff", pack.file);
    if (hex(await sha256(bytes)) !== pack.sha256) throw new QuadrilleError("wrongBytes", pack.file);
    await this.add(pack, fromBytes(bytes));
    return bytes;
  }

  get maxzoom() {
    return this.packs.reduce((last, pack) => Math.max(last, pack.maxzoom), -1);
  }
  atZoom(z) {
    return this.packs.filter((pack) => this.isHeld(pack) && pack.minzoom <= z && z <= pack.maxzoom);
  }

  /// What shows a tile: {pack, tile: [z, x, y], data} of a pack, the shared one, or the nearest parent where the region is not there.
  async shown(z, x, y) {
    if (!(z >= 0 && x >= 0 && x < 2 ** z && y >= 0 && y < 2 ** z)) return null;
    const first = this.list.packs.reduce((least, pack) => Math.min(least, pack.minzoom), Infinity);
    const hasRest = !this.list.shared || this.isHeld(this.list.shared);
    for (let zoom = Math.min(z, this.maxzoom); zoom >= 0; zoom--) {
      const tile = [zoom, Math.floor(x / 2 ** (z - zoom)), Math.floor(y / 2 ** (z - zoom))];
      for (const pack of this.atZoom(zoom)) {
        const found = await this.held.get(pack.file).tile(...tile);
        if (found) return { pack, tile, data: found.data };
      }
      const regions = zoom >= first ? this.within(boxOf(...tile)) : [];
      // Where the region is there, or none is, nothing is shown.
      if (regions.some((pack) => this.isHeld(pack)) || (regions.length === 0 && hasRest)) return null;
    }
    return null;
  }

  /// {file, tile, part, data} as of `Archive.tile`; null for nothing.
  async tile(z, x, y) {
    const found = await this.shown(z, x, y);
    if (found === null) return null;
    const up = 2 ** (z - found.tile[0]);
    return { file: found.pack.file, tile: found.tile, part: [(x % up) / up, (y % up) / up, 1 / up], data: found.data };
  }

  /// The entry of what the tiles show at a place; null where nothing answers.
  async tap(lng, lat, zoom) {
    const z = Math.min(Math.floor(zoom), this.maxzoom);
    if (z < 0 || Math.abs(lat) >= 90) return null;
    const found = await this.shown(z, ...Archive.place(lng, lat, z).map(Math.floor));
    return found && this.held.get(found.pack.file).tap(lng, lat, found.tile[0]);
  }

  /// The entry of a key; null if there is none.
  async search(key) {
    for (const pack of this.packs) {
      const entry = (await this.held.get(pack.file)?.search(key)) ?? null;
      if (entry !== null) return entry;
    }
    return null;
  }

  /// What the packs that have the zoom show in a box, as of `Archive.entries`.
  entries(box, zoom, limit = 1000) {
    const z = Math.min(Math.floor(zoom), this.maxzoom);
    return entriesOf(this.atZoom(z).map((pack) => this.held.get(pack.file)), box, z, limit);
  }
  async changes(from, to, box, limit = 1000) {
    return setsOf(...(await Promise.all([from, to].map((zoom) => this.entries(box, zoom, limit)))));
  }
}
