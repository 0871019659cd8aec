package quadrille;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A page of a tree of SQLite (https://www.sqlite.org/fileformat2.html#b_tree_pages), whose bytes are not trusted. */
final class TreePage {
  /** A row or an entry of an index, whose record may go on in other pages; {@code number} is 0 in an index. */
  static final class Cell {
    final long number;
    byte[] record;
    /** The bytes that are missing, and the page where they begin. */
    long rest, page;

    private Cell(long number, byte[] record, long rest, long page) {
      this.number = number;
      this.record = record;
      this.rest = rest;
      this.page = page;
    }
  }

  final boolean isInterior, isIndex, isTree;
  /** The number of cells. */
  final int count;
  private final byte[] bytes;
  private final int start;

  TreePage(byte[] bytes, boolean isFirst) {
    this.bytes = bytes;
    start = isFirst ? 100 : 0;
    int kind = bytes[start];
    isInterior = kind < 10;
    isIndex = kind == 2 || kind == 10;
    count = (int) number(bytes, start + 3, 2);
    isTree = (kind == 2 || kind == 5 || kind == 10 || kind == 13) && start + 12 + 2 * count <= bytes.length;
  }

  /** A number of some bytes, the highest first. */
  static long number(byte[] bytes, int at, int length) {
    if (at < 0 || at + length > bytes.length) throw Block.damaged("a page ends too early");
    long value = 0;
    for (int i = 0; i < length; i++) value = value << 8 | bytes[at + i] & 255;
    return value;
  }

  private int place(int index) {
    return (int) number(bytes, start + (isInterior ? 12 : 8) + 2 * index, 2);
  }

  /** The page left of a cell; that of all other rows for the cell after the last. */
  long child(int index) {
    return number(bytes, index == count ? start + 8 : place(index), 4);
  }

  /** The greatest number of a row in the page left of a cell. */
  long key(int index) {
    return new Reader(bytes, place(index) + 4).next();
  }

  Cell cell(int index) {
    Reader reader = new Reader(bytes, place(index) + (isInterior ? 4 : 0));
    long size = reader.next(), number = isIndex ? 0 : reader.next(), local = size;
    int usable = bytes.length, most = isIndex ? (usable - 12) * 64 / 255 - 23 : usable - 35;
    if (size > most) {
      int least = (usable - 12) * 32 / 255 - 23;
      local = least + (size - least) % (usable - 4);
      if (local > most) local = least;
    }
    if (size < 0 || reader.at + local + (local < size ? 4 : 0) > usable) throw Block.damaged("a cell ends too early");
    int end = reader.at + (int) local;
    return new Cell(number, Arrays.copyOfRange(bytes, reader.at, end), size - local, local < size ? number(bytes, end, 4) : 0);
  }

  /** The values of a record: null, Long, String or byte[]. */
  static Object[] values(byte[] record) {
    Reader reader = new Reader(record, 0);
    long head = reader.next(), place = head;
    List<Object> values = new ArrayList<>();
    while (reader.at < head) {
      long kind = reader.next();
      long length = kind >= 12 ? (kind - 12) / 2 : kind < 5 ? kind : kind == 5 ? 6 : kind < 8 ? 8 : 0;
      if (kind < 0 || kind == 7 || kind == 10 || kind == 11 || place < 0 || length > record.length - place) throw Block.damaged("a record is none");
      byte[] part = Arrays.copyOfRange(record, (int) place, (int) (place + length));
      place += length;
      if (kind >= 12) values.add(kind % 2 == 0 ? part : new String(part, StandardCharsets.UTF_8));
      else values.add(kind == 0 ? null : kind > 7 ? Long.valueOf(kind - 8) : Long.valueOf(signed(part)));
    }
    return values.toArray();
  }

  private static long signed(byte[] bytes) {
    return number(bytes, 0, bytes.length) << 64 - 8 * bytes.length >> 64 - 8 * bytes.length;
  }

  /** The order of values in an index. */
  static int compare(Object a, Object b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b) ? -1 : 1;
    if (a instanceof Long one) return Long.compare(one, (Long) b);
    byte[] left = bytes(a), right = bytes(b);
    for (int i = 0; i < Math.min(left.length, right.length); i++) {
      if (left[i] != right[i]) return (left[i] & 255) - (right[i] & 255);
    }
    return left.length - right.length;
  }

  private static int rank(Object value) {
    return value == null ? 0 : value instanceof Long ? 1 : value instanceof String ? 2 : 3;
  }

  private static byte[] bytes(Object value) {
    return value == null ? new byte[0] : value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) value;
  }

  /** Reads numbers of one to nine bytes. */
  private static final class Reader {
    private final byte[] bytes;
    private int at;

    private Reader(byte[] bytes, int at) {
      this.bytes = bytes;
      this.at = at;
    }

    private long next() {
      long value = 0;
      for (int i = 0; ; i++) {
        if (at >= bytes.length) throw Block.damaged("a number ends too early");
        byte read = bytes[at++];
        if (i == 8) return value << 8 | read & 255;
        value = value << 7 | read & 127;
        if (read >= 0) return value;
      }
    }
  }
}
