package quadrille;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** An archive: tiles, taps, search, legend and digest, as docs/archive.md and docs/taps.md describe them. Not for several threads. */
public final class Archive implements AutoCloseable {
  /** A stored tile, and the part of it to draw in shares of the tile: all of it up to the last zoom. */
  public record Tile(int z, int x, int y, double left, double top, double side, byte[] data) {}

  /** Where a cluster comes apart: west, south, east and north in degrees. */
  public record ClusterView(int zoom, double[] box) {}

  /** What a zoom shows somewhere: a feature, or a cluster of {@code count}; {@code layer} is the topmost, counted from the back. */
  public record Shown(String key, double lng, double lat, long count, long layer, Map<String, Object> fields) {}

  /** What a map keeps, adds and removes when it goes from one zoom to another. */
  public record Changes(List<Shown> keep, List<Shown> add, List<Shown> remove) {}

  /** The legend beside the archive, and its image in PNG. */
  public record Legend(Map<String, Object> value, byte[] image) {}

  public final File path;
  public final Map<String, String> metadata = new HashMap<>();
  public final int minzoom, maxzoom, density;
  /** {@code utfgrid}, {@code compact} or null. */
  public final String taps;
  final Database database;
  private final Database.Opener opener;
  private final Map<String, Block> blocks = kept();
  private final Map<Long, Map<Long, Entry>> pages = kept();
  /** SQLite's number for the state of the file that these are of. */
  private Object version;

  public Archive(File path, Database.Opener opener) {
    this(path, opened(path, opener), opener);
  }

  private static Database opened(File path, Database.Opener opener) {
    if (!path.exists()) throw new QuadrilleException(QuadrilleException.Kind.missing, path.toString());
    InPlace.restore(path, opener);
    return opener.open(path, false);
  }

  /** Over a database that is open. */
  Archive(File path, Database database, Database.Opener opener) {
    this.path = path;
    this.opener = opener;
    this.database = database;
    Set<Object> tables = new HashSet<>();
    for (Object[] row : database.rows("SELECT name FROM sqlite_master")) tables.add(row[0]);
    if (!tables.contains("metadata") || !tables.contains("tiles")) {
      throw new QuadrilleException(QuadrilleException.Kind.notAnArchive, path.toString());
    }
    for (Object[] row : database.rows("SELECT name, value FROM metadata")) metadata.put(String.valueOf(row[0]), String.valueOf(row[1]));
    minzoom = number("minzoom");
    maxzoom = number("maxzoom");
    density = metadata.containsKey("scale") ? number("scale") : 1;
    taps = tables.contains("taps") ? "compact" : tables.contains("grids") ? "utfgrid" : null;
  }

  private int number(String name) {
    try {
      return Integer.parseInt(metadata.get(name));
    } catch (NumberFormatException error) {
      throw Block.damaged("no " + name);
    }
  }

  /** The archive of a density if it lies beside this one, else this one. */
  public Archive at(int density) {
    File other = beside("@" + density + "x.mbtiles");
    return this.density == 1 && density > 1 && other.exists() ? new Archive(other, opener) : this;
  }

  private File beside(String suffix) {
    return new File(path.getParentFile(), base(path) + suffix);
  }

  static String base(File path) {
    return path.getName().replaceFirst("\\.[^.]*$", "");
  }

  /** Work that ends with an answer; Android's own type for it came later. */
  interface Work<Answer> {
    Answer get();
  }

  /** Whatever an archive holds in place of what has to be there is an error of the archive. */
  private static <Answer> Answer checked(Work<Answer> work) {
    try {
      return work.get();
    } catch (ClassCastException | IllegalArgumentException | IndexOutOfBoundsException | NullPointerException error) {
      throw Block.damaged(error.toString());
    }
  }

  /** Several queries that see one state of the archive, whatever an update does meanwhile. */
  private <Answer> Answer reading(Work<Answer> work) {
    database.run("BEGIN");
    try {
      // The first query begins to hold the state.
      database.rows("PRAGMA schema_version");
      Object now = database.value("PRAGMA data_version");
      if (!now.equals(version)) {
        blocks.clear();
        pages.clear();
        version = now;
      }
      return checked(work);
    } finally {
      database.run("COMMIT");
    }
  }

