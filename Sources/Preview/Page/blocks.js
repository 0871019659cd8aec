"use strict";
// Compact taps: blocks of 8 × 8 tiles with exact shapes, decoded and searched as docs/taps.md describes them.
(() => {
  const byteLimit = 32 << 20;

  /// The bytes of a zlib stream.
  const inflate = async (body) => {
    const reader = body.pipeThrough(new DecompressionStream("deflate")).getReader();
    const parts = [];
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > byteLimit) throw new Error("taps are too long");
      parts.push(part.value);
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts) { bytes.set(part, at); at += part.length; }
    return bytes;
  };

  /// Reads numbers of seven bits per byte, the lowest first; an odd signed one is negative.
  class Numbers {
    constructor(bytes) { this.bytes = bytes; this.at = 0; }
    get isAtEnd() { return this.at >= this.bytes.length; }
    /// At most five bytes; eight for identifiers and their differences.
    next(last = 2 ** 28) {
      let value = 0;
      for (let factor = 1; factor <= last; factor *= 128) {
        if (this.isAtEnd) throw new Error("taps end too early");
        const byte = this.bytes[this.at++];
        value += (byte & 127) * factor;
        if (byte < 128) return value;
      }
      throw new Error("a number of taps is too long");
    }
    signed(last = 2 ** 28) {
      const value = this.next(last);
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    /// The identifier that is so much greater than another one.
    after(identifier, isSigned = false) {
      const next = identifier + (isSigned ? this.signed(2 ** 49) : this.next(2 ** 49));
      if (!(next >= 0 && next < 2 ** 53)) throw new Error("taps have an identifier that cannot be");
      return next;
    }
    /// A count of things of which each takes a byte or more.
    count(zero = 0) {
      const value = this.next() - zero;
      if (value > this.bytes.length - this.at) throw new Error("taps have no room for what they count");
      return value;
    }
    take(count) {
      if (count > this.bytes.length - this.at) throw new Error("taps end too early");
      return this.bytes.subarray(this.at, this.at += count);
    }
    list(count, read) {
      const all = [];
      for (let i = 0; i < count; i++) all.push(read());
      return all;
    }
    /// Numbers that are stored as steps from the one before.
    steps(count) {
      let last = 0;
      return this.list(count, () => { last += this.signed(); return last; });
    }
  }

  const decode = (bytes) => {
    const numbers = new Numbers(bytes);
    const version = numbers.next();
    if (version !== 1 && version !== 2) throw new Error("taps of an unknown version");
    const tiles = numbers.take(8);
    const side = numbers.next();
    const named = namesOf(numbers, version);
    const stacks = numbers.list(numbers.count(), () => numbers.list(numbers.count(), () => {
      const [layer, kind] = [numbers.next(), numbers.next()];
      const [left, top, right, bottom] = numbers.list(4, () => numbers.signed() / 256);
      return { layer, isDisc: (kind & 1) !== 0, isOnPixel: (kind & 2) !== 0, left, top, right, bottom };
    }));
    const count = numbers.count();
    const chosen = numbers.list(count, () => stacks[numbers.next()] ?? []);
    const [xs, ys, features] = numbers.list(3, () => numbers.steps(count));
    const symbols = chosen.map((prints, i) => ({ prints, x: xs[i] / 16, y: ys[i] / 16, feature: named(features[i]) }));
    return { tiles, side, symbols, shapes: decodeShapes(numbers, named) };
  };

  /// The function that tells the identifier of a feature of a block: version 1 names it, version 2 its place in a list.
  const namesOf = (numbers, version) => {
    if (version === 1) return (number) => number;
    let last = 0;
    const identifiers = numbers.list(numbers.count(), () => {
      last = numbers.after(last);
      return last;
    });
    return (place) => {
      if (identifiers[place] === undefined) throw new Error("taps name a feature that is not listed");
      return identifiers[place];
    };
  };

  const decodeShapes = (numbers, named) => {
    let [tile, feature, x, y] = [0, 0, 0, 0];
    const run = () => numbers.list(numbers.count(), () => {
      x += numbers.signed();
      y += numbers.signed();
      return [x / 16, y / 16];
    });
    return numbers.list(numbers.count(), () => {
      tile += numbers.next();
      const [kind, layer] = [numbers.next(), numbers.next()];
      feature += numbers.signed();
      const [half, gap] = kind > 2 ? [numbers.next() / 256, numbers.next() / 256] : [0, 0];
      return { tile, kind, layer, feature: named(feature), half, gap, runs: kind === 0 ? [] : numbers.list(numbers.count(), run) };
    });
  };

  const isInPrint = (symbol, print, x, y) => {
    const [ax, ay] = print.isOnPixel ? [Math.floor(symbol.x), Math.floor(symbol.y)] : [symbol.x, symbol.y];
    const [left, top, right, bottom] = [ax + print.left, ay + print.top, ax + print.right, ay + print.bottom];
    if (!print.isDisc) return x >= left && x < right && y >= top && y < bottom;
    return Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) < (right - left) / 2;
  };

  /// Whether a ring winds an odd number of times around a place.
  const isOdd = (run, x, y) => {
    let isInside = false;
    let [ax, ay] = run.at(-1);
    for (const [bx, by] of run) {
      if ((ay <= y) !== (by <= y) && ax + ((bx - ax) * (y - ay)) / (by - ay) <= x) isInside = !isInside;
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

  const isInShape = ({ kind, half, gap, runs }, x, y) => {
    if (kind === 0) return true;
    const rings = runs.filter((run) => run.length > 0);
    if (kind === 1) return rings.reduce((isInside, run) => isInside !== isOdd(run, x, y), false);
    if (kind === 2) return rings.length > 0 && x >= rings[0][0][0] && x < rings[0][0][0] + 1 && y >= rings[0][0][1] && y < rings[0][0][1] + 1;
    const far = Math.min(...rings.map((run) => distance(run, x, y)));
    return far < half && (gap === 0 || far > gap);
  };

  const priority = (kind) => (kind < 2 ? 2 : kind === 2 ? 1 : 0);

  /// The topmost feature at a place, in px from the block's north-western corner; null where nothing answers.
  const featureAt = (block, x, y) => {
    const tile = Math.floor(y / block.side) * 8 + Math.floor(x / block.side);
    if ((block.tiles[tile >> 3] >> (tile & 7) & 1) === 0) return null;
    let best = { layer: -1, priority: 0, feature: null };
    for (const symbol of block.symbols) {
      for (const print of symbol.prints) {
        if (print.layer >= best.layer && isInPrint(symbol, print, x, y)) best = { layer: print.layer, priority: 0, feature: symbol.feature };
      }
    }
    for (const shape of block.shapes) {
      if (shape.tile !== tile) continue;
      const rank = priority(shape.kind);
      if (best.layer > shape.layer || (best.layer === shape.layer && best.priority > rank)) continue;
      if (isInShape(shape, x, y)) best = { layer: shape.layer, priority: rank, feature: shape.feature };
    }
    return best.feature;
  };

  /// The entries of a page by feature: pieces of JSON, and the members of clusters.
  const decodePage = (bytes, first) => {
    const numbers = new Numbers(bytes);
    const text = () => new TextDecoder().decode(numbers.take(numbers.next()));
    // A page of version 1 begins with the first step, which is 0.
    const isFirst = bytes[0] === 0;
    if (!isFirst && numbers.next() !== 2) throw new Error("entries of an unknown version");
    const entries = new Map();
    for (let feature = first; !numbers.isAtEnd;) {
      feature = numbers.after(feature);
      if (isFirst) { entries.set(feature, { key: "", fields: text().slice(1, -1), more: "", members: null }); continue; }
      const [key, fields, more, count] = [text(), text(), text(), numbers.count(1)];
      let member = feature;
      const members = count < 0 ? null : numbers.list(count, () => { member = numbers.after(member, true); return member; });
      entries.set(feature, { key, fields, more, members });
    }
    return entries;
  };

  const object = (...pieces) => `{${pieces.filter((piece) => piece !== "").join(",")}}`;
  const keyOf = (entry) => (entry.key === "" ? "" : `"id":"${entry.key}"`);

  const stream = (url, read) => quadrille.fetched(url, async (answer) => read(await inflate(answer.body)));
  const block = (tiles, zoom, x, y) => stream(quadrille.tileUrl(tiles.blocks, tiles, zoom, x >> 3, y >> 3), decode);

  /// The entry of a feature in pieces.
  const piecesOf = async (tiles, feature) => {
    const pages = tiles.entries.replace("{frame}", tiles.frame || "");
    const starts = await quadrille.fetched(pages.replace("{first}.taps", "starts.json"), (answer) => answer.json());
    const first = (starts || []).findLast((start) => start <= feature);
    if (first === undefined) return null;
    return (await stream(pages.replace("{first}", first), (bytes) => decodePage(bytes, first)))?.get(feature) ?? null;
  };

  /// The data of a feature.
  const entryOf = async (tiles, feature) => {
    const entry = await piecesOf(tiles, feature);
    if (entry === null) return null;
    const members = await Promise.all((entry.members ?? []).map((member) => piecesOf(tiles, member)));
    if (members.includes(null)) return null;
    const list = entry.members && `"members":[${members.map((member) => object(member.fields, keyOf(member))).join(",")}]`;
    return JSON.parse(object(entry.fields, list ?? "", entry.more, keyOf(entry)));
  };

  /// What a tile's block answers at a place, in shares of the tile.
  quadrille.blockAnswer = async (tiles, zoom, tile, share) => {
    const found = await block(tiles, zoom, tile.x, tile.y);
    if (!found) return null;
    const feature = featureAt(found, ((tile.x & 7) + share.x) * found.side, ((tile.y & 7) + share.y) * found.side);
    const data = feature === null ? null : await entryOf(tiles, feature);
    return data === null ? null : { key: data.id, data };
  };

  /// A place of a symbol at which a tap hits it: its anchor, or the middle of one of its prints.
  const placeOf = (found, symbol) => [
    [symbol.x, symbol.y],
    ...symbol.prints.map((print) => [symbol.x + (print.left + print.right) / 2, symbol.y + (print.top + print.bottom) / 2]),
  ].find(([x, y]) => featureAt(found, x, y) === symbol.feature);

  const cells = 32;
  /// The features of a tile with the places, in px of the block, at which taps hit them.
  const placesIn = (found, index) => {
    const [left, top] = [(index % 8) * found.side, Math.floor(index / 8) * found.side];
    const places = new Map();
    const add = (feature, place) => { if (!places.has(feature)) places.set(feature, []); places.get(feature).push(place); };
    for (const symbol of found.symbols) {
      if (symbol.x < left || symbol.x >= left + found.side || symbol.y < top || symbol.y >= top + found.side) continue;
      const place = placeOf(found, symbol);
      if (place) add(symbol.feature, place);
    }
    if (!found.shapes.some((shape) => shape.tile === index)) return places;
    for (let row = 0; row < cells; row++) {
      for (let column = 0; column < cells; column++) {
        const place = [left + ((column + 0.5) * found.side) / cells, top + ((row + 0.5) * found.side) / cells];
        const feature = featureAt(found, ...place);
        if (feature !== null) add(feature, place);
      }
    }
    return places;
  };

  /// The records of a tile: [data, place in shares of the tile].
  quadrille.blockRecords = async (tiles, zoom, x, y) => {
    const found = await block(tiles, zoom, x, y);
    if (!found) return [];
    const all = await Promise.all([...placesIn(found, (y & 7) * 8 + (x & 7))].map(async ([feature, places]) => {
      const [px, py] = quadrille.middleOf(places);
      return [await entryOf(tiles, feature), { x: px / found.side - (x & 7), y: py / found.side - (y & 7) }];
    }));
    return all.filter(([data]) => data !== null);
  };
})();
