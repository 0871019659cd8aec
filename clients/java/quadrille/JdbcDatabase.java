package quadrille;

import java.io.File;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** SQLite over JDBC, by Xerial's sqlite-jdbc. Statements of readers are kept. */
public final class JdbcDatabase implements Database {
  private final Connection connection;
  private final boolean isWritten;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  private JdbcDatabase(Connection connection, boolean isWritten) {
    this.connection = connection;
    this.isWritten = isWritten;
  }

  public static Database open(File file, boolean isWritten) {
    String mode = isWritten ? "?mode=rw" : "?mode=ro";
    try {
      return new JdbcDatabase(DriverManager.getConnection("jdbc:sqlite:" + file.toURI() + mode), isWritten);
    } catch (SQLException error) {
      throw QuadrilleException.ofSQLite(error);
    }
  }

  @Override
  public List<Object[]> rows(String sql, Object... values) {
    try {
      PreparedStatement statement = isWritten ? connection.prepareStatement(sql) : prepared.get(sql);
      if (statement == null) {
        statement = connection.prepareStatement(sql);
        prepared.put(sql, statement);
      }
      try (ResultSet found = bind(statement, values).executeQuery()) {
        int columns = found.getMetaData().getColumnCount();
        List<Object[]> rows = new ArrayList<>();
        while (found.next()) {
          Object[] row = new Object[columns];
          for (int i = 0; i < columns; i++) {
            Object value = found.getObject(i + 1);
            row[i] = value instanceof Integer number ? Long.valueOf(number) : value;
          }
          rows.add(row);
        }
        return rows;
      } finally {
        if (isWritten) statement.close();
      }
    } catch (SQLException error) {
      throw QuadrilleException.ofSQLite(error);
    }
  }

  @Override
  public void run(String sql, Object... values) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values).execute();
    } catch (SQLException error) {
      throw QuadrilleException.ofSQLite(error);
    }
  }

  private static PreparedStatement bind(PreparedStatement statement, Object[] values) throws SQLException {
    for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
    return statement;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException error) {
      throw QuadrilleException.ofSQLite(error);
    }
  }
}
