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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keeps an archive up to date over http: resumes what was cut off, and leaves the old archive or the new one. */
public final class Updater {
  private static final int LIST_LIMIT = 16 << 20, TIMEOUT = 60_000;
  private final Path path;
  private final Database.Opener opener;

  /** Of an archive, or of the manifest of a series. */
  public Updater(Path path, Database.Opener opener) {
    this.path = path.toAbsolutePath();
    this.opener = opener;
  }

  private static Path with(Path path, String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  /** Brings the archive up to a list; whether anything was new. {@code keys} sign the first list: raw public keys in base64. */
  public boolean update(URI address, List<String> keys) throws IOException {
    UpdateList list = new UpdateList(read(address.toURL()), state(keys));
    if (list.archive == null) throw new QuadrilleException(QuadrilleException.Kind.badList, "a list of a series");
    Path next = prepared(path, address, list, list.archive, null);
    if (next != null) swap(next);
    deleteParts(path.getParent(), list, List.of(list.archive));
    write(list.state);
    return next != null;
  }

  /** Brings the frames of the manifest, and then the manifest, up to a list; whether anything was new. */
  public boolean updateSeries(URI address, List<String> keys) throws IOException {
    UpdateList list = new UpdateList(read(address.toURL()), state(keys));
    if (list.manifest == null) throw new QuadrilleException(QuadrilleException.Kind.badList, "a list of an archive");
    Path folder = list.folder == null ? path.getParent() : path.resolveSibling(list.folder);
    Files.createDirectories(folder);
    URI from = list.folder == null ? address : address(address, list.folder + "/");
    Set<Path> gone = frames();
    Map<Path, Path> ready = new LinkedHashMap<>();
    for (UpdateList.Entry frame : list.frames) {
      Path target = folder.resolve(frame.file());
      gone.remove(target.normalize());
      Path next = prepared(target, from, list, frame, frame.file());
      if (next != null) ready.put(target, next);
    }
    if (!Files.exists(path) || !digest(path).equals(list.manifest.sha256())) ready.put(path, fetched(address, list.manifest, path.getParent()));
    for (Map.Entry<Path, Path> one : ready.entrySet()) {
      Deltas.sync(one.getValue());
      Files.move(one.getValue(), one.getKey(), StandardCopyOption.ATOMIC_MOVE);
    }
    Deltas.sync(folder);
    deleteParts(folder, list, list.frames);
    for (Path frame : gone) Files.deleteIfExists(frame);
    write(list.state);
    return !ready.isEmpty();
  }

  /** Deletes the downloads of a list's files, those of killed runs among them. */
  private static void deleteParts(Path folder, UpdateList list, List<UpdateList.Entry> wholes) throws IOException {
    for (List<UpdateList.Entry> entries : List.of(list.deltas, wholes)) {
      for (UpdateList.Entry entry : entries) Files.deleteIfExists(folder.resolve(entry.file() + ".part"));
    }
  }

  /** The files that the manifest names. */
  private Set<Path> frames() throws IOException {
    Set<Path> files = new HashSet<>();
    if (Files.exists(path)) {
      for (Series.Frame frame : new Series(path).frames) files.add(path.resolveSibling(frame.file()).normalize());
    }
    return files;
  }

  /** The path of the new archive beside the one at a path, null if nothing is new. */
  private Path prepared(Path path, URI address, UpdateList list, UpdateList.Entry whole, String frame) throws IOException {
    Path next = with(path, ".new");
    Files.deleteIfExists(next);
    Files.deleteIfExists(with(next, "-journal"));
    List<UpdateList.Entry> way = null;
    if (Files.exists(path)) {
      try (Archive archive = new Archive(path, opener)) {
        way = list.path(archive.metadata.getOrDefault("quadrille:digest", ""), archive.metadata.get("quadrille:taps"), frame);
      }
    }
    if (way != null && way.isEmpty()) return null;
    List<Path> files = new ArrayList<>();
    for (UpdateList.Entry entry : way == null ? List.of(whole) : way) files.add(fetched(address, entry, path.getParent()));
    if (way == null) Files.move(files.get(0), next, StandardCopyOption.ATOMIC_MOVE);
    else Deltas.apply(path, files, next, opener);
    try (Archive archive = new Archive(next, opener)) {
      if (!archive.verify().equals(whole.text("digest"))) throw Block.damaged("the new archive is another one");
    }
    return next;
  }

  /** Puts the previous archive back. */
  public void rollBack() throws IOException {
    Files.move(with(path, ".previous"), path, StandardCopyOption.ATOMIC_MOVE);
    // A rename does nothing where both are names of one file, as an update leaves them that was killed between its renames.
    Files.deleteIfExists(with(path, ".previous"));
  }

  /** Readers keep the file that they opened; the name leads to the old archive or the new one at every moment. */
  private void swap(Path next) throws IOException {
    Deltas.sync(next);
    if (Files.exists(path)) {
      Path link = with(path, ".previous.new");
      Files.deleteIfExists(link);
      Files.createLink(link, path);
      Files.move(link, with(path, ".previous"), StandardCopyOption.ATOMIC_MOVE);
      // Where a killed run had linked both names to the same file, a rename does nothing.
      Files.deleteIfExists(link);
    }
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
    Deltas.sync(path.getParent());
  }

  /** The path of a complete download with the right digest; one that was cut off goes on where it ended. */
  private static Path fetched(URI list, UpdateList.Entry entry, Path folder) throws IOException {
    Path part = folder.resolve(entry.file() + ".part");
    long size = Files.exists(part) ? Files.size(part) : 0;
    if (size < entry.bytes()) {
      HttpURLConnection connection = open(address(list, entry.file()).toURL());
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
  private static URI address(URI list, String name) {
    try {
      return list.resolve(new URI(null, null, "./" + name, null));
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

  private Path remembered() {
    return path.resolveSibling(Archive.base(path).replaceFirst("\\.frames$", "") + ".update-state.json");
  }

  private UpdateList.State state(List<String> keys) throws IOException {
    Path remembered = remembered();
    if (!Files.exists(remembered)) return new UpdateList.State(0, keys);
    Map<?, ?> told = (Map<?, ?>) Json.parse(Files.readString(remembered));
    List<String> known = ((List<?>) told.get("keys")).stream().map(String.class::cast).toList();
    return new UpdateList.State((Long) told.get("sequence"), known);
  }

  private void write(UpdateList.State state) throws IOException {
    Path file = with(remembered(), ".new");
    String keys = state.keys().isEmpty() ? "" : "\"" + String.join("\", \"", state.keys()) + "\"";
    Files.writeString(file, "{\"sequence\": " + state.sequence() + ", \"keys\": [" + keys + "]}\n");
    Deltas.sync(file);
    Files.move(file, remembered(), StandardCopyOption.ATOMIC_MOVE);
  }
}
