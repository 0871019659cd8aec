package quadrille;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A box of degrees in tiles of a zoom (docs/taps.md), across the antimeridian, too. Places within it count eastward from its west edge,
 * and southward from the map's north edge.
 */
final class Box {
  /** The most blocks of 8 × 8 tiles that one question reads. */
  private static final int BLOCK_LIMIT = 64;
  private static final double MAX_LATITUDE = 85.0511287798066;

  /** A feature in the box: its symbol there that is nearest to the middle, and what of its lines and areas lies there; null for none. */
  static final class Found implements Comparable<Found> {
    final long feature;
    long layer;
    double[] symbol, part;
    private double far;

    Found(long feature) {
      this.feature = feature;
    }

    double[] place() {
      return symbol != null ? symbol : new double[] {(part[0] + part[2]) / 2, (part[1] + part[3]) / 2};
    }

    @Override
    public int compareTo(Found other) {
      return far == other.far ? Long.compare(feature, other.feature) : Double.compare(far, other.far);
    }
  }

  private final int z;
  private final long n;
  private final double left, wide, top, bottom;
  private final Map<Long, Found> features = new HashMap<>();

  Box(double west, double south, double east, double north, int z) {
    this.z = z;
    n = 1L << z;
    left = modulo((west + 180) / 360, 1) * n;
    wide = east - west >= 360 ? n : modulo(east - west, 360) / 360 * n;
    top = row(north);
    bottom = row(south);
  }

  private double row(double lat) {
    return tiles(0, Math.min(Math.max(lat, -MAX_LATITUDE), MAX_LATITUDE), z)[1];
  }

  /** A place in tiles of a zoom, eastward and southward: Web Mercator on the sphere. */
  static double[] tiles(double lng, double lat, int z) {
    double sine = Math.sin(Math.toRadians(lat)), size = Math.scalb(1.0, z);
    return new double[] {(lng + 180) / 360 * size, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size};
  }

  private static double latitude(double row, int z) {
    return Math.toDegrees(Math.atan(Math.sinh(Math.PI * (1 - Math.scalb(2 * row, -z)))));
  }

  /** The box of a tile in degrees: west, south, east, north. */
  static double[] ofTile(int z, int x, int y) {
    return new double[] {Math.scalb((double) x, -z) * 360 - 180, latitude(y + 1.0, z), Math.scalb(x + 1.0, -z) * 360 - 180, latitude(y, z)};
  }

  /** Whether boxes touch by more than an edge. */
  static boolean touch(double[] bounds, double[] box) {
    double wide = bounds[2] - bounds[0] >= 360 ? 360 : modulo(bounds[2] - bounds[0], 360);
    double span = box[2] - box[0] >= 360 ? 360 : modulo(box[2] - box[0], 360), far = modulo(box[0] - bounds[0], 360);
    return box[1] < bounds[3] && box[3] > bounds[1] && (far < wide || far + span > 360);
  }

  /** The rest of a division, which is never negative. */
  private static double modulo(double a, double b) {
    double rest = a % b;
    return rest < 0 ? rest + b : rest;
  }

  /** Column and row of the blocks that hold a tile of the box, or one beside such a tile; rows count from the north. */
  List<int[]> blocks() {
    long first = (long) Math.floor(left) - 1, last = (long) Math.floor(left + wide) + 1;
    long above = Math.max((long) Math.floor(top) - 1, 0) >> 3, below = Math.min((long) Math.floor(bottom) + 1, n - 1) >> 3;
    long[][] spans = {{first, last}};
    if (last - first + 1 >= n) spans = new long[][] {{0, n - 1}};
    else if (first < 0) spans = new long[][] {{first + n, n - 1}, {0, last}};
    else if (last >= n) spans = new long[][] {{first, n - 1}, {0, last - n}};
    long count = 0;
    for (long[] span : spans) count += (span[1] >> 3) - (span[0] >> 3) + 1;
    if (count * (below - above + 1) > BLOCK_LIMIT) {
      throw new QuadrilleException(QuadrilleException.Kind.tooLarge, "the box has too many tiles at this zoom");
    }
    Set<Integer> columns = new LinkedHashSet<>();
    for (long[] span : spans) for (long column = span[0] >> 3; column <= span[1] >> 3; column++) columns.add((int) column);
    List<int[]> blocks = new ArrayList<>();
    for (int row = (int) above; row <= below; row++) for (int column : columns) blocks.add(new int[] {column, row});
    return blocks;
  }

  /** Adds what a block has in the box. */
  void add(int column, int row, Block block) {
    for (Block.Symbol symbol : block.symbols) {
      double x = modulo(column * 8 + symbol.x() / block.side - left, n), y = row * 8 + symbol.y() / block.side;
      if (x > wide || y < top || y > bottom) continue;
      Found found = found(symbol.feature(), symbol.layer());
      double[] place = {x, y};
      if (found.symbol == null || isNearer(place, found.symbol)) found.symbol = place;
    }
    for (Block.Rectangle one : block.rectangles()) {
      double far = modulo(column * 8 + one.left() - left, n);
      // One that begins west of the box may reach into it.
      boolean isInside = far <= wide;
      double start = isInside ? far : 0, end = Math.min(far + one.right() - one.left() - (isInside ? 0 : n), wide);
      double above = Math.max(row * 8 + one.top(), top), below = Math.min(row * 8 + one.bottom(), bottom);
      if (start > end || above > below) continue;
      Found found = found(one.feature(), one.layer());
      double[] part = found.part;
      found.part = part == null ? new double[] {start, above, end, below}
          : new double[] {Math.min(part[0], start), Math.min(part[1], above), Math.max(part[2], end), Math.max(part[3], below)};
    }
  }

  private Found found(long feature, long layer) {
    Found found = features.get(feature);
    if (found == null) features.put(feature, found = new Found(feature));
    found.layer = Math.max(found.layer, layer);
    return found;
  }

  /** Whether a place is nearer to the middle than another one, or as near and farther north or west. */
  private boolean isNearer(double[] a, double[] b) {
    double difference = distance(a) - distance(b);
    return difference < 0 || (difference == 0 && (a[1] < b[1] || (a[1] == b[1] && a[0] < b[0])));
  }

  private double distance(double[] place) {
    double x = place[0] - wide / 2, y = place[1] - (top + bottom) / 2;
    return x * x + y * y;
  }

  /** What was found, the nearest to the middle first. */
  List<Found> found() {
    List<Found> all = new ArrayList<>(features.values());
    for (Found one : all) one.far = distance(one.place());
    Collections.sort(all);
    return all;
  }

  double longitude(double[] place) {
    return modulo((left + place[0]) / n, 1) * 360 - 180;
  }

  double latitude(double[] place) {
    return latitude(place[1], z);
  }
}
