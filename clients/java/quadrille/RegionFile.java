package quadrille;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A region under construction: a part of an archive in its layout, that its chunks on the server, or deltas, are copied into. */
final class RegionFile implements AutoCloseable {
  private static final String INSIDE = "EXISTS (SELECT 1 FROM temp.region AS part WHERE part.zoom = %1$s.zoom_level"
      + " AND %1$s.%2$s BETWEEN part.west AND part.east AND %1$s.%3$s BETWEEN part.south AND part.north)";
  private final Database database;
  private final List<Region.Tiles> tiles;
  private final RemoteArchive remote;
  private final boolean isNew, hasTaps;
  /** The table of tiles. */
  private final String table;

  /** {@code isNew}: whether it has no rows yet. */
  RegionFile(File path, Database.Opener opener, List<Region.Tiles> tiles, RemoteArchive remote, boolean isNew) {
    this.tiles = tiles;
    this.remote = remote;
    this.isNew = isNew;
    database = opener.open(path, true);
    Set<Object> tables = new HashSet<>();
    for (Object[] row : database.rows("SELECT name FROM main.sqlite_master WHERE type = 'table'")) tables.add(row[0]);
    table = tables.contains("map") ? "map" : "tiles";
    hasTaps = tables.contains("taps");
    // A page of a delta has other entries than one of the region with the same first one.
    database.run("CREATE TEMP TABLE entries (first_feature, entry_data)");
    database.run("CREATE TEMP TABLE region (zoom INTEGER, west INTEGER, east INTEGER, south INTEGER, north INTEGER)");
    for (Region.Tiles one : tiles) {
      database.run("INSERT INTO temp.region VALUES (?, ?, ?, ?, ?)",
          (long) one.zoom(), one.west(), one.east(), one.stored(one.south()), one.stored(one.north()));
    }
  }

  /** Creates an empty file with the tables of an archive. */
  static void create(File path, RemoteArchive remote, Database.Opener opener) throws IOException {
    if (remote.items.containsKey("grid_utfgrid")) {
      throw new QuadrilleException(QuadrilleException.Kind.notAnArchive, remote.name + ": regions of archives with UTFGrid taps are not made");
    }
    Disk.write(path, new byte[0]);
    try (Database database = opener.open(path, true)) {
      database.run("PRAGMA page_size = " + remote.pageSize);
      database.run("PRAGMA journal_mode = DELETE");
      database.run("PRAGMA application_id = 1297105496");
      database.run("BEGIN");
      for (String type : new String[] {"table", "view", "index"}) {
        for (RemoteArchive.Item item : remote.items.values()) if (item.type().equals(type)) database.run(item.statement());
      }
      database.run("COMMIT");
    }
  }

  void run(String sql) {
    database.run(sql);
  }

  @Override
  public void close() {
    database.close();
  }

  // Rows of the archive

  private void insert(List<RemoteArchive.Row> rows, String table, int columns) {
    StringBuilder names = new StringBuilder("rowid"), places = new StringBuilder("?");
    for (Object[] column : database.rows("PRAGMA main.table_info(" + table + ")").subList(0, columns)) {
      names.append(", ").append(column[1]);
      places.append(", ?");
    }
    String sql = "INSERT OR REPLACE INTO main." + table + " (" + names + ") VALUES (" + places + ")";
    // After deltas the numbers of images may be taken.
    boolean isNumbered = table.equals("map") || table.equals("tiles") || (table.equals("images") && isNew);
    for (RemoteArchive.Row row : rows) {
      if (row.values().length < columns) throw Block.damaged("a row of " + table + " is too short");
      Object[] values = new Object[columns + 1];
      values[0] = isNumbered ? Long.valueOf(row.number()) : null;
      System.arraycopy(row.values(), 0, values, 1, columns);
      database.run(sql, values);
    }
  }

  /** Copies the tiles of the region and the blocks of its taps; images and entries are missing then. */
  void copyTiles() throws IOException {
    insert(remote.rows(remote.root(table), Region.numbers(tiles)), table, 4);
    if (!hasTaps) return;
    List<RemoteArchive.Keys> keys = new ArrayList<>();
    for (Region.Tiles one : tiles) {
      for (long column = one.west() >> 3; column <= one.east() >> 3; column++) {
        Object[] first = {(long) one.zoom(), column, one.stored(one.south()) >> 3}, last = {(long) one.zoom(), column, one.stored(one.north()) >> 3};
        keys.add(new RemoteArchive.Keys(first, last));
      }
    }
    copy("taps", 4, keys);
  }