  /** What to draw at z/x/y, y from the north; null for nothing. */
  public Tile tile(int z, int x, int y) {
    return checked(() -> part(z, x, y));
  }

  private Tile part(int z, int x, int y) {
    if (z < minzoom || z > 31 || x < 0 || y < 0 || x >= 1L << z || y >= 1L << z) return null;
    int up = Math.max(z - maxzoom, 0), mask = (int) ((1L << up) - 1);
    double side = Math.scalb(1.0, -up), left = (x & mask) * side, top = (y & mask) * side;
    z -= up;
    x >>= up;
    y >>= up;
    String sql = "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?";
    byte[] data = (byte[]) database.value(sql, z, x, (1 << z) - 1 - y);
    return data == null ? null : new Tile(z, x, y, left, top, side, data);
  }

  /** The legend; null without one. */
  @SuppressWarnings("unchecked")
  public Legend legend() {
    File text = beside(".legend.json"), image = beside(".legend.png");
    try {
      if (!text.exists()) return null;
      return new Legend((Map<String, Object>) Json.parse(Json.read(text)), Disk.read(image));
    } catch (IOException error) {
      throw new QuadrilleException(QuadrilleException.Kind.missing, error.toString());
    }
  }

  /** The entry of what is shown at a place; its member {@code id} is the key. Null where nothing answers. */
  public Map<String, Object> tap(double lng, double lat, double zoom) {
    return reading(() -> answer(lng, lat, zoom));
  }

  private Map<String, Object> answer(double lng, double lat, double zoom) {
    int z = (int) Math.min(Math.floor(zoom), maxzoom);
    if (taps == null || z < minzoom || Math.abs(lat) >= 90) return null;
    double size = Math.scalb(1.0, z), x = Box.tiles(lng, lat, z)[0], y = Box.tiles(lng, lat, z)[1];
    if (x < 0 || x >= size || y < 0 || y >= size) return null;
    int column = (int) x, row = (int) y, tms = (1 << z) - 1 - row;
    if (taps.equals("utfgrid")) {
      String sql = "SELECT grid FROM grids WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?";
      byte[] grid = (byte[]) database.value(sql, z, column, tms);
      String key = grid == null ? "" : gridKey(grid, x - column, y - row);
      return key.isEmpty() ? null : found(key);
    }
    Block block = block(z, column >> 3, tms >> 3);
    if (block == null) return null;
    Long feature = block.feature((row & 7) * 8 + (column & 7), (x - (column & ~7)) * block.side, (y - (row & ~7)) * block.side);
    return feature == null ? null : entry(feature);
  }

  /**
   * What a zoom shows in a box, the nearest to its middle first, at most {@code limit}; one whose west is greater than its east crosses
   * the antimeridian.
   */
  public List<Shown> entries(double west, double south, double east, double north, double zoom, int limit) {
    return entries(Collections.singletonList(this), west, south, east, north, (int) Math.min(Math.floor(zoom), maxzoom), limit);
  }

  /** What archives of one map show in a box at a zoom that they have. */
  static List<Shown> entries(List<Archive> archives, double west, double south, double east, double north, int z, int limit) {
    List<Archive> having = new ArrayList<>();
    for (Archive archive : archives) {
      if (!"compact".equals(archive.taps)) {
        String text = archive.path + " has no compact taps: build it with 'interactivity: {format: compact}'";
        throw new QuadrilleException(QuadrilleException.Kind.noPlaces, text);
      }
      if (z >= archive.minzoom) having.add(archive);
    }
    if (having.isEmpty() || south > north) return new ArrayList<>();
    Work<List<Shown>> work = () -> shown(having, new Box(west, south, east, north, z), z, limit);
    for (Archive archive : having) {
      Work<List<Shown>> inner = work;
      work = () -> archive.reading(inner);
    }
    return checked(work);
  }

