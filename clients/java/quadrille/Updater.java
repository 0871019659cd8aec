package quadrille;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keeps an archive up to date over http: resumes what was cut off, and leaves the old archive or the new one. */
public final class Updater {
  private static final int LIST_LIMIT = 16 << 20, TIMEOUT = 60_000;
  /** The most ways of deltas that are tried before the whole file. */
  private static final int WAYS = 10;
  private final Path path;
  private final Database.Opener opener;

  /** A file of a list is not there, or another one. */
  private static final class Gone extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** Of an archive, or of the manifest of a series. */
  public Updater(Path path, Database.Opener opener) {
    this.path = path.toAbsolutePath();
    this.opener = opener;
  }

  private static Path with(Path path, String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  /**
   * Brings the archive up to a list; whether anything was new. {@code keys} sign the first list: raw public keys in base64. The list has
   * to be the one of the archive that its address names ({@code NAME.updates.json}), else of the archive at the path.
   */
  public boolean update(URI address, List<String> keys) throws IOException {
    UpdateList list = accepted(address, keys);
    if (list.archive == null) throw new QuadrilleException(QuadrilleException.Kind.badList, "a list of a series");
    Path next = prepared(path, address, list, list.archive, null);
    if (next != null) swap(next);
    deleteParts(path.getParent(), list, Collections.singletonList(list.archive));
    return next != null;
  }

  /** Brings the frames of the manifest, and then the manifest, up to a list; whether anything was new. */
  public boolean updateSeries(URI address, List<String> keys) throws IOException {
    UpdateList list = accepted(address, keys);
    if (list.manifest == null) throw new QuadrilleException(QuadrilleException.Kind.badList, "a list of an archive");
    Path folder = path.resolveSibling(list.folder);
    if (Files.isSymbolicLink(folder)) {
      throw new QuadrilleException(QuadrilleException.Kind.badName, folder + " is a link, so its files may be others' own: make it a folder");
    }
    Files.createDirectories(folder);
    URI from = address(address, list.folder + "/");
    Set<String> gone = frames(list.folder);
    Map<Path, Path> ready = new LinkedHashMap<>();
    for (UpdateList.Entry frame : list.frames) {
      Path target = folder.resolve(frame.file());
      gone.remove(frame.file());
      Path next = prepared(target, from, list, frame, frame.file());
      if (next != null) ready.put(target, next);
    }
    if (!Files.exists(path) || !digest(path).equals(list.manifest.sha256())) ready.put(path, whole(address, list.manifest, path.getParent()));
    for (Map.Entry<Path, Path> one : ready.entrySet()) {
      Deltas.sync(one.getValue());
      Files.move(one.getValue(), one.getKey(), StandardCopyOption.ATOMIC_MOVE);
    }
    Deltas.syncFolder(folder);
    deleteParts(folder, list, list.frames);
    for (String frame : gone) Files.deleteIfExists(folder.resolve(frame));
    return !ready.isEmpty();
  }

  /** Deletes the downloads of a list's files, those of killed runs among them. */
  private static void deleteParts(Path folder, UpdateList list, List<UpdateList.Entry> wholes) throws IOException {
    for (List<UpdateList.Entry> entries : Arrays.asList(list.deltas, wholes)) {
      for (UpdateList.Entry entry : entries) Files.deleteIfExists(folder.resolve(entry.file() + ".part"));
    }
  }

  /** The archives that the manifest names in the folder of its series; none elsewhere, and none where it is damaged. */
  private Set<String> frames(String folder) throws IOException {
    Set<String> names = new HashSet<>();
    if (!Files.exists(path)) return names;
    try {
      for (Object frame : (List<?>) ((Map<?, ?>) Json.parse(Json.read(path))).get("frames")) {
        String file = (String) ((Map<?, ?>) frame).get("file"), name = file.startsWith(folder + "/") ? file.substring(folder.length() + 1) : "";
        if (UpdateList.isPlain(name) && !UpdateList.stem(name).equals(name)) names.add(name);
      }
    } catch (ClassCastException | IllegalArgumentException | NullPointerException error) {
      names.clear();
    }
    return names;
  }

  /**
   * The path of the new archive beside the one at a path, null if nothing is new. A delta that is gone from the server, or another one
   * there, is left out: the next way is taken, and in the end the whole file. So it is where deltas do not make the archive of the list,
   * since the one at the path is damaged.
   */
  private Path prepared(Path path, URI address, UpdateList list, UpdateList.Entry whole, String frame) throws IOException {
    Path next = with(path, ".new");
    deleteLeft(next);
    Map<String, String> has = metadata(path);
    Set<String> without = new HashSet<>();
    for (int tries = 0; tries < WAYS; tries++) {
      List<UpdateList.Entry> way = list.path(has.getOrDefault("quadrille:digest", ""), has.get("quadrille:taps"), frame, without);
      if (way == null) break;
      if (way.isEmpty()) return null;
      try {
        List<Path> files = new ArrayList<>();
        for (UpdateList.Entry entry : way) files.add(fetched(address, entry, path.getParent(), without));
        Deltas.apply(path, files, next, opener);
        return proved(next, whole);
      } catch (Gone error) {
        continue;
      } catch (QuadrilleException error) {
        if (error.kind == QuadrilleException.Kind.cutOff || error.kind == QuadrilleException.Kind.disk) throw error;
        break;
      }
    }
    Files.deleteIfExists(with(next, "-journal"));
    Files.move(whole(address, whole, path.getParent()), next, StandardCopyOption.ATOMIC_MOVE);
    return proved(next, whole);
  }

  /** Deletes what a killed run has left of a new archive: the file, its journal, and the journal over it and a delta. */
  private static void deleteLeft(Path next) throws IOException {
    Files.deleteIfExists(next);
    Files.deleteIfExists(with(next, "-journal"));
    String journals = next.getFileName() + "-mj";
    try (DirectoryStream<Path> left = Files.newDirectoryStream(next.getParent(), one -> one.getFileName().toString().startsWith(journals))) {
      for (Path one : left) Files.deleteIfExists(one);
    }
  }

  /** What the archive at a path says of itself; nothing if there is none, or a damaged one, which no delta can change. */
  private Map<String, String> metadata(Path path) throws IOException {
    Map<String, String> told;
    try (Archive archive = new Archive(path, opener)) {
      told = archive.metadata;
    } catch (QuadrilleException error) {
      return Collections.emptyMap();
    }
    byte[] head = new byte[32];
    try (InputStream in = Files.newInputStream(path)) {
      for (int read = 0, count = 0; read < head.length && count >= 0; read += Math.max(count, 0)) count = in.read(head, read, head.length - read);
    }
    long page = (head[16] & 255) << 8 | head[17] & 255, pages = 0;
    for (int i = 28; i < 32; i++) pages = pages << 8 | head[i] & 255;
    return Files.size(path) >= (page == 1 ? 65536 : page) * pages ? told : Collections.emptyMap();
  }

  /** The path of a new archive that is the one of the list. */
  private Path proved(Path next, UpdateList.Entry whole) {
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
      link(path, link);
      Files.move(link, with(path, ".previous"), StandardCopyOption.ATOMIC_MOVE);
      // Where a killed run had linked both names to the same file, a rename does nothing.
      Files.deleteIfExists(link);
    }
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
    Deltas.syncFolder(path.getParent());
  }

