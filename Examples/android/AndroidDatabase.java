package org.example.map;

import android.database.Cursor;
import android.database.SQLException;
import android.database.sqlite.SQLiteDatabase;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import quadrille.Database;
import quadrille.QuadrilleException;

/** Android's SQLite for the readers of clients/java. */
final class AndroidDatabase implements Database {
  private final SQLiteDatabase database;

  private AndroidDatabase(SQLiteDatabase database) {
    this.database = database;
  }

  static Database open(File file, boolean isWritten) {
    int mode = isWritten ? SQLiteDatabase.OPEN_READWRITE : SQLiteDatabase.OPEN_READONLY;
    try {
      return new AndroidDatabase(SQLiteDatabase.openDatabase(file.getPath(), null, mode | SQLiteDatabase.NO_LOCALIZED_COLLATORS));
    } catch (SQLException error) {
      throw QuadrilleException.ofSQLite(error);
    }
  }

  @Override
  public List<Object[]> rows(String sql, Object... values) {
    // Android binds texts only; a comparison with a column of numbers takes them as numbers.
    String[] texts = new String[values.length];
    for (int i = 0; i < values.length; i++) texts[i] = String.valueOf(values[i]);
    List<Object[]> rows = new ArrayList<>();
    try (Cursor found = database.rawQuery(sql, texts)) {
      while (found.moveToNext()) {
        Object[] row = new Object[found.getColumnCount()];
        for (int i = 0; i < row.length; i++) {
          int type = found.getType(i);
          if (type == Cursor.FIELD_TYPE_INTEGER) row[i] = found.getLong(i);
          else if (type == Cursor.FIELD_TYPE_FLOAT) row[i] = found.getDouble(i);
          else if (type == Cursor.FIELD_TYPE_BLOB) row[i] = found.getBlob(i);
          else if (type != Cursor.FIELD_TYPE_NULL) row[i] = found.getString(i);
        }
        rows.add(row);
      }
    } catch (SQLException error) {
      throw QuadrilleException.ofSQLite(error);
    }
    return rows;
  }

  @Override
  public void run(String sql, Object... values) {
    if (sql.startsWith("PRAGMA")) {
      rows(sql);
      return;
    }
    try {
      database.execSQL(sql, values);
    } catch (SQLException error) {
      throw QuadrilleException.ofSQLite(error);
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
