// Boxes of degrees as docs/taps.md describes them: what of a zoom's tiles they hold, across the antimeridian, too.
import { QuadrilleError } from "./sqlite.js";

/// The most blocks of 8 × 8 tiles that one question reads.
const blockLimit = 64;
const maxLatitude = 85.0511287798066;

/// The rest of a division, which is never negative.
const modulo = (a, b) => {
  const rest = a % b;
  return rest < 0 ? rest + b : rest;
};

/// Web Mercator on the sphere: shares of the world's square, eastward and southward.
export const world = (lng, lat) => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return [(lng + 180) / 360, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
};
const latitude = (share) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * share))) * 180) / Math.PI;

/// The box of a tile in degrees.
export const boxOf = (z, x, y) => [(x / 2 ** z) * 360 - 180, latitude((y + 1) / 2 ** z), ((x + 1) / 2 ** z) * 360 - 180, latitude(y / 2 ** z)];

/// Whether boxes, [west, south, east, north], touch by more than an edge.
export const touches = (bounds, box) => {
  const [wide, span] = [bounds, box].map((one) => (one[2] - one[0] >= 360 ? 360 : modulo(one[2] - one[0], 360)));
  const far = modulo(box[0] - bounds[0], 360);
  return box[1] < bounds[3] && box[3] > bounds[1] && (far < wide || far + span > 360);
};

/// A box in tiles of a zoom; places within it count eastward from its west edge, and southward from the map's north edge.
export class Box {
  constructor([west, south, east, north], z) {
    const n = 2 ** z;
    const row = (lat) => world(0, Math.min(Math.max(lat, -maxLatitude), maxLatitude))[1] * n;
    this.n = n;
    this.left = modulo((west + 180) / 360, 1) * n;
    this.wide = east - west >= 360 ? n : (modulo(east - west, 360) / 360) * n;
    [this.top, this.bottom] = [row(north), row(south)];
  }

  /// [column, row] of the blocks that hold a tile of the box, or one beside such a tile; rows count from the north.
  blocks() {
    const { n } = this;
    const [first, last] = [Math.floor(this.left) - 1, Math.floor(this.left + this.wide) + 1];
    const rows = [Math.max(Math.floor(this.top) - 1, 0), Math.min(Math.floor(this.bottom) + 1, n - 1)].map((row) => row >> 3);
    let spans = [[first, last]];
    if (last - first + 1 >= n) spans = [[0, n - 1]];
    else if (first < 0) spans = [[first + n, n - 1], [0, last]];
    else if (last >= n) spans = [[first, n - 1], [0, last - n]];
    const count = spans.reduce((sum, [a, b]) => sum + (b >> 3) - (a >> 3) + 1, 0) * (rows[1] - rows[0] + 1);
    if (count > blockLimit) throw new QuadrilleError("tooLarge", "the box has too many tiles at this zoom");
    const columns = new Set();
    for (const [a, b] of spans) for (let column = a >> 3; column <= b >> 3; column++) columns.add(column);
    const blocks = [];
    for (let row = rows[0]; row <= rows[1]; row++) for (const column of columns) blocks.push([column, row]);
    return blocks;
  }

  /// The place of a symbol in the box; null outside.
  place(x, y) {
    const far = modulo(x - this.left, this.n);
    return far <= this.wide && this.top <= y && y <= this.bottom ? [far, y] : null;
  }

  /// The part of a rectangle that lies in the box; null for none.
  part([left, top, right, bottom]) {
    const far = modulo(left - this.left, this.n);
    // One that begins west of the box may reach into it.
    const isInside = far <= this.wide;
    const start = isInside ? far : 0;
    const end = Math.min(far + right - left - (isInside ? 0 : this.n), this.wide);
    const [above, below] = [Math.max(top, this.top), Math.min(bottom, this.bottom)];
    return start <= end && above <= below ? [start, above, end, below] : null;
  }

  distance([x, y]) {
    return (x - this.wide / 2) ** 2 + (y - (this.top + this.bottom) / 2) ** 2;
  }

  degrees([x, y]) {
    return { lng: modulo((this.left + x) / this.n, 1) * 360 - 180, lat: latitude(y / this.n) };
  }

  /// What blocks, [column, row, block], have in the box, the nearest to its middle first: {feature, layer, lng, lat}.
  found(blocks) {
    const features = new Map();
    const found = (feature, layer) => {
      if (!features.has(feature)) features.set(feature, { feature, layer, symbol: null, part: null });
      const one = features.get(feature);
      one.layer = Math.max(one.layer, layer);
      return one;
    };
    for (const [column, row, block] of blocks) {
      for (const { x, y, layer, feature } of block.symbols) {
        const place = this.place(column * 8 + x / block.side, row * 8 + y / block.side);
        if (place === null) continue;
        const one = found(feature, layer);
        if (one.symbol === null || this.isNearer(place, one.symbol)) one.symbol = place;
      }
      for (const { left, top, right, bottom, layer, feature } of block.rectangles()) {
        const part = this.part([column * 8 + left, row * 8 + top, column * 8 + right, row * 8 + bottom]);
        if (part === null) continue;
        const one = found(feature, layer);
        one.part = (one.part ?? part).map((edge, i) => (i < 2 ? Math.min : Math.max)(edge, part[i]));
      }
    }
    const all = [...features.values()].map(({ feature, layer, symbol, part }) => {
      const place = symbol ?? [(part[0] + part[2]) / 2, (part[1] + part[3]) / 2];
      return { feature, layer, far: this.distance(place), ...this.degrees(place) };
    });
    return all.sort((a, b) => a.far - b.far || a.feature - b.feature);
  }

  /// Whether a place is nearer to the middle than another one, or as near and farther north or west.
  isNearer(a, b) {
    return (this.distance(a) - this.distance(b) || a[1] - b[1] || a[0] - b[0]) < 0;
  }
}
