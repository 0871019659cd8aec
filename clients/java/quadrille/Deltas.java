package quadrille;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Applies deltas by the statements of docs/updates.md. */
public final class Deltas {
  private static final String SAME_PLACE =
      "old.zoom_level = new.zoom_level AND old.tile_column = new.tile_column AND old.tile_row = new.tile_row";

  private Deltas() {}

  /** Makes {@code target} from the archive at {@code path} by delta files in order; {@code path} is left as it is. */
  public static void apply(File path, List<File> deltas, File target, Database.Opener opener) throws IOException {
    Disk.copy(path, target);
    try (Database database = opener.open(target, true)) {
      database.run("PRAGMA synchronous = FULL");
      for (File delta : deltas) {
        database.run("ATTACH ? AS delta", delta.toString());
        // Not immediate: that would begin to write the delta, too, and leave a journal over both files after a kill.
        database.run("BEGIN");
        patch(database, delta, "delta");
        database.run("COMMIT");
        boolean isLarge = isLarge(database, "delta");
        database.run("DETACH delta");
        if (isLarge) database.run("VACUUM");
      }
    }
    Disk.sync(target);
  }

  /** Whether an archive has become half as large again as a fresh one. */
  static boolean isLarge(Database database, String schema) {
    // Before Android 8 its SQLite has no functions of pragmas.
    long size = (Long) database.value("PRAGMA main.page_count") * (Long) database.value("PRAGMA main.page_size");
    return database.value("SELECT 1.5 * value FROM " + schema + ".facts WHERE name = 'bytes'") instanceof Number limit && size > limit.doubleValue();
  }

  /** Runs the statements of a delta that is attached. */
  static void patch(Database database, File delta, String schema) {
    String[][] pairs = {{"quadrille:digest", "before"}, {"quadrille:taps", "taps_before"}};
    for (String[] pair : pairs) {
      if (!value(database, "main.metadata", pair[0]).equals(value(database, schema + ".facts", pair[1]))) {
        throw new QuadrilleException(QuadrilleException.Kind.wrongBase, delta.toString());
      }
    }
    Set<Object> tables = new HashSet<>();
    for (Object[] row : database.rows("SELECT name FROM main.sqlite_master WHERE type = 'table'")) tables.add(row[0]);
    List<String> statements = statements(tables.contains("map"), tables.contains("grid_utfgrid"), tables.contains("taps"));
    for (String statement : statements) database.run(statement.replace("delta.", schema + "."));
    if (!value(database, "main.metadata", "quadrille:digest").equals(value(database, schema + ".facts", "after"))) {
      throw Block.damaged(delta.toString());
    }
  }

  private static String value(Database database, String table, String name) {
    Object value = database.value("SELECT value FROM " + table + " WHERE name = ?", name);
    return value == null ? "" : value.toString();
  }

  /** The statements that apply a delta to an archive with such tables. */
  static List<String> statements(boolean isDeduplicated, boolean hasGrids, boolean hasTaps) {
    String table = isDeduplicated ? "map" : "tiles";
    String columns = "zoom_level, tile_column, tile_row, " + (!isDeduplicated ? "tile_data" : hasGrids ? "tile_id, grid_id" : "tile_id");
    List<String> all = new ArrayList<>();
    all.add("DELETE FROM main." + table + " WHERE rowid IN (SELECT old.rowid FROM delta.removed_tiles AS new JOIN main." + table
        + " AS old ON " + SAME_PLACE + ")");
    all.add("INSERT OR REPLACE INTO main." + table + " (rowid, " + columns + ") SELECT rowid, " + columns + " FROM delta.new_" + table);
    if (isDeduplicated) {
      all.add(replacement("images", "tile_id", "tile_data", "new_images"));
      all.add("DELETE FROM main.images WHERE tile_id IN (SELECT tile_id FROM delta.dropped_images)");
    }
    if (hasGrids) {
      all.add(replacement("grid_utfgrid", "grid_id", "grid_utfgrid", "new_grids"));
      all.add("DELETE FROM main.grid_utfgrid WHERE grid_id IN (SELECT grid_id FROM delta.dropped_grids)");
      all.add("DELETE FROM main.grid_key WHERE grid_id IN (SELECT grid_id FROM delta.dropped_grids)");
      all.add("INSERT INTO main.grid_key (grid_id, key_name) SELECT grid.grid_id, new.key_name FROM delta.new_grid_key AS new"
          + " JOIN delta.new_grids AS grid ON grid.rowid = new.grid");
      all.add(replacement("keymap", "key_name", "key_json", "new_keymap"));
      all.add("DELETE FROM main.keymap WHERE key_name IN (SELECT key_name FROM delta.dropped_keymap)");
    }
    if (hasTaps) {
      replaceTaps(all, "taps", "block_data", "zoom_level", "block_column", "block_row");
      replaceTaps(all, "tap_entries", "entry_data", "first_feature");
    }
    all.add(replacement("metadata", "name", "value", "new_metadata"));
    return all;
  }

  /** The rows of a table of compact taps. */
  private static void replaceTaps(List<String> statements, String table, String content, String... keys) {
    StringBuilder same = new StringBuilder(), names = new StringBuilder();
    for (String key : keys) {
      same.append(same.length() == 0 ? "" : " AND ").append("old.").append(key).append(" = new.").append(key);
      names.append(key).append(", ");
    }
    names.append(content);
    String values = "new." + names.toString().replace(", ", ", new.");
    statements.add("DELETE FROM main." + table + " WHERE rowid IN (SELECT old.rowid FROM delta.removed_" + table + " AS new JOIN main."
        + table + " AS old ON " + same + ")");
    statements.add("INSERT OR REPLACE INTO main." + table + " (rowid, " + names + ") SELECT old.rowid, " + values + " FROM delta.new_"
        + table + " AS new LEFT JOIN main." + table + " AS old ON " + same);
  }

  /** Rows that replace others keep their place in the file. */
  private static String replacement(String table, String name, String content, String rows) {
    return String.format(
        "INSERT OR REPLACE INTO main.%1$s (rowid, %2$s, %3$s) SELECT old.rowid, new.%2$s, new.%3$s FROM delta.%4$s AS new"
            + " LEFT JOIN main.%1$s AS old ON old.%2$s = new.replaces", table, name, content, rows);
  }
}
