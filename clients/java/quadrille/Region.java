package quadrille;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A box, zooms, and the state of the archive that they were taken from: the squares of tiles that these are, and the metadata of the
 * region, which are those that {@code quadrille extract} keeps.
 */
record Region(double[] box, int minzoom, int maxzoom, String digest, String taps) {
  private static final String ORIGIN = "quadrille:extract";
  /** Names that are written anew, or that a part of an archive does not have. */
  private static final List<String> OWN = Arrays.asList("bounds", "center", "minzoom", "maxzoom", "agg_tiles_hash", "scheme");
  private static final double MAX_LATITUDE = 85.05112877980659;
  private static final int MAX_ZOOM = 22;
  /** Tiles along a square, and the most squares of a region. */
  static final int SIDE = 8, SQUARES = 1 << 20;

  /** Tiles of a zoom; rows count from the north. */
  record Tiles(int zoom, long west, long east, long north, long south) {
    /** A row as archives count them, from the south. */
    long stored(long row) {
      return (1L << zoom) - 1 - row;
    }
  }

  static Region of(double[] box, int minzoom, int maxzoom, UpdateList.Entry archive) {
    int first = Math.min(Math.max(minzoom, 0), MAX_ZOOM), last = Math.min(Math.max(maxzoom, 0), MAX_ZOOM);
    return new Region(box, first, last, archive.text("digest"), (String) archive.members().get("taps"));
  }

  /** The region that an archive's metadata tell; null where they tell none. */
  static Region read(Map<String, String> told) {
    try {
      if (!(Json.parse(told.get(ORIGIN)) instanceof Map<?, ?> one) || !(one.get("box") instanceof List<?> edges) || edges.size() != 4) return null;
      double[] box = new double[4];
      for (int i = 0; i < 4; i++) box[i] = ((Number) edges.get(i)).doubleValue();
      long first = (Long) one.get("minzoom"), last = (Long) one.get("maxzoom");
      boolean isRight = one.get("digest") instanceof String && first >= 0 && first <= last && last <= MAX_ZOOM;
      return isRight ? new Region(box, (int) first, (int) last, (String) one.get("digest"), (String) one.get("taps")) : null;
    } catch (ClassCastException | IllegalArgumentException | NullPointerException error) {
      return null;
    }
  }

  boolean isOf(UpdateList.Entry archive) {
    return digest.equals(archive.text("digest")) && (taps == null ? "" : taps).equals(archive.text("taps"));
  }

  private static QuadrilleException tooLarge(String text) {
    return new QuadrilleException(QuadrilleException.Kind.tooLarge, text);
  }

  // Tiles

  /** The tiles of the region: at each zoom the squares of 8 × 8 that touch its box. */
  List<Tiles> squares() {
    boolean isBox = box[1] <= box[3] && minzoom <= maxzoom;
    for (double edge : box) isBox &= Math.abs(edge) <= Double.MAX_VALUE;
    if (!isBox) throw tooLarge("the box or the zooms of the region are none");
    double left = modulo(box[0] + 180) / 360, wide = box[2] - box[0] >= 360 ? 1 : modulo(box[2] - box[0]) / 360;
    double[][] edges = {{left, left + wide}};
    if (wide == 1) edges = new double[][] {{0, 1}};
    else if (left + wide > 1) edges = new double[][] {{left, 1}, {0, left + wide - 1}};
    List<Tiles> all = new ArrayList<>();
    long count = 0;
    for (int zoom = minzoom; zoom <= maxzoom; zoom++) {
      long n = 1L << zoom;
      long[] rows = span(share(box[3]), share(box[1]), n);
      List<long[]> columns = new ArrayList<>();
      for (double[] edge : edges) columns.add(span(edge[0], edge[1], n));
      if (columns.size() == 2 && columns.get(1)[1] >= columns.get(0)[0]) columns = Collections.singletonList(new long[] {0, n - 1});
      for (long[] one : columns) {
        all.add(new Tiles(zoom, one[0], one[1], rows[0], rows[1]));
        count += Math.max((one[1] - one[0] + 1) / SIDE, 1) * Math.max((rows[1] - rows[0] + 1) / SIDE, 1);
      }
    }
    if (count > SQUARES) {
      throw tooLarge("the region has " + count + " squares of 8 × 8 tiles, more than " + SQUARES + ": take a smaller box or fewer zooms");
    }
    return all;
  }