  /** Gives a file a second name, or copies it: Android, FAT and others have no hard links for apps. */
  private static void link(Path path, Path name) throws IOException {
    try {
      Files.createLink(name, path);
    } catch (IOException | SecurityException | UnsupportedOperationException error) {
      Files.copy(path, name, StandardCopyOption.REPLACE_EXISTING);
      Deltas.sync(name);
    }
  }

  /** The path of a whole file, which there is no other way to get. */
  private static Path whole(URI list, UpdateList.Entry entry, Path folder) throws IOException {
    try {
      return fetched(list, entry, folder, null);
    } catch (Gone error) {
      throw new IllegalStateException(error);
    }
  }

  /**
   * The path of a complete download with the right digest; one that was cut off goes on where it ended. Where there is another way,
   * {@code without} receives the name of a file that is not to be had.
   */
  private static Path fetched(URI list, UpdateList.Entry entry, Path folder, Set<String> without) throws IOException, Gone {
    Path part = folder.resolve(entry.file() + ".part");
    if (Files.isSymbolicLink(part)) Files.delete(part);
    int status = 0;
    for (boolean isAgain = Files.exists(part); ; isAgain = false) {
      status = received(list, entry, part);
      if (status == 200 && Files.size(part) == entry.bytes() && digest(part).equals(entry.sha256())) return part;
      if (status == 200 || status == 416) Files.deleteIfExists(part);
      // What was there may have been of another file.
      if (!isAgain || (status != 200 && status != 416)) break;
    }
    boolean isGone = status == 200 || (status >= 400 && status < 500 && status != 408 && status != 425 && status != 429);
    if (isGone && without != null) {
      without.add(entry.file());
      throw new Gone();
    }
    if (status == 200) throw new QuadrilleException(QuadrilleException.Kind.wrongBytes, entry.file());
    throw new IOException(entry.file() + ": " + status);
  }

