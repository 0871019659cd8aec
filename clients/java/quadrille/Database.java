package quadrille;

import java.io.File;
import java.util.List;

/**
 * SQLite as readers need it. {@link JdbcDatabase} is one over JDBC; docs/clients.md has one over Android's {@code SQLiteDatabase}.
 *
 * <p>Errors of SQLite are thrown as {@link QuadrilleException#ofSQLite}.
 */
public interface Database extends AutoCloseable {
  /** Opens a file under SQLite's locks, since an update may change it in place: to read it, or to write. */
  interface Opener {
    Database open(File file, boolean isWritten);
  }

  /** The rows of a query: Long, Double, String, byte[] or null per column. Values are Long, Integer, String. */
  List<Object[]> rows(String sql, Object... values);

  /** Runs one statement that has no rows. Values may be byte[] and null, too. */
  void run(String sql, Object... values);

  @Override
  void close();

  /** The first value of the first row, null without one. */
  default Object value(String sql, Object... values) {
    List<Object[]> rows = rows(sql, values);
    return rows.isEmpty() ? null : rows.get(0)[0];
  }
}