  /** Copies the rows of a table to which the entries of its index lead. */
  private void copy(String table, int columns, List<RemoteArchive.Keys> keys) throws IOException {
    Set<Long> numbers = new TreeSet<>();
    for (Object[] entry : remote.entries(remote.root(table + "_index"), keys)) {
      if (entry.length > 0 && entry[entry.length - 1] instanceof Long number) numbers.add(number);
    }
    insert(remote.rows(remote.root(table), spans(numbers)), table, columns);
  }

  private static List<RemoteArchive.Span> spans(Set<Long> numbers) {
    List<RemoteArchive.Span> spans = new ArrayList<>();
    for (long number : numbers) spans.add(new RemoteArchive.Span(number, number));
    return spans;
  }

  // What is missing

  /** Copies all that the tiles and blocks need and the file does not have, and removes what they do not need. */
  void complete() throws IOException {
    closeGaps();
    if (table.equals("map")) completeImages();
    if (hasTaps) completeEntries();
  }

  /** Takes a tile from elsewhere for each zoom between others that has none, which readers refuse. */
  private void closeGaps() throws IOException {
    database.run("DELETE FROM main." + table + " WHERE NOT " + String.format(INSIDE, table, "tile_column", "tile_row"));
    Set<Long> zooms = new TreeSet<>();
    for (Object[] row : database.rows("SELECT DISTINCT zoom_level FROM main." + table)) zooms.add((Long) row[0]);
    if (zooms.isEmpty()) throw new QuadrilleException(QuadrilleException.Kind.notAnArchive, "the archive has no tile in the region");
    long last = Collections.max(zooms);
    for (long zoom = Collections.min(zooms); zoom < last; zoom++) {
      if (zooms.contains(zoom)) continue;
      RemoteArchive.Span span = new RemoteArchive.Span(Region.firstNumber((int) zoom), Region.firstNumber((int) zoom + 1) - 1);
      insert(remote.first(remote.root(table), span, 0), table, 4);
    }
  }

  private void completeImages() throws IOException {
    database.run("DELETE FROM main.images WHERE tile_id NOT IN (SELECT tile_id FROM main.map)");
    // An image mostly has the number of the first tile that shows it.
    String missing = "FROM main.map WHERE tile_id NOT IN (SELECT tile_id FROM main.images)";
    Set<Long> numbers = new TreeSet<>();
    for (Object[] row : database.rows("SELECT min(rowid) " + missing + " GROUP BY tile_id")) numbers.add((Long) row[0]);
    if (numbers.isEmpty()) return;
    String question = "SELECT DISTINCT tile_id " + missing;
    Set<Object> known = new HashSet<>();
    for (Object[] row : database.rows(question)) known.add(row[0]);
    List<RemoteArchive.Row> found = new ArrayList<>();
    for (RemoteArchive.Row row : remote.rows(remote.root("images"), spans(numbers))) {
      if (row.values().length > 0 && known.contains(row.values()[0])) found.add(row);
    }
    insert(found, "images", 2);
    List<RemoteArchive.Keys> keys = new ArrayList<>();
    for (Object[] row : database.rows(question)) keys.add(new RemoteArchive.Keys(row, row));
    if (!keys.isEmpty()) copy("images", 2, keys);
    if (!database.rows(question).isEmpty()) throw Block.damaged("a tile has no image");
  }

  /** Writes the entries of all features that the blocks name, and of the members of clusters among them, on pages of their own. */
  private void completeEntries() throws IOException {
    Set<Long> wanted = new TreeSet<>();
    for (Object[] row : database.rows("SELECT block_data FROM main.taps")) wanted.addAll(new Block((byte[]) row[0]).features());
    Map<Long, Entry> held = new HashMap<>();
    for (String name : new String[] {"main.tap_entries", "temp.entries"}) {
      for (Object[] row : database.rows("SELECT first_feature, entry_data FROM " + name + " ORDER BY rowid")) {
        held.putAll(Entry.page(Block.inflate((byte[]) row[1]), (Long) row[0]));
      }
    }
    // The second time the members of clusters are known.
    for (int turn = 0; turn < 2; turn++) {
      for (Long feature : new ArrayList<>(wanted)) {
        Entry entry = held.get(feature);
        for (long member : entry == null || entry.members() == null ? new long[0] : entry.members()) wanted.add(member);
      }
      Set<Long> missing = new TreeSet<>(wanted);
      missing.removeAll(held.keySet());
      if (!missing.isEmpty()) held.putAll(entries(missing));
    }
    TreeMap<Long, Entry> all = new TreeMap<>();
    for (Long feature : wanted) {
      if (!held.containsKey(feature)) throw Block.damaged("the feature " + feature + " has no entry");
      all.put(feature, held.get(feature));
    }
    database.run("DELETE FROM main.tap_entries");
    for (Map.Entry<Long, byte[]> page : Entry.pages(all).entrySet()) {
      database.run("INSERT INTO main.tap_entries (first_feature, entry_data) VALUES (?, ?)", page.getKey(), Block.deflate(page.getValue()));
    }
  }