  /** Receives what is missing of a file: 200 if there is as much as the server has, else the status of its answer. */
  private static int received(URI list, UpdateList.Entry entry, Path part) throws IOException {
    long size = Files.exists(part) ? Files.size(part) : 0;
    if (size >= entry.bytes() && size > 0) return 200;
    HttpURLConnection connection = open(address(list, entry.file()).toURL());
    // A range counts bytes of the file, so these may not be packed.
    connection.setRequestProperty("Accept-Encoding", "identity");
    if (size > 0) connection.setRequestProperty("Range", "bytes=" + size + "-");
    int status = connection.getResponseCode();
    if (status != 200 && status != 206) return status;
    StandardOpenOption how = status == 206 ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
    long written = status == 206 ? size : 0, left = connection.getContentLengthLong();
    try (InputStream in = connection.getInputStream();
        OutputStream out = Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
      byte[] bytes = new byte[1 << 16];
      for (int count = in.read(bytes); count > 0 && written <= entry.bytes(); count = in.read(bytes)) {
        out.write(bytes, 0, count);
        written += count;
        left -= count;
      }
    }
    if (written < entry.bytes() && left != 0) throw new QuadrilleException(QuadrilleException.Kind.cutOff, entry.file());
    return 200;
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

  /** The bytes of a list, as far as one may be long. */
  private static byte[] read(URL url) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (InputStream in = open(url).getInputStream()) {
      byte[] bytes = new byte[1 << 16];
      for (int count = in.read(bytes); count > 0 && all.size() <= LIST_LIMIT; count = in.read(bytes)) all.write(bytes, 0, count);
    }
    return all.toByteArray();
  }

  /** The list at an address. That it was accepted is remembered before anything else is fetched. */
  private UpdateList accepted(URI address, List<String> keys) throws IOException {
    String base = Archive.base(path).replaceFirst("\\.frames$", ""), named = UpdateList.archiveName(address);
    Path remembered = path.resolveSibling(base + ".update-state.json");
    String text = Files.exists(remembered) ? Json.read(remembered) : null;
    UpdateList list = new UpdateList(read(address.toURL()), UpdateList.State.of(text, keys), named == null ? base : named);
    if (!list.state.text().equals(text)) write(remembered, list.state.text());
    return list;
  }

  private static void write(Path file, String text) throws IOException {
    Path next = with(file, ".new");
    Files.deleteIfExists(next);
    Files.write(next, text.getBytes(StandardCharsets.UTF_8));
    Deltas.sync(next);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
