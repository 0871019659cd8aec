package quadrille;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.util.List;

/** Changes an archive in its place by deltas, in one transaction of SQLite, whose journal is kept as the way back. */
final class InPlace {
  /** SQLite attaches no more files, and writes each page twice. */
  private static final int DELTAS = 10, SHARE = 4;
  private static final long MAGIC = 0xd9d505f920a163d7L;
  private static final String[] SETTINGS = {
    "synchronous = FULL", "fullfsync = 1", "cache_size = -32768", "journal_mode = PERSIST", "journal_size_limit = -1"
  };

  private InPlace() {}

  /** Throws unless a new archive is right. */
  interface Proof {
    void check(Archive archive);
  }

  /**
   * Applies deltas to an archive; false if it is as it was: they are large beside it, it would grow too much, or somebody reads it all the
   * time. The proof is called before the transaction ends.
   */
  static boolean change(File path, List<File> deltas, Database.Opener opener, Proof proof) throws IOException {
    long size = 0;
    for (File delta : deltas) size += delta.length();
    if (deltas.isEmpty() || deltas.size() > DELTAS || size > path.length() / SHARE) return false;
    try (Database database = opener.open(path, true)) {
      database.rows("PRAGMA schema_version");
      // A journal that was left would be longer than this one.
      Disk.delete(journal(path));
      for (String setting : SETTINGS) database.run("PRAGMA " + setting);
      for (int i = 0; i < deltas.size(); i++) database.run("ATTACH ? AS " + schema(i), deltas.get(i).toString());
      database.run("BEGIN");
      for (int i = 0; i < deltas.size(); i++) Deltas.patch(database, deltas.get(i), schema(i));
      if (Deltas.isLarge(database, schema(deltas.size() - 1))) return false;
      proof.check(new Archive(path, database, opener));
      Disk.delete(Disk.with(path, ".previous"));
      database.run("COMMIT");
      return true;
    } catch (QuadrilleException error) {
      if (error.kind == QuadrilleException.Kind.disk && error.getMessage().contains("locked")) return false;
      throw error;
    } finally {
      settle(path, opener);
    }
  }

  private static String schema(int index) {
    return "delta" + (index == 0 ? "" : index);
  }

  private static File journal(File path) {
    return Disk.with(path, "-journal");
  }

  /** Restores an archive whose change was interrupted: only a connection that may write does. */
  static void restore(File path, Database.Opener opener) {
    if (!journal(path).exists()) return;
    try (Database database = opener.open(path, true)) {
      database.rows("PRAGMA schema_version");
    } catch (QuadrilleException error) {
      // It is no database, or lies where nothing can be written; its reader says so.
    }
  }

  /** Finishes a change in place: restores the archive if it was interrupted, else keeps the journal as the way back. */
  static void settle(File path, Database.Opener opener) throws IOException {
    restore(path, opener);
    if (!journal(path).exists()) return;
    if (header(journal(path), path) == null) Disk.delete(journal(path));
    else Disk.SYSTEM.move(journal(path), Disk.with(path, ".previous"));
  }

  /** Puts the pages before the last change back; false if the previous file is not the journal of that one. */
  static boolean rollBack(File path, Database.Opener opener) throws IOException {
    settle(path, opener);
    File previous = Disk.with(path, ".previous");
    byte[] header = header(previous, path);
    if (header == null) return false;
    try (RandomAccessFile file = new RandomAccessFile(previous, "rw")) {
      file.write(header);
      file.getFD().sync();
    }
    Disk.SYSTEM.move(previous, journal(path));
    // SQLite plays it back when the archive is opened, now or after a kill.
    restore(path, opener);
    return true;
  }

  /**
   * What has to stand at the beginning of a journal (https://www.sqlite.org/fileformat2.html#the_rollback_journal) in place of the zeros by
   * which SQLite ended it; null unless it is the one of the last change of the archive.
   */
  private static byte[] header(File journal, File path) throws IOException {
    if (!journal.exists() || !path.exists()) return null;
    ByteBuffer head;
    try (InputStream in = new FileInputStream(path)) {
      head = ByteBuffer.wrap(Disk.read(in, 0));
    }
    byte[] data = Disk.read(journal);
    if (head.limit() < 100 || data.length == 0 || data[0] != 0 && data[0] != (byte) (MAGIC >> 56)) return null;
    int told = head.getShort(16) & 0xffff, page = told == 1 ? 65536 : told;
    // The header fills a sector of the disk.
    for (int sector : page < 512 ? new int[0] : new int[] {512, 4096, 1024, 2048, 8192}) {
      int count = (data.length - sector) / (page + 8);
      if (count <= 0 || (data.length - sector) % (page + 8) != 0) continue;
      byte[] found = header(ByteBuffer.wrap(data), sector, page, count, head.getInt(24));
      if (found != null) return found;
    }
    return null;
  }

  private static byte[] header(ByteBuffer data, int sector, int page, int count, int changes) {
    int first = -1, nonce = 0;
    for (int i = 0; i < count; i++) {
      int at = sector + i * (page + 8), sum = 0;
      for (int place = page - 200; place > 0; place -= 200) sum += data.get(at + 4 + place) & 255;
      int own = data.getInt(at + 4 + page) - sum;
      if (i > 0 && own != nonce) return null;
      nonce = own;
      if (data.getInt(at) == 1) first = at + 4;
    }
    if (first < 0 || data.getInt(first + 24) + 1 != changes) return null;
    ByteBuffer header = ByteBuffer.allocate(28).putLong(MAGIC).putInt(count).putInt(nonce);
    return header.putInt(data.getInt(first + 28)).putInt(sector).putInt(page).array();
  }
}