  private static List<Shown> shown(List<Archive> archives, Box box, int z, int limit) {
    for (int[] place : box.blocks()) {
      for (Archive archive : archives) {
        Block block = archive.block(z, place[0], ((1 << z) - 1 - (place[1] << 3)) >> 3);
        if (block != null) box.add(place[0], place[1], block);
      }
    }
    List<Box.Found> found = box.found();
    if (found.size() > limit) found = found.subList(0, limit);
    // Neighbours by identifier share a page.
    Map<Long, Map<String, Object>> fields = new TreeMap<>();
    for (Box.Found one : found) fields.put(one.feature, null);
    for (Map.Entry<Long, Map<String, Object>> one : fields.entrySet()) {
      for (Archive archive : archives) if (one.getValue() == null) one.setValue(archive.entry(one.getKey()));
    }
    List<Shown> shown = new ArrayList<>();
    for (Box.Found one : found) {
      Map<String, Object> entry = fields.get(one.feature);
      if (entry == null) continue;
      long count = Boolean.TRUE.equals(entry.get("cluster")) ? ((Number) entry.get("point_count")).longValue() : 1;
      double[] place = one.place();
      shown.add(new Shown((String) entry.get("id"), box.longitude(place), box.latitude(place), count, one.layer, entry));
    }
    return shown;
  }

  /** The entries of a box to keep and to add when a map goes from one zoom to another, and those to remove. */
  public Changes changes(double from, double to, double west, double south, double east, double north, int limit) {
    return changes(entries(west, south, east, north, from, limit), entries(west, south, east, north, to, limit));
  }