  private static double modulo(double degrees) {
    double rest = degrees % 360;
    return rest < 0 ? rest + 360 : rest;
  }

  private static long[] span(double first, double last, long n) {
    long start = Math.min((long) (first * n), n - 1) / SIDE * SIDE, end = Math.min((long) (last * n), n - 1) / SIDE * SIDE;
    return new long[] {start, Math.min(end + SIDE, n) - 1};
  }

  /** The number of the first tile of a zoom (docs/archive.md). */
  static long firstNumber(int zoom) {
    return ((1L << 2 * zoom) - 1) / 3 + 1;
  }

  /** The numbers of the rows of tiles, ascending: those of a square follow each other. */
  static List<RemoteArchive.Span> numbers(List<Tiles> tiles) {
    List<Long> starts = new ArrayList<>();
    for (Tiles one : tiles) {
      for (long row = one.north; row <= one.south; row += SIDE) {
        for (long column = one.west; column <= one.east; column += SIDE) starts.add(firstNumber(one.zoom) + Archive.quadkey(column, row));
      }
    }
    Collections.sort(starts);
    List<RemoteArchive.Span> spans = new ArrayList<>();
    for (long start : starts) {
      RemoteArchive.Span last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
      // A zoom of fewer tiles than a square has is followed by the next one: 1, 4, 16 and then squares of 64.
      long end = start + (start == 1 ? 0 : start == 2 ? 3 : start == 6 ? 15 : SIDE * SIDE - 1);
      if (last != null && last.last() + 1 == start) spans.set(spans.size() - 1, new RemoteArchive.Span(last.first(), end));
      else spans.add(new RemoteArchive.Span(start, end));
    }
    return spans;
  }

  // Metadata

