package quadrille;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Compact taps of 8 × 8 tiles (docs/taps.md); everything in px from the block's north-west corner. */
final class Block {
  private static final int LIMIT = 32 << 20;

  private record Print(long layer, boolean isDisc, double left, double top, double right, double bottom, long feature) {
    boolean contains(double x, double y) {
      if (!(x >= left && x < right && y >= top && y < bottom)) return false;
      return !isDisc || Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) < (right - left) / 2;
    }
  }

  /** A symbol's place, and its topmost layer. */
  record Symbol(double x, double y, long layer, long feature) {}

  /** The rectangle of a line or an area in tiles, within its tile. */
  record Rectangle(double left, double top, double right, double bottom, long layer, long feature) {}

  /** Runs are x and y in turn. */
  private record Shape(long kind, long layer, long feature, double half, double gap, List<double[]> runs) {
    int rank() {
      return kind < 2 ? 2 : kind == 2 ? 1 : 0;
    }

    /** 0 all of the tile, 1 inside of rings (even-odd), 2 a pixel, 3 and 4 near a line. */
    boolean contains(double x, double y) {
      if (kind == 0) return true;
      if (kind == 1) {
        boolean isInside = false;
        for (double[] run : runs) isInside ^= isOdd(run, x, y);
        return isInside;
      }
      if (kind == 2) {
        double[] run = runs.isEmpty() ? null : runs.get(0);
        return run != null && x >= run[0] && x < run[0] + 1 && y >= run[1] && y < run[1] + 1;
      }
      double far = Double.POSITIVE_INFINITY;
      for (double[] run : runs) far = Math.min(far, distance(run, x, y));
      return far < half && (gap == 0 || far > gap);
    }
  }

  private final byte[] tiles;
  final double side;
  /** In drawing order. */
  final List<Symbol> symbols = new ArrayList<>();
  private final List<Print> prints = new ArrayList<>();
  private final Map<Long, List<Shape>> shapes = new HashMap<>();

  /** The identifiers of the features by their places in the block; null in the first format, which names identifiers. */
  private long[] identifiers;

  Block(byte[] data) {
    Numbers numbers = new Numbers(inflate(data));
    long version = numbers.next();
    if (version != 1 && version != 2) throw damaged("taps of an unknown format");
    tiles = numbers.take(8);
    side = numbers.next();
    if (version == 2) readIdentifiers(numbers);
    long[][][] stacks = new long[numbers.count()][][];
    for (int i = 0; i < stacks.length; i++) {
      stacks[i] = new long[numbers.count()][];
      for (int j = 0; j < stacks[i].length; j++) {
        long layer = numbers.next(), kind = numbers.next();
        stacks[i][j] = new long[] {layer, kind, numbers.signed(), numbers.signed(), numbers.signed(), numbers.signed()};
      }
    }
    int count = numbers.count();
    int[] chosen = new int[count];
    for (int i = 0; i < count; i++) {
      chosen[i] = (int) numbers.next();
      if (chosen[i] < 0 || chosen[i] >= stacks.length) throw damaged("taps name a stack that is not there");
    }
    long[] xs = numbers.steps(count), ys = numbers.steps(count), features = numbers.steps(count);
    for (int i = 0; i < count; i++) {
      long layer = 0;
      for (long[] print : stacks[chosen[i]]) layer = Math.max(layer, print[0]);
      symbols.add(new Symbol(xs[i] / 16.0, ys[i] / 16.0, layer, named(features[i])));
      for (long[] print : stacks[chosen[i]]) {
        boolean isOnPixel = (print[1] & 2) != 0;
        double x = isOnPixel ? xs[i] >> 4 : xs[i] / 16.0, y = isOnPixel ? ys[i] >> 4 : ys[i] / 16.0;
        prints.add(new Print(print[0], (print[1] & 1) != 0,
            x + print[2] / 256.0, y + print[3] / 256.0, x + print[4] / 256.0, y + print[5] / 256.0, named(features[i])));
      }
    }
    readShapes(numbers);
  }

  private void readIdentifiers(Numbers numbers) {
    identifiers = new long[numbers.count()];
    for (int i = 0; i < identifiers.length; i++) {
      identifiers[i] = numbers.after(i == 0 ? 0 : identifiers[i - 1], false);
      if (i > 0 && identifiers[i] == identifiers[i - 1]) throw damaged("the identifiers of taps do not ascend");
    }
  }

  private long named(long feature) {
    if (identifiers == null) return feature;
    if (feature < 0 || feature >= identifiers.length) throw damaged("taps name a feature that is not listed");
    return identifiers[(int) feature];
  }

  private void readShapes(Numbers numbers) {
    long tile = 0, feature = 0, x = 0, y = 0;
    for (int left = numbers.count(); left > 0; left--) {
      tile += numbers.next();
      long kind = numbers.next(), layer = numbers.next();
      feature += numbers.signed();
      double half = kind > 2 ? numbers.next() / 256.0 : 0, gap = kind > 2 ? numbers.next() / 256.0 : 0;
      List<double[]> runs = new ArrayList<>();
      for (int runsLeft = kind == 0 ? 0 : numbers.count(); runsLeft > 0; runsLeft--) {
        double[] run = new double[2 * numbers.count()];
        for (int i = 0; i < run.length; i += 2) {
          run[i] = (x += numbers.signed()) / 16.0;
          run[i + 1] = (y += numbers.signed()) / 16.0;
        }
        if (run.length > 0) runs.add(run);
      }
      List<Shape> own = shapes.get(tile);
      if (own == null) shapes.put(tile, own = new ArrayList<>());
      own.add(new Shape(kind, layer, named(feature), half, gap, runs));
    }
  }

  /** The identifier of the feature that answers at a place; null if nothing does. {@code tile} is the place's tile in the block. */
  Long feature(int tile, double x, double y) {
    if ((tiles[tile >> 3] >> (tile & 7) & 1) == 0) return null;
    long layer = -1, rank = 0;
    Long answer = null;
    for (Print print : prints) {
      if (print.layer >= layer && print.contains(x, y)) {
        layer = print.layer;
        answer = print.feature;
      }
    }
    for (Shape shape : shapes.containsKey((long) tile) ? shapes.get((long) tile) : Collections.<Shape>emptyList()) {
      if (shape.layer < layer || (shape.layer == layer && shape.rank() < rank) || !shape.contains(x, y)) continue;
      layer = shape.layer;
      rank = shape.rank();
      answer = shape.feature;
    }
    return answer;
  }

  /** The identifiers of all that answers here. */
  Set<Long> features() {
    Set<Long> all = new HashSet<>();
    for (Symbol symbol : symbols) all.add(symbol.feature);
    for (List<Shape> some : shapes.values()) for (Shape shape : some) all.add(shape.feature);
    return all;
  }

  List<Rectangle> rectangles() {
    List<Rectangle> all = new ArrayList<>();
    for (Map.Entry<Long, List<Shape>> one : shapes.entrySet()) {
      int tile = (int) (long) one.getKey(), west = tile & 7, north = tile >> 3;
      if (tile > 63 || (tiles[tile >> 3] >> (tile & 7) & 1) == 0) continue;
      for (Shape shape : one.getValue()) {
        boolean isWhole = shape.kind == 0;
        double left = isWhole ? west : Double.POSITIVE_INFINITY, top = isWhole ? north : Double.POSITIVE_INFINITY;
        double right = isWhole ? west + 1 : Double.NEGATIVE_INFINITY, bottom = isWhole ? north + 1 : Double.NEGATIVE_INFINITY;
        for (double[] run : shape.runs) {
          for (int i = 0; i < run.length; i += 2) {
            left = Math.min(left, run[i] / side);
            top = Math.min(top, run[i + 1] / side);
            right = Math.max(right, run[i] / side);
            bottom = Math.max(bottom, run[i + 1] / side);
          }
        }
        double wide = shape.kind == 2 ? 1 / side : 0;
        left = Math.max(left, west);
        top = Math.max(top, north);
        right = Math.min(right + wide, west + 1);
        bottom = Math.min(bottom + wide, north + 1);
        if (left <= right && top <= bottom) all.add(new Rectangle(left, top, right, bottom, shape.layer, shape.feature));
      }
    }
    return all;
  }

  private static boolean isOdd(double[] run, double x, double y) {
    boolean isInside = false;
    double ax = run[run.length - 2], ay = run[run.length - 1];
    for (int i = 0; i < run.length; i += 2) {
      double bx = run[i], by = run[i + 1];
      if ((ay <= y) != (by <= y) && ax + (bx - ax) * (y - ay) / (by - ay) <= x) isInside = !isInside;
      ax = bx;
      ay = by;
    }
    return isInside;
  }

  private static double distance(double[] run, double x, double y) {
    double least = Double.POSITIVE_INFINITY, ax = run[0], ay = run[1];
    for (int i = 0; i < run.length; i += 2) {
      double dx = run[i] - ax, dy = run[i + 1] - ay, length = dx * dx + dy * dy;
      double share = length > 0 ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1) : 0;
      least = Math.min(least, Math.hypot(x - ax - share * dx, y - ay - share * dy));
      ax = run[i];
      ay = run[i + 1];
    }
    return least;
  }

  static QuadrilleException damaged(String text) {
    return new QuadrilleException(QuadrilleException.Kind.damaged, text);
  }

  /** The bytes of a zlib stream. */
  static byte[] inflate(byte[] data) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(data);
      ByteArrayOutputStream all = new ByteArrayOutputStream(data.length * 4);
      byte[] part = new byte[1 << 16];
      while (!inflater.finished()) {
        int count = inflater.inflate(part);
        if (count == 0) throw damaged("taps end too early");
        all.write(part, 0, count);
        if (all.size() > LIMIT) throw damaged("taps are too long");
      }
      return all.toByteArray();
    } catch (DataFormatException error) {
      throw damaged("taps: " + error.getMessage());
    } finally {
      inflater.end();
    }
  }

  /** A zlib stream of bytes. */
  static byte[] deflate(byte[] data) {
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(data);
      deflater.finish();
      ByteArrayOutputStream all = new ByteArrayOutputStream(data.length / 2);
      byte[] part = new byte[1 << 16];
      while (!deflater.finished()) all.write(part, 0, deflater.deflate(part));
      return all.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /** Numbers of seven bits per byte, the lowest first; an odd signed one is negative. */
  static final class Numbers {
    private final byte[] data;
    private int at;

    Numbers(byte[] data) {
      this.data = data;
    }

    boolean isAtEnd() {
      return at >= data.length;
    }

    long next() {
      return next(5);
    }

    private long next(int bytes) {
      long value = 0;
      for (int shift = 0; shift < 7 * bytes; shift += 7) {
        if (isAtEnd()) throw damaged("taps end too early");
        byte read = data[at++];
        value |= (long) (read & 127) << shift;
        if (read >= 0) return value;
      }
      throw damaged("a number of taps is too long");
    }

    long signed() {
      return signed(next());
    }

    private static long signed(long value) {
      return (value & 1) == 0 ? value / 2 : -(value + 1) / 2;
    }

    /** The identifier that is so much greater than another one. */
    long after(long identifier, boolean isSigned) {
      long step = next(8), next = identifier + (isSigned ? signed(step) : step);
      if (next < 0 || next >= 1L << 53) throw damaged("taps have an identifier that cannot be");
      return next;
    }

    /** A count of things of which each takes a byte or more. */
    int count() {
      return count(0);
    }

    /** A count of things, of which a number stands for none. */
    int count(int zero) {
      long value = next() - zero;
      if (value > data.length - at) throw damaged("taps have no room for what they count");
      return (int) value;
    }

    byte[] take(long count) {
      if (count > data.length - at) throw damaged("taps end too early");
      byte[] taken = java.util.Arrays.copyOfRange(data, at, at + (int) count);
      at += (int) count;
      return taken;
    }

    long[] steps(int count) {
      long[] values = new long[count];
      long last = 0;
      for (int i = 0; i < count; i++) values[i] = last += signed();
      return values;
    }
  }
}