  static Changes changes(List<Shown> before, List<Shown> after) {
    Set<String> old = keys(before), now = keys(after);
    Changes changes = new Changes(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (Shown one : after) (old.contains(one.key()) ? changes.keep : changes.add).add(one);
    for (Shown one : before) if (!now.contains(one.key())) changes.remove.add(one);
    return changes;
  }

  private static Set<String> keys(List<Shown> entries) {
    Set<String> keys = new HashSet<>();
    for (Shown one : entries) keys.add(one.key());
    return keys;
  }

  private static String gridKey(byte[] data, double x, double y) {
    Map<String, Object> grid = parsed(new String(Block.inflate(data), StandardCharsets.UTF_8));
    List<?> rows = (List<?>) grid.get("grid"), keys = (List<?>) grid.get("keys");
    String row = (String) rows.get((int) (y * rows.size()));
    int code = row.codePointAt(row.offsetByCodePoints(0, (int) (x * row.codePointCount(0, row.length()))));
    return (String) keys.get(code - (code >= 93 ? 1 : 0) - (code >= 35 ? 1 : 0) - 32);
  }

  private Block block(int z, int column, int row) {
    String place = z + "/" + column + "/" + row;
    Block block = blocks.get(place);
    if (block == null) {
      String sql = "SELECT block_data FROM taps WHERE zoom_level = ? AND block_column = ? AND block_row = ?";
      byte[] data = (byte[]) database.value(sql, z, column, row);
      if (data == null) return null;
      block = new Block(data);
      blocks.put(place, block);
    }
    return block;
  }

  private Map<String, Object> entry(long feature) {
    Entry found = pieces(feature);
    return found == null ? null : whole(found);
  }

  /** The JSON of an entry, with the members of a cluster. */
  private Map<String, Object> whole(Entry entry) {
    List<Entry> members = new ArrayList<>();
    for (long member : entry.members() == null ? new long[0] : entry.members()) {
      Entry found = pieces(member);
      if (found == null) throw Block.damaged("no entry of the member " + member);
      members.add(found);
    }
    return parsed(entry.json(members));
  }

  private Entry pieces(long feature) {
    Object first = database.value("SELECT max(first_feature) FROM tap_entries WHERE first_feature <= ?", feature);
    return first == null ? null : page((Long) first).get(feature);
  }

  private Map<Long, Entry> page(long first) {
    Map<Long, Entry> page = pages.get(first);
    if (page == null) {
      byte[] data = (byte[]) database.value("SELECT entry_data FROM tap_entries WHERE first_feature = ?", first);
      page = Entry.page(Block.inflate(data), first);
      pages.put(first, page);
    }
    return page;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> parsed(String text) {
    return text == null ? null : (Map<String, Object>) Json.parse(text);
  }

  /** The entry of a key; null if there is none. In compact taps this reads all entries. */
  public Map<String, Object> search(String key) {
    return reading(() -> found(key));
  }

  private Map<String, Object> found(String key) {
    if (taps == null) return null;
    if (taps.equals("utfgrid")) return parsed((String) database.value("SELECT key_json FROM keymap WHERE key_name = ?", key));
    for (Object[] row : database.rows("SELECT first_feature FROM tap_entries")) {
      for (Entry entry : page((Long) row[0]).values()) {
        // Entries of the first format have the key among their fields.
        if (!entry.key().equals(key) && !(entry.key().isEmpty() && entry.fields().contains(key))) continue;
        Map<String, Object> found = whole(entry);
        if (key.equals(found.get("id"))) return found;
      }
    }
    return null;
  }

  /** Where a cluster comes apart; null if the entry is no cluster's. */
  public static ClusterView clusterView(Map<String, Object> entry) {
    if (entry == null || !Boolean.TRUE.equals(entry.get("cluster"))) return null;
    List<?> edges = (List<?>) entry.get("bbox");
    double[] box = new double[edges.size()];
    for (int i = 0; i < box.length; i++) box[i] = ((Number) edges.get(i)).doubleValue();
    return new ClusterView(((Number) entry.get("expansion_zoom")).intValue(), box);
  }

  /** Computes the digest of all tiles, which has to be that of the metadata, and returns it. */
  public String verify() {
    return checked(this::computed);
  }

  private String computed() {
    String digest = digest(database);
    if (!digest.equals(metadata.get("quadrille:digest"))) throw Block.damaged("the tiles are not those of the digest");
    return digest;
  }

  /** The digest of all tiles. */
  static String digest(Database database) {
    record Place(int z, long order, long x, long y) implements Comparable<Place> {
      @Override
      public int compareTo(Place other) {
        return z == other.z ? Long.compare(order, other.order) : Integer.compare(z, other.z);
      }
    }
    // Tiles by quadkey, in blocks by zoom and quadkey.
    TreeMap<Place, TreeMap<Long, byte[]>> blocks = new TreeMap<>();
    for (Object[] row : database.rows("SELECT zoom_level, tile_column, tile_row FROM tiles")) {
      int z = ((Long) row[0]).intValue();
      long x = (Long) row[1], y = (1L << z) - 1 - (Long) row[2];
      String sql = "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?";
      byte[] hash = sha256((byte[]) database.value(sql, z, x, row[2]));
      byte[] name = (z + "/" + x + "/" + y + "\n").getBytes(StandardCharsets.US_ASCII);
      Place block = new Place(z, quadkey(x >> 6, y >> 6), x >> 6, y >> 6);
      if (!blocks.containsKey(block)) blocks.put(block, new TreeMap<>());
      blocks.get(block).put(quadkey(x, y), joined(name, hash));
    }
    MessageDigest root = sha256();
    for (Map.Entry<Place, TreeMap<Long, byte[]>> one : blocks.entrySet()) {
      Place block = one.getKey();
      root.update((block.z + "/" + block.x + "/" + block.y + "\n").getBytes(StandardCharsets.US_ASCII));
      MessageDigest hash = sha256();
      for (byte[] tile : one.getValue().values()) hash.update(tile);
      root.update(hash.digest());
    }
    return hex(root.digest());
  }

  /** The digest of all that answers taps (docs/taps.md). */
  static String tapsDigest(Database database) {
    MessageDigest digest = sha256();
    String[] questions = {
      "SELECT zoom_level, block_column, block_row, block_data FROM main.taps ORDER BY 1, 2, 3",
      "SELECT first_feature, entry_data FROM main.tap_entries ORDER BY 1"
    };
    for (String question : questions) {
      for (Object[] row : database.rows(question)) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < row.length - 1; i++) name.append(i == 0 ? "" : "/").append(row[i]);
        byte[] data = (byte[]) row[row.length - 1];
        digest.update((name + ":" + data.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(data);
      }
    }
    return hex(digest.digest());
  }

  static long quadkey(long x, long y) {
    long key = 0;
    for (int bit = 0; bit < 22; bit++) key |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << 2 * bit + 1;
    return key;
  }

  private static byte[] joined(byte[] a, byte[] b) {
    byte[] all = java.util.Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    return all;
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
  }

  static byte[] sha256(byte[] data) {
    return sha256().digest(data);
  }

  static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte one : bytes) text.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
    return text.toString();
  }

  /** The last 64 values that were used. */
  private static <Key, Value> Map<Key, Value> kept() {
    return new LinkedHashMap<>(64, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Key, Value> eldest) {
        return size() > 64;
      }
    };
  }

  @Override
  public void close() {
    database.close();
  }
}