  /** The entries of the archive on the pages of features, which ascend. */
  private Map<Long, Entry> entries(Set<Long> features) throws IOException {
    TreeMap<Long, Long> pages = new TreeMap<>();
    RemoteArchive.Keys everything = new RemoteArchive.Keys(new Object[0], new Object[0]);
    for (Object[] entry : remote.entries(remote.root("tap_entries_index"), Collections.singletonList(everything))) {
      if (entry.length > 1 && entry[0] instanceof Long first && entry[entry.length - 1] instanceof Long row) pages.put(first, row);
    }
    Set<Long> numbers = new TreeSet<>();
    for (long feature : features) if (pages.floorKey(feature) != null) numbers.add(pages.get(pages.floorKey(feature)));
    Map<Long, Entry> found = new HashMap<>();
    for (RemoteArchive.Row row : remote.rows(remote.root("tap_entries"), spans(numbers))) {
      Object[] values = row.values();
      if (values.length > 1 && values[0] instanceof Long first && values[values.length - 1] instanceof byte[] data) {
        found.putAll(Entry.page(Block.inflate(data), first));
      }
    }
    return found;
  }

  // Deltas

  /** Applies the part of a delta that is in the region; the metadata of the archive after it. */
  List<String[]> apply(File delta) {
    database.run("ATTACH ? AS delta", delta.toString());
    database.run("BEGIN");
    for (String statement : Deltas.statements(table.equals("map"), false, hasTaps)) {
      if (!statement.contains("main.metadata") && !statement.contains("main.tap_entries")) database.run(limited(statement));
    }
    if (hasTaps) database.run("INSERT INTO temp.entries SELECT first_feature, entry_data FROM delta.new_tap_entries");
    List<String[]> metadata = new ArrayList<>();
    for (Object[] row : database.rows("SELECT name, value FROM delta.new_metadata ORDER BY rowid")) {
      metadata.add(new String[] {String.valueOf(row[0]), String.valueOf(row[1])});
    }
    database.run("COMMIT");
    database.run("DETACH delta");
    return metadata;
  }

  /** A statement of a delta that adds rows of the region alone; images of others are removed afterwards. */
  private static String limited(String statement) {
    if (statement.startsWith("INSERT") && statement.contains("delta.new_taps AS new")) {
      return statement + " WHERE " + String.format(INSIDE, "new", "block_column << 3", "block_row << 3");
    }
    boolean isOfTiles = statement.endsWith("FROM delta.new_map") || statement.endsWith("FROM delta.new_tiles");
    return isOfTiles ? statement + " AS new WHERE " + String.format(INSIDE, "new", "tile_column", "tile_row") : statement;
  }

  // Metadata

  /** Writes the metadata of the region, with the digests of what it holds. */
  void finish(List<String[]> source, Region region) {
    List<Region.Tiles> extents = new ArrayList<>();
    String question = "SELECT zoom_level, min(tile_column), max(tile_column), min(tile_row), max(tile_row) FROM main.";
    for (Object[] row : database.rows(question + table + " GROUP BY zoom_level ORDER BY zoom_level")) {
      long last = (1L << (Long) row[0]) - 1;
      extents.add(new Region.Tiles((int) (long) (Long) row[0], (Long) row[1], (Long) row[2], last - (Long) row[4], last - (Long) row[3]));
    }
    String[] state = {Archive.digest(database), hasTaps ? Archive.tapsDigest(database) : null};
    List<String[]> rows = region.metadata(source, state, extents);
    database.run("DELETE FROM main.metadata");
    for (String[] row : rows) database.run("INSERT INTO main.metadata (name, value) VALUES (?, ?)", row[0], row[1]);
  }
}