  /**
   * All rows of the metadata, name and value: {@code source} are those of the archive, {@code state} the digest of the region and that of
   * its taps, null without, and {@code extents} its tiles at each zoom.
   */
  List<String[]> metadata(List<String[]> source, String[] state, List<Tiles> extents) {
    double[] bounds = bounds(value(source, "bounds"), extents);
    int first = extents.get(0).zoom, last = extents.get(extents.size() - 1).zoom;
    List<String[]> rows = new ArrayList<>();
    for (String[] row : source) if (!OWN.contains(row[0]) && !row[0].startsWith("quadrille:")) rows.add(row);
    rows.add(row("bounds", degrees(bounds[0]) + "," + degrees(bounds[1]) + "," + degrees(bounds[2]) + "," + degrees(bounds[3])));
    rows.add(row("center", center(value(source, "center"), bounds, first, last)));
    rows.add(row("minzoom", String.valueOf(first)));
    rows.add(row("maxzoom", String.valueOf(last)));
    rows.add(row("quadrille:digest", state[0]));
    if (value(source, "quadrille:version") != null) rows.add(row("quadrille:version", value(source, "quadrille:version")));
    rows.add(row(ORIGIN, json(value(source, "name"))));
    if (state[1] != null) rows.add(row("quadrille:taps", state[1]));
    MessageDigest seal = Archive.sha256();
    for (String[] row : rows) {
      for (String text : row[0].equals("quadrille:digest") ? new String[0] : row) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        seal.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        seal.update(bytes);
      }
    }
    rows.add(row("quadrille:seal", Archive.hex(seal.digest())));
    return rows;
  }

  private static String[] row(String name, String value) {
    return new String[] {name, value};
  }

  private static String value(List<String[]> rows, String name) {
    for (String[] row : rows) if (row[0].equals(name)) return row[1];
    return null;
  }

  /** JSON with its members in the order of their names, and numbers in the fewest digits. */
  private String json(String name) {
    StringBuilder text = new StringBuilder("{\"box\":[");
    for (int i = 0; i < box.length; i++) text.append(i == 0 ? "" : ",").append(shortest(box[i]));
    text.append("],\"digest\":\"").append(digest).append("\",\"maxzoom\":").append(maxzoom).append(",\"minzoom\":").append(minzoom);
    if (name != null) text.append(",\"name\":").append(Json.quoted(name));
    if (taps != null) text.append(",\"taps\":\"").append(taps).append('"');
    return text.append('}').toString();
  }

  /** The fewest digits that name a number; {@code Double.toString} of most Java has more at times. */
  static String shortest(double value) {
    if (value == 0) return 1 / value < 0 ? "-0" : "0";
    int count = 1;
    while (count < 17 && rounded(value, count).doubleValue() != value) count++;
    BigDecimal digits = rounded(value, count).stripTrailingZeros();
    if (Math.abs(value) >= 1e-4) return digits.toPlainString();
    int exponent = digits.scale() - digits.precision() + 1;
    String text = digits.scaleByPowerOfTen(exponent).toPlainString();
    return text + "e-" + (exponent < 10 ? "0" : "") + exponent;
  }

  private static BigDecimal rounded(double value, int digits) {
    return new BigDecimal(value).round(new MathContext(digits));
  }

  /** The part of the archive's bounds that is in the region, or a larger box that reaches into each tile: readers ask for no others. */
  private double[] bounds(String told, List<Tiles> extents) {
    double west = box[0], south = box[1], east = box[2], north = box[3];
    if (west > east || east > 180 || west < -180) {
      west = -180;
      east = 180;
    }
    Double[] stored = numbers(told);
    if (stored.length == 4 && !Arrays.asList(stored).contains(null)) {
      double[] part = {Math.max(west, stored[0]), Math.max(south, stored[1]), Math.min(east, stored[2]), Math.min(north, stored[3])};
      if (part[0] <= part[2] && part[1] <= part[3]) {
        west = part[0];
        south = part[1];
        east = part[2];
        north = part[3];
      }
    }
    south = Math.min(Math.max(south, -MAX_LATITUDE), MAX_LATITUDE);
    north = Math.min(Math.max(north, -MAX_LATITUDE), MAX_LATITUDE);
    for (Tiles one : extents) {
      double n = 1L << one.zoom;
      // A quarter of a tile is enough to reach into it.
      west = Math.min(west, (one.west + 0.75) / n * 360 - 180);
      east = Math.max(east, (one.east + 0.25) / n * 360 - 180);
      north = Math.max(north, latitude((one.north + 0.75) / n));
      south = Math.min(south, latitude((one.south + 0.25) / n));
    }
    return new double[] {west, south, east, north};
  }

  private static String center(String told, double[] bounds, int first, int last) {
    double lng = (bounds[0] + bounds[2]) / 2, lat = (bounds[1] + bounds[3]) / 2;
    List<Double> numbers = new ArrayList<>();
    for (Double one : numbers(told)) if (one != null) numbers.add(one);
    if (numbers.size() >= 2 && numbers.get(0) >= bounds[0] && numbers.get(0) <= bounds[2] && numbers.get(1) >= bounds[1] && numbers.get(1) <= bounds[3]) {
      lng = numbers.get(0);
      lat = numbers.get(1);
    }
    double wide = Math.max((bounds[2] - bounds[0]) / 360, share(bounds[1]) - share(bounds[3]));
    int zoom = 0;
    while (zoom < MAX_ZOOM && wide * (256L << zoom + 1) <= 1024) zoom++;
    return degrees(lng) + "," + degrees(lat) + "," + Math.min(Math.max(zoom, first), last);
  }

  /** The numbers of a text between commas; null for what is none. */
  private static Double[] numbers(String text) {
    String[] parts = text == null ? new String[0] : text.split(",", -1);
    Double[] numbers = new Double[parts.length];
    for (int i = 0; i < parts.length; i++) {
      try {
        numbers[i] = Double.valueOf(parts[i].trim());
      } catch (NumberFormatException error) {
        numbers[i] = null;
      }
    }
    return numbers;
  }

  /** The place of a latitude on the square of Web Mercator, from 0 in the north to 1. */
  private static double share(double lat) {
    double sine = Math.sin(Math.min(Math.max(lat, -MAX_LATITUDE), MAX_LATITUDE) * (Math.PI / 180));
    return Math.min(Math.max(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI), 0), Math.nextAfter(1.0, 0));
  }

  private static double latitude(double y) {
    return Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;
  }

  /** Degrees with at most seven decimals. */
  private static String degrees(double value) {
    long units = (long) Math.floor(Math.abs(value) * 1e7 + 0.5);
    String text = BigDecimal.valueOf(units, 7).stripTrailingZeros().toPlainString();
    return units == 0 ? "0" : value < 0 ? "-" + text : text;
  }
}
