package quadrille;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;

/** Files by the calls of Android 6 (API 23); {@link ModernDisk} has better ones where the system knows them. */
class Disk {
  static final Disk SYSTEM = found();

  private static Disk found() {
    try {
      Class.forName("java.nio.file.Files");
      // Typed as an object, so that this class loads without the other one.
      Object modern = new ModernDisk();
      return (Disk) modern;
    } catch (ClassNotFoundException | LinkageError error) {
      return new Disk();
    }
  }

  /** Puts a file in the place of another one, in one step. */
  void move(File from, File to) throws IOException {
    if (!from.renameTo(to)) throw new IOException(from + " cannot be renamed to " + to.getName());
  }

  /** Gives a file a second name; false where that is not possible. */
  boolean link(File file, File name) {
    return false;
  }

  boolean isLink(File file) throws IOException {
    File parent = file.getAbsoluteFile().getParentFile();
    File direct = new File(parent.getCanonicalFile(), file.getName());
    return !direct.getCanonicalFile().equals(direct);
  }

  /** Waits until the names in a folder are on the disk, where the system can do that. */
  void syncFolder(File folder) {}

  static File with(File file, String suffix) {
    return new File(file.getParentFile(), file.getName() + suffix);
  }

  static void delete(File file) throws IOException {
    if (!file.delete() && (file.exists() || SYSTEM.isLink(file))) throw new IOException(file + " cannot be deleted");
  }

  /** The bytes of a stream; of one longer than a limit, a few more than the limit. */
  static byte[] read(InputStream in, long limit) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] part = new byte[1 << 16];
    for (int count = in.read(part); count > 0 && all.size() <= limit; count = in.read(part)) all.write(part, 0, count);
    return all.toByteArray();
  }

  static byte[] read(File file) throws IOException {
    try (InputStream in = new FileInputStream(file)) {
      return read(in, Integer.MAX_VALUE);
    }
  }

  /** Writes a file, and waits until it is on the disk. */
  static void write(File file, byte[] bytes) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file)) {
      out.write(bytes);
      out.getFD().sync();
    }
  }

  static void copy(File from, File to) throws IOException {
    try (InputStream in = new FileInputStream(from); OutputStream out = new FileOutputStream(to)) {
      byte[] part = new byte[1 << 16];
      for (int count = in.read(part); count > 0; count = in.read(part)) out.write(part, 0, count);
    }
  }

  /** Waits until a file is on the disk. */
  static void sync(File file) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file, true)) {
      out.getFD().sync();
    }
  }

  /** The SHA-256 of a file in hexadecimal digits. */
  static String digest(File file) throws IOException {
    MessageDigest digest = Archive.sha256();
    try (InputStream in = new FileInputStream(file)) {
      byte[] part = new byte[1 << 16];
      for (int count = in.read(part); count > 0; count = in.read(part)) digest.update(part, 0, count);
    }
    return Archive.hex(digest.digest());
  }
}
