package quadrille;

import java.nio.file.Path;
import java.util.List;

/**
 * SQLite as readers need it. {@link JdbcDatabase} is one over JDBC; docs/clients.md has one over Android's {@code SQLiteDatabase}.
 *
 * <p>Errors of SQLite are thrown as {@link QuadrilleException#ofSQLite}.
 */
public interface Database extends AutoCloseable {
  /** Opens a file: to read it as it is, without a look at journals, or to write. */
  interface Opener {
    Database open(Path file, boolean isWritten);
  }

  /** The rows of a query: Long, Double, String, byte[] or null per column. Values are Long, Integer, String. */
  List<Object[]> rows(String sql, Object... values);

  /** Runs one statement that has no rows. */
  void run(String sql, Object... values);

  @Override
  void close();

  /** The first value of the first row, null without one. */
  default Object value(String sql, Object... values) {
    List<Object[]> rows = rows(sql, values);
    return rows.isEmpty() ? null : rows.get(0)[0];
  }
}
