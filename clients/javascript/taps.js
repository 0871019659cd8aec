// Taps as docs/taps.md describes them: UTFGrid and compact blocks.
import { QuadrilleError } from "./sqlite.js";

const byteLimit = 32 << 20;
const damaged = (text) => new QuadrilleError("damaged", text);

/// The bytes of a zlib stream.
export const inflate = async (bytes) => {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const parts = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > byteLimit) break;
      parts.push(part.value);
    }
  } catch (error) {
    throw damaged(`taps: ${error.message}`);
  }
  if (size > byteLimit) throw damaged("taps are too long");
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/// The value of a text of JSON in an archive.
export const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(`taps: ${error.message}`);
  }
};

/// The key of a UTFGrid at a place in shares of its tile; empty where nothing answers.
export const gridKey = (grid, x, y) => {
  const isGrid = Array.isArray(grid?.grid) && Array.isArray(grid.keys);
  const row = [...((isGrid && grid.grid[Math.floor(y * grid.grid.length)]) || "")];
  const code = String(row[Math.floor(x * row.length)] ?? "").codePointAt(0);
  if (code === undefined) throw damaged("taps: no grid");
  return grid.keys[code - (code >= 93) - (code >= 35) - 32] ?? "";
};

/// Numbers of seven bits per byte, the lowest first; an odd signed one is negative.
class Numbers {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  get isAtEnd() {
    return this.at >= this.bytes.length;
  }
  /// At most five bytes; eight for identifiers and their differences.
  next(last = 2 ** 28) {
    let value = 0;
    for (let factor = 1; factor <= last; factor *= 128) {
      const byte = this.take(1)[0];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw damaged("a number of taps is too long");
  }
  signed(last = 2 ** 28) {
    const value = this.next(last);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  /// The identifier that is so much greater than another one.
  after(identifier, isSigned = false) {
    const next = identifier + (isSigned ? this.signed(2 ** 49) : this.next(2 ** 49));
    if (!(next >= 0 && next < 2 ** 53)) throw damaged("taps have an identifier that cannot be");
    return next;
  }
  take(count) {
    if (count > this.bytes.length - this.at) throw damaged("taps end too early");
    return this.bytes.subarray(this.at, (this.at += count));
  }
  /// A count of things of which each takes a byte or more.
  count(zero = 0) {
    const count = this.next() - zero;
    if (count > this.bytes.length - this.at) throw damaged("taps have no room for what they count");
    return count;
  }
  list(read) {
    return Array.from({ length: this.count() }, read);
  }
}

/// The entries of a page by their identifiers: pieces of JSON, and the members of clusters.
export const entryPage = (bytes, first) => {
  const numbers = new Numbers(bytes);
  const text = () => new TextDecoder().decode(numbers.take(numbers.next()));
  // A page of version 1 begins with the first step, which is 0.
  const isFirst = bytes[0] === 0;
  if (!isFirst && numbers.next() !== 2) throw damaged("entries of an unknown format");
  const entries = new Map();
  for (let feature = first; !numbers.isAtEnd; ) {
    const last = feature;
    feature = numbers.after(feature);
    if (feature === last && entries.size > 0) throw damaged("the identifiers of entries do not ascend");
    if (isFirst) {
      entries.set(feature, { key: "", fields: text().slice(1, -1), more: "", members: null });
      continue;
    }
    const [key, fields, more, count] = [text(), text(), text(), numbers.count(1)];
    let member = feature;
    const members = count < 0 ? null : Array.from({ length: count }, () => (member = numbers.after(member, true)));
    entries.set(feature, { key, fields, more, members });
  }
  return entries;
};

const object = (...pieces) => `{${pieces.filter((piece) => piece !== "").join(",")}}`;
const idOf = (entry) => (entry.key === "" ? "" : `"id":"${entry.key}"`);

/// An entry as a text of JSON; `members` are the entries of a cluster's members.
export const composed = (entry, members) => {
  const list = entry.members && `"members":[${members.map((member) => object(member.fields, idOf(member))).join(",")}]`;
  return object(entry.fields, list ?? "", entry.more, idOf(entry));
};

/// The function that tells the identifier of a feature of a block: version 1 names it, version 2 its place in a list.
const namesOf = (numbers, version) => {
  if (version === 1) return (number) => number;
  let last = -1;
  const identifiers = numbers.list(() => {
    const next = numbers.after(Math.max(last, 0));
    if (next <= last) throw damaged("the identifiers of taps do not ascend");
    return (last = next);
  });
  return (place) => {
    if (identifiers[place] === undefined) throw damaged("taps name a feature that is not listed");
    return identifiers[place];
  };
};

/// Compact taps of 8 × 8 tiles; everything in px from the block's north-west corner.
export class Block {
  constructor(bytes) {
    const numbers = new Numbers(bytes);
    const [n, s] = [() => numbers.next(), () => numbers.signed()];
    const version = n();
    if (version !== 1 && version !== 2) throw damaged("taps of an unknown format");
    this.tiles = numbers.take(8);
    this.side = n();
    const named = namesOf(numbers, version);
    const stacks = numbers.list(() => numbers.list(() => ({ layer: n(), kind: n(), edges: [s() / 256, s() / 256, s() / 256, s() / 256] })));
    const chosen = numbers.list(n);
    const steps = () => {
      let last = 0;
      return chosen.map(() => (last += s()));
    };
    const [xs, ys, features] = [steps(), steps(), steps()];
    /// All symbols in drawing order, each with its topmost layer, and their prints.
    this.symbols = chosen.map((stack, i) => {
      if (!stacks[stack]) throw damaged("taps name a stack that is not there");
      const layer = stacks[stack].reduce((top, print) => Math.max(top, print.layer), 0);
      return { x: xs[i] / 16, y: ys[i] / 16, layer, feature: named(features[i]) };
    });
    this.prints = chosen.flatMap((stack, i) => {
      return stacks[stack].map(({ layer, kind, edges: [left, top, right, bottom] }) => {
        const [x, y] = (kind & 2) !== 0 ? [Math.floor(xs[i] / 16), Math.floor(ys[i] / 16)] : [xs[i] / 16, ys[i] / 16];
        return { layer, isDisc: (kind & 1) !== 0, left: x + left, top: y + top, right: x + right, bottom: y + bottom, feature: named(features[i]) };
      });
    });
    let [tile, feature, x, y] = [0, 0, 0, 0];
    const vertex = () => [(x += s()) / 16, (y += s()) / 16];
    this.shapes = numbers.list(() => {
      tile += n();
      const [kind, layer] = [n(), n()];
      feature += s();
      const [half, gap] = kind > 2 ? [n() / 256, n() / 256] : [0, 0];
      const runs = kind === 0 ? [] : numbers.list(() => numbers.list(vertex));
      return { tile, kind, layer, feature: named(feature), half, gap, runs: runs.filter((run) => run.length > 0) };
    });
  }

  /// Each line and area with its rectangle in tiles, within its tile.
  *rectangles() {
    for (const { tile, kind, layer, feature, runs } of this.shapes) {
      if (((this.tiles[tile >> 3] >> (tile & 7)) & 1) === 0) continue;
      const [west, north] = [tile & 7, tile >> 3];
      let [left, top, right, bottom] = kind === 0 ? [west, north, west + 1, north + 1] : [Infinity, Infinity, -Infinity, -Infinity];
      for (const run of runs) {
        for (const [x, y] of run) {
          [left, top] = [Math.min(left, x / this.side), Math.min(top, y / this.side)];
          [right, bottom] = [Math.max(right, x / this.side), Math.max(bottom, y / this.side)];
        }
      }
      const wide = kind === 2 ? 1 / this.side : 0;
      [left, top] = [Math.max(left, west), Math.max(top, north)];
      [right, bottom] = [Math.min(right + wide, west + 1), Math.min(bottom + wide, north + 1)];
      if (left <= right && top <= bottom) yield { feature, layer, left, top, right, bottom };
    }
  }

  /// The identifier of the feature that answers at a place; null if nothing does. `tile` is the place's tile in the block.
  feature(tile, x, y) {
    if (((this.tiles[tile >> 3] >> (tile & 7)) & 1) === 0) return null;
    let best = { layer: -1, rank: 0, feature: null };
    for (const print of this.prints) {
      if (print.layer >= best.layer && isInPrint(print, x, y)) best = { layer: print.layer, rank: 0, feature: print.feature };
    }
    for (const shape of this.shapes) {
      const rank = [2, 2, 1, 0, 0][shape.kind];
      if (shape.tile !== tile || shape.layer < best.layer || (shape.layer === best.layer && rank < best.rank)) continue;
      if (isInShape(shape, x, y)) best = { layer: shape.layer, rank, feature: shape.feature };
    }
    return best.feature;
  }
}

const isInPrint = ({ isDisc, left, top, right, bottom }, x, y) =>
  x >= left && x < right && y >= top && y < bottom && (!isDisc || Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) < (right - left) / 2);

/// 0 all of the tile, 1 inside of rings (even-odd), 2 a pixel, 3 and 4 near a line.
const isInShape = ({ kind, half, gap, runs }, x, y) => {
  if (kind === 0) return true;
  if (kind === 1) return runs.reduce((isInside, run) => isInside !== isOdd(run, x, y), false);
  if (kind === 2) return runs.length > 0 && x >= runs[0][0][0] && x < runs[0][0][0] + 1 && y >= runs[0][0][1] && y < runs[0][0][1] + 1;
  const far = Math.min(...runs.map((run) => distance(run, x, y)));
  return far < half && (gap === 0 || far > gap);
};

/// Whether a ring winds an odd number of times around a place.
const isOdd = (run, x, y) => {
  let isInside = false;
  let [ax, ay] = run.at(-1);
  for (const [bx, by] of run) {
    if (ay <= y !== by <= y && ax + ((bx - ax) * (y - ay)) / (by - ay) <= x) isInside = !isInside;
    [ax, ay] = [bx, by];
  }
  return isInside;
};

const distance = (run, x, y) => {
  let least = Infinity;
  let [ax, ay] = run[0];
  for (const [bx, by] of run) {
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const share = length > 0 ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1) : 0;
    least = Math.min(least, Math.hypot(x - ax - share * dx, y - ay - share * dy));
    [ax, ay] = [bx, by];
  }
  return least;
};
