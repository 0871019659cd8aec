package quadrille;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Applies deltas by the statements of docs/updates.md. */
public final class Deltas {
  private static final String SAME_PLACE =
      "old.zoom_level = new.zoom_level AND old.tile_column = new.tile_column AND old.tile_row = new.tile_row";

  private Deltas() {}

  /** Makes {@code target} from the archive at {@code path} by delta files in order; {@code path} is left as it is. */
  public static void apply(Path path, List<Path> deltas, Path target, Database.Opener opener) throws IOException {
    Files.copy(path, target, StandardCopyOption.REPLACE_EXISTING);
    try (Database database = opener.open(target, true)) {
      database.run("PRAGMA synchronous = FULL");
      for (Path delta : deltas) {
        database.run("ATTACH ? AS delta", delta.toString());
        patch(database, delta);
        Object isLarge = database.value("SELECT (SELECT page_count * page_size FROM pragma_page_count('main'), pragma_page_size('main'))"
            + " > 1.5 * (SELECT value FROM delta.facts WHERE name = 'bytes')");
        database.run("DETACH delta");
        if (Long.valueOf(1).equals(isLarge)) database.run("VACUUM");
      }
    }
    sync(target);
  }

  private static void patch(Database database, Path delta) {
    String[][] pairs = {{"quadrille:digest", "before"}, {"quadrille:taps", "taps_before"}};
    for (String[] pair : pairs) {
      if (!value(database, "main.metadata", pair[0]).equals(value(database, "delta.facts", pair[1]))) {
        throw new QuadrilleException(QuadrilleException.Kind.wrongBase, delta.toString());
      }
    }
    Set<Object> tables = new HashSet<>();
    for (Object[] row : database.rows("SELECT name FROM main.sqlite_master WHERE type = 'table'")) tables.add(row[0]);
    // Not immediate: that would begin to write the delta, too, and leave a journal over both files after a kill.
    database.run("BEGIN");
    for (String statement : statements(tables.contains("map"), tables.contains("grid_utfgrid"))) database.run(statement);
    if (tables.contains("taps")) {
      replaceTaps(database, "taps", "block_data", "zoom_level", "block_column", "block_row");
      replaceTaps(database, "tap_entries", "entry_data", "first_feature");
    }
    database.run(replacement("metadata", "name", "value", "new_metadata"));
    database.run("COMMIT");
    if (!value(database, "main.metadata", "quadrille:digest").equals(value(database, "delta.facts", "after"))) {
      throw Block.damaged(delta.toString());
    }
  }

  private static String value(Database database, String table, String name) {
    Object value = database.value("SELECT value FROM " + table + " WHERE name = ?", name);
    return value == null ? "" : value.toString();
  }

  private static List<String> statements(boolean isDeduplicated, boolean hasTaps) {
    String table = isDeduplicated ? "map" : "tiles";
    String columns = "zoom_level, tile_column, tile_row, " + (!isDeduplicated ? "tile_data" : hasTaps ? "tile_id, grid_id" : "tile_id");
    List<String> all = new ArrayList<>();
    all.add("DELETE FROM main." + table + " WHERE rowid IN (SELECT old.rowid FROM delta.removed_tiles AS new JOIN main." + table
        + " AS old ON " + SAME_PLACE + ")");
    all.add("INSERT OR REPLACE INTO main." + table + " (rowid, " + columns + ") SELECT rowid, " + columns + " FROM delta.new_" + table);
    if (isDeduplicated) {
      all.add(replacement("images", "tile_id", "tile_data", "new_images"));
      all.add("DELETE FROM main.images WHERE tile_id IN (SELECT tile_id FROM delta.dropped_images)");
    }
    if (hasTaps) {
      all.add(replacement("grid_utfgrid", "grid_id", "grid_utfgrid", "new_grids"));
      all.add("DELETE FROM main.grid_utfgrid WHERE grid_id IN (SELECT grid_id FROM delta.dropped_grids)");
      all.add("DELETE FROM main.grid_key WHERE grid_id IN (SELECT grid_id FROM delta.dropped_grids)");
      all.add("INSERT INTO main.grid_key (grid_id, key_name) SELECT grid.grid_id, new.key_name FROM delta.new_grid_key AS new"
          + " JOIN delta.new_grids AS grid ON grid.rowid = new.grid");
      all.add(replacement("keymap", "key_name", "key_json", "new_keymap"));
      all.add("DELETE FROM main.keymap WHERE key_name IN (SELECT key_name FROM delta.dropped_keymap)");
    }
    return all;
  }

  /** The rows of a table of compact taps. */
  private static void replaceTaps(Database database, String table, String content, String... keys) {
    String same = Stream.of(keys).map(key -> "old." + key + " = new." + key).collect(Collectors.joining(" AND "));
    String names = String.join(", ", keys) + ", " + content;
    String values = "new." + names.replace(", ", ", new.");
    database.run("DELETE FROM main." + table + " WHERE rowid IN (SELECT old.rowid FROM delta.removed_" + table + " AS new JOIN main."
        + table + " AS old ON " + same + ")");
    database.run("INSERT OR REPLACE INTO main." + table + " (rowid, " + names + ") SELECT old.rowid, " + values + " FROM delta.new_"
        + table + " AS new LEFT JOIN main." + table + " AS old ON " + same);
  }

  /** Rows that replace others keep their place in the file. */
  private static String replacement(String table, String name, String content, String rows) {
    return String.format(
        "INSERT OR REPLACE INTO main.%1$s (rowid, %2$s, %3$s) SELECT old.rowid, new.%2$s, new.%3$s FROM delta.%4$s AS new"
            + " LEFT JOIN main.%1$s AS old ON old.%2$s = new.replaces", table, name, content, rows);
  }

  /** Waits until the names in a folder are on the disk, where the system can do that. */
  static void syncFolder(Path path) {
    try {
      sync(path);
    } catch (IOException error) {
      // Some systems open no folder.
    }
  }

  static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
