package quadrille;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files by {@code java.nio.file}, which Android has since 8.0 (API 26). No other class of the reader calls it. */
final class ModernDisk extends Disk {
  @Override
  void move(File from, File to) throws IOException {
    Files.move(from.toPath(), to.toPath(), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  boolean link(File file, File name) {
    try {
      Files.createLink(name.toPath(), file.toPath());
      return true;
    } catch (IOException | SecurityException | UnsupportedOperationException error) {
      // Android refuses hard links to apps; FAT and others have none.
      return false;
    }
  }

  @Override
  boolean isLink(File file) {
    return Files.isSymbolicLink(file.toPath());
  }

  @Override
  void syncFolder(File folder) {
    try (FileChannel channel = FileChannel.open(folder.toPath(), StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException error) {
      // Some systems open no folder.
    }
  }
}
