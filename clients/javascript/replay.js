// Replays the golden vectors in a browser or in Node; see clients/vectors/README.md.
import { layered } from "./layered.js";
import { PackSet } from "./packs.js";
import { Archive, archiveName, checkList, checkPackList, clusterView, downloadName, fromBytes, hex, planUpdate, QuadrilleError, remembered, Series, sha256 } from "./quadrille.js";

const digest = async (bytes) => hex(await sha256(bytes));

/// The texts of two values are equal if the values are, members in any order.
export const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
};

const damage = (bytes, change) => {
  const copy = Uint8Array.from(bytes);
  if (change.flip !== undefined) copy[change.flip] ^= 1;
  if (change.set) copy.set(new TextEncoder().encode(change.set[1]), change.set[0]);
  return copy.subarray(0, change.truncate ?? copy.length);
};

/// Replays all cases below an address; `fetcher` answers as `fetch` does, to ranges as well. Returns what went wrong.
export const replay = async (base, fetcher) => {
  const whole = async (file) => {
    const answer = await fetcher(base + file);
    if (!answer.ok) throw new QuadrilleError("missing", file);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const open = async (file, change) =>
    change ? Archive.open(fromBytes(damage(await whole(file), change))) : Archive.open(base + file, { fetcher });
  const rounded = (entries) => entries.map((one) => ({ ...one, lng: Math.round(one.lng * 1e6) / 1e6, lat: Math.round(one.lat * 1e6) / 1e6 }));
  /// Every other pack is opened where it is, and the rest downloaded.
  const packsOf = async (list, held) => {
    const packs = await PackSet.open(base + list, { fetcher });
    for (const [i, pack] of packs.packs.filter((pack) => held.includes(pack.file)).entries()) await (i % 2 ? packs.add(pack) : packs.download(pack));
    return packs;
  };
  const numbers = (text) => text.split(",").map(Number);

  const answers = {
    async metadata({ file }) {
      const { metadata: told, minzoom, maxzoom, density, taps } = await open(file);
      return {
        name: told.name, format: told.format, minzoom, maxzoom, bounds: numbers(told.bounds), center: numbers(told.center), density,
        attribution: told.attribution, taps, digest: told["quadrille:digest"], tapsDigest: told["quadrille:taps"] ?? null,
      };
    },
    async tile({ file, z, x, y, density }) {
      const found = await (await (await open(file)).at(density)).tile(z, x, y);
      return found && { tile: found.tile, part: found.part, bytes: found.data.length, sha256: await digest(found.data) };
    },
    async tap({ file, lng, lat, zoom }) {
      const entry = await (await open(file)).tap(lng, lat, zoom);
      return entry && { key: entry.id, entry };
    },
    async entries({ file, box, zoom, limit }) {
      return rounded(await (await open(file)).entries(box, zoom, limit));
    },
    async changes({ file, box, from, to }) {
      const found = await (await open(file)).changes(from, to, box);
      return Object.fromEntries(Object.entries(found).map(([name, entries]) => [name, entries.map((one) => one.key)]));
    },
    async packList({ list, address, state, now = 0 }) {
      const told = await checkPackList(new TextDecoder().decode(await whole(list)), state, archiveName(address, ".packs.json"), now);
      const files = [...told.list.packs, ...(told.list.shared ? [told.list.shared] : [])].map((pack) => pack.file);
      return { files, state: { sequence: told.state.sequence, keys: told.state.keys } };
    },
    async packChoice({ list, held, box }) {
      const packs = await packsOf(list, held);
      const chosen = packs.within(box);
      return { packs: chosen.map((pack) => pack.file), bytes: packs.size(chosen) };
    },
    async packTile({ list, held, z, x, y }) {
      const found = await (await packsOf(list, held)).tile(z, x, y);
      return found && { file: found.file, tile: found.tile, part: found.part, bytes: found.data.length, sha256: await digest(found.data) };
    },
    async packTap({ list, held, lng, lat, zoom }) {
      const entry = await (await packsOf(list, held)).tap(lng, lat, zoom);
      return entry && { key: entry.id, entry };
    },
    async packSearch({ list, held, key }) {
      return (await packsOf(list, held)).search(key);
    },
    async packEntries({ list, held, box, zoom, limit }) {
      return rounded(await (await packsOf(list, held)).entries(box, zoom, limit));
    },
    async search({ file, key }) {
      return (await open(file)).search(key);
    },
    async cluster({ file, key }) {
      return clusterView(await (await open(file)).search(key));
    },
    async legend({ file }) {
      const found = await (await open(file)).legend();
      if (found === null) return null;
      const image = await digest(await whole(found.image.slice(base.length)));
      return { title: found.title, text: found.text, entries: found.entries.length, image };
    },
    async verify({ file, change }) {
      return { digest: await (await open(file, change)).verify() };
    },
    async frames({ file, expect }) {
      const series = await Series.open(base + file, { fetcher });
      const frames = series.frames.map(({ time, file, duration, sha256 }) => ({ time, file, duration, sha256 }));
      const shown = expect.shown.map(([elapsed]) => [elapsed, series.shown(elapsed)]);
      return { frames, default: series.default, latest: series.manifest.latest, loop: series.loop, shown };
    },
    async apply({ file, deltas, change, expect }) {
      let archive = await open(file);
      for (const [i, delta] of deltas.entries()) {
        const bytes = await whole(delta.file);
        archive = await layered(archive, i === 0 && change ? damage(bytes, change) : bytes, delta);
      }
      const other = await open(expect.equals);
      const told = { digest: await archive.verify(), equals: (await isEqual(archive, other)) ? expect.equals : "no" };
      return archive.taps === null ? told : { ...told, taps: archive.metadata["quadrille:taps"] };
    },
    async plan({ list, address, state, remembered: text, keys, have, without, now = 0 }) {
      const before = state ?? remembered(text, keys);
      const told = await checkList(new TextDecoder().decode(await whole(list)), before, archiveName(address), now);
      told.state = { sequence: told.state.sequence, keys: told.state.keys };
      const names = (path) => path.map((delta) => delta.file);
      if (!told.list.series) {
        const path = planUpdate(told.list, have.digest, have.taps, undefined, new Set(without));
        return { ...(path === null ? { whole: downloadName(told.list.archive) } : { deltas: names(path) }), state: told.state };
      }
      const { manifest, frames } = told.list.series;
      const ways = frames.map(({ file }) => [file, planUpdate(told.list, have.frames[file] ?? "", "", file)]);
      const remove = Object.keys(have.frames).filter((file) => !frames.some((frame) => frame.file === file));
      const taken = Object.fromEntries(ways.map(([file, path]) => [file, path === null ? "whole" : names(path)]));
      return { manifest: manifest.file, frames: taken, remove, state: told.state };
    },
  };

  const vectors = JSON.parse(new TextDecoder().decode(await whole("vectors.json")));
  const failures = [];
  for (const vector of vectors.cases) {
    let told;
    try {
      told = { expect: await answers[vector.do](vector) };
    } catch (error) {
      told = { error: error.kind ?? `${error.stack}` };
    }
    const wanted = "error" in vector ? { error: vector.error } : { expect: vector.expect };
    const [a, b] = [told, wanted].map((value) => JSON.stringify(sorted(value)));
    if (a !== b) failures.push(`${vector.name}: ${a}`);
  }
  return { passed: vectors.cases.length - failures.length, failures };
};

/// Whether two archives hold the same metadata, tiles, grids, and entries of taps.
const isEqual = async (one, other) => {
  if (JSON.stringify(sorted(one.metadata)) !== JSON.stringify(sorted(other.metadata))) return false;
  let count = 0;
  for await (const { zoom_level: z, tile_column: x, tile_row: row } of one.places()) {
    count++;
    const [a, b] = await Promise.all([one, other].map((archive) => archive.place(z, x, row)));
    if (b === null || (a.grid_id ?? null) !== (b.grid_id ?? null)) return false;
    const [c, d] = await Promise.all([one, other].map(async (archive) => digest(await archive.stored(z, x, 2 ** z - 1 - row))));
    if (c !== d) return false;
    if (!a.grid_id) continue;
    const [e, f] = await Promise.all([one, other].map((archive) => archive.gridOf(a.grid_id)));
    if (JSON.stringify(e) !== JSON.stringify(f)) return false;
    for (const key of e.keys) if ((await one.keyText(key)) !== (await other.keyText(key))) return false;
  }
  if (one.taps === "compact" && !(await hasEqualEntries(one, other))) return false;
  for await (const _ of other.places()) count--;
  return count === 0;
};

/// Whether compact taps of two archives have equal blocks and entries.
const hasEqualEntries = async (one, other) => {
  const [starts, others] = [await one.pageStarts(), await other.pageStarts()];
  if (JSON.stringify(starts) !== JSON.stringify(others)) return false;
  for (const first of starts) if (JSON.stringify([...(await one.page(first))]) !== JSON.stringify([...(await other.page(first))])) return false;
  for await (const { zoom_level: z, tile_column: x, tile_row: row } of one.places()) {
    const [a, b] = await Promise.all([one, other].map((archive) => archive.blockData(z, x >> 3, row >> 3)));
    if (hex(a ?? []) !== hex(b ?? [])) return false;
  }
  return true;
};
