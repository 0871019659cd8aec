package quadrille;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Keeps an archive up to date over http: resumes what was cut off, and leaves the old archive or the new one. */
public final class Updater {
  private static final int LIST_LIMIT = 16 << 20, TIMEOUT = 60_000;
  private final Path path, next, previous, remembered;
  private final Database.Opener opener;

  public Updater(Path path, Database.Opener opener) {
    this.path = path;
    this.opener = opener;
    String name = path.getFileName().toString();
    next = path.resolveSibling(name + ".new");
    previous = path.resolveSibling(name + ".previous");
    remembered = path.resolveSibling(Archive.base(path) + ".update-state.json");
  }

  /** Brings the archive up to a list; whether anything was new. {@code keys} sign the first list: raw public keys in base64. */
  public boolean update(URI list, List<String> keys) throws IOException {
    Files.deleteIfExists(next);
    Files.deleteIfExists(next.resolveSibling(next.getFileName() + "-journal"));
    UpdateList told = new UpdateList(read(list.toURL()), state(keys));
    if (told.archive == null) throw new QuadrilleException(QuadrilleException.Kind.badList, "a list of a series");
    List<UpdateList.Entry> way = null;
    if (Files.exists(path)) {
      try (Archive archive = new Archive(path, opener)) {
        way = told.path(archive.metadata.getOrDefault("quadrille:digest", ""), archive.metadata.get("quadrille:taps"), null);
      }
    }
    boolean isNew = way == null || !way.isEmpty();
    if (isNew) {
      List<Path> parts = new ArrayList<>();
      for (UpdateList.Entry entry : way == null ? List.of(told.archive) : way) parts.add(fetched(list, entry));
      if (way == null) Files.move(parts.get(0), next, StandardCopyOption.ATOMIC_MOVE);
      else Deltas.apply(path, parts, next, opener);
      try (Archive archive = new Archive(next, opener)) {
        if (!archive.verify().equals(told.archive.text("digest"))) throw Block.damaged("the new archive is another one");
      }
      swap();
      for (Path part : parts) Files.deleteIfExists(part);
    }
    write(told.state);
    return isNew;
  }

  /** Puts the previous archive back. */
  public void rollBack() throws IOException {
    Files.move(previous, path, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Readers keep the file that they opened; the name leads to the old archive or the new one at every moment. */
  private void swap() throws IOException {
    Deltas.sync(next);
    if (Files.exists(path)) {
      Path link = previous.resolveSibling(previous.getFileName() + ".new");
      Files.deleteIfExists(link);
      Files.createLink(link, path);
      Files.move(link, previous, StandardCopyOption.ATOMIC_MOVE);
    }
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
    Deltas.sync(path.toAbsolutePath().getParent());
  }

  /** The path of a complete download with the right digest; one that was cut off goes on where it ended. */
  private Path fetched(URI list, UpdateList.Entry entry) throws IOException {
    Path part = path.resolveSibling(entry.file() + ".part");
    long size = Files.exists(part) ? Files.size(part) : 0;
    if (size < entry.bytes()) {
      HttpURLConnection connection = open(address(list, entry.file()));
      if (size > 0) connection.setRequestProperty("Range", "bytes=" + size + "-");
      int status = connection.getResponseCode();
      if (status == 416) Files.deleteIfExists(part);
      if (status != 200 && status != 206) throw new IOException(entry.file() + ": " + status);
      StandardOpenOption how = status == 206 ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
      long written = status == 206 ? size : 0;
      try (InputStream in = connection.getInputStream();
          OutputStream out = Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
        byte[] bytes = new byte[1 << 16];
        for (int count = in.read(bytes); count > 0 && written <= entry.bytes(); count = in.read(bytes)) {
          out.write(bytes, 0, count);
          written += count;
        }
      }
    }
    if (Files.size(part) < entry.bytes()) throw new QuadrilleException(QuadrilleException.Kind.cutOff, entry.file());
    if (Files.size(part) != entry.bytes() || !digest(part).equals(entry.sha256())) {
      Files.deleteIfExists(part);
      throw new QuadrilleException(QuadrilleException.Kind.wrongBytes, entry.file());
    }
    return part;
  }

  /** The address of a file beside the list. */
  private static URL address(URI list, String name) throws IOException {
    try {
      return list.resolve(new URI(null, null, "./" + name, null)).toURL();
    } catch (java.net.URISyntaxException error) {
      throw new QuadrilleException(QuadrilleException.Kind.badName, name);
    }
  }

  static String digest(Path file) throws IOException {
    java.security.MessageDigest digest = Archive.sha256();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = new byte[1 << 16];
      for (int count = in.read(bytes); count > 0; count = in.read(bytes)) digest.update(bytes, 0, count);
    }
    return Archive.hex(digest.digest());
  }

  private static HttpURLConnection open(URL url) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setConnectTimeout(TIMEOUT);
    connection.setReadTimeout(TIMEOUT);
    return connection;
  }

  private static byte[] read(URL url) throws IOException {
    try (InputStream in = open(url).getInputStream()) {
      return in.readNBytes(LIST_LIMIT + 1);
    }
  }

  private UpdateList.State state(List<String> keys) throws IOException {
    if (!Files.exists(remembered)) return new UpdateList.State(0, keys);
    Map<?, ?> told = (Map<?, ?>) Json.parse(Files.readString(remembered));
    List<String> known = ((List<?>) told.get("keys")).stream().map(String.class::cast).toList();
    return new UpdateList.State((Long) told.get("sequence"), known);
  }

  private void write(UpdateList.State state) throws IOException {
    Path file = remembered.resolveSibling(remembered.getFileName() + ".new");
    String keys = state.keys().isEmpty() ? "" : "\"" + String.join("\", \"", state.keys()) + "\"";
    Files.writeString(file, "{\"sequence\": " + state.sequence() + ", \"keys\": [" + keys + "]}\n");
    Deltas.sync(file);
    Files.move(file, remembered, StandardCopyOption.ATOMIC_MOVE);
  }
}
