package quadrille;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
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
  private final File path;
  private final Database.Opener opener;

  /** A file of a list is not there, or another one. */
  static final class Gone extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** The status of a server that does not give a file. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1;
    Refused(String text) { super(text); }
  }

  /** Of an archive, or of the manifest of a series. */
  public Updater(File path, Database.Opener opener) {
    this.path = path.getAbsoluteFile();
    this.opener = opener;
  }

  /**
   * Brings the archive up to a list; whether anything was new. {@code keys} sign the first list: raw public keys in base64. The list has
   * to be the one of the archive that its address names ({@code NAME.updates.json}), else of the archive at the path.
   */
  public boolean update(URI address, List<String> keys) throws IOException {
    UpdateList list = accepted(address, keys);
    if (list.archive == null) throw new QuadrilleException(QuadrilleException.Kind.badList, "a list of a series");
    File next = prepared(path, address, list, list.archive, null);
    if (next != null && !next.equals(path)) swap(next);
    deleteParts(path.getParentFile(), list, Collections.singletonList(list.archive));
    deleteDownloads(path);
    return next != null;
  }

  /** Deletes the downloads of any version of the archive at a path. */
  static void deleteDownloads(File path) throws IOException {
    String base = Archive.base(path), ending = path.getName().substring(base.length());
    String[] names = path.getParentFile().list();
    for (String name : names == null ? new String[0] : names) {
      boolean isOne = name.startsWith(base + ".") && name.endsWith(ending + ".part") && name.length() == base.length() + 17 + ending.length() + 5;
      if (isOne && name.substring(base.length() + 1, base.length() + 17).matches("[0-9a-f]{16}")) Disk.delete(new File(path.getParentFile(), name));
    }
  }

  /** Brings the frames of the manifest, and then the manifest, up to a list; whether anything was new. */
  public boolean updateSeries(URI address, List<String> keys) throws IOException {
    UpdateList list = accepted(address, keys);
    if (list.manifest == null) throw new QuadrilleException(QuadrilleException.Kind.badList, "a list of an archive");
    File folder = new File(path.getParentFile(), list.folder);
    if (Disk.SYSTEM.isLink(folder)) {
      throw new QuadrilleException(QuadrilleException.Kind.badName, folder + " is a link, so its files may be others' own: make it a folder");
    }
    if (!folder.mkdirs() && !folder.isDirectory()) throw new IOException(folder + " cannot be made");
    URI from = address(address, list.folder + "/");
    Set<String> gone = frames(list.folder);
    Map<File, File> ready = new LinkedHashMap<>();
    for (UpdateList.Entry frame : list.frames) {
      File target = new File(folder, frame.file());
      gone.remove(frame.file());
      File next = prepared(target, from, list, frame, frame.file());
      if (next != null) ready.put(target, next);
    }
    if (!path.exists() || !Disk.digest(path).equals(list.manifest.sha256())) ready.put(path, whole(address, list.manifest, path.getParentFile(), null));
    for (Map.Entry<File, File> one : ready.entrySet()) {
      Disk.sync(one.getValue());
      Disk.SYSTEM.move(one.getValue(), one.getKey());
    }
    Disk.SYSTEM.syncFolder(folder);
    deleteParts(folder, list, list.frames);
    for (String frame : gone) Disk.delete(new File(folder, frame));
    return !ready.isEmpty();
  }

  /** Deletes the downloads of a list's files, those of killed runs among them. */
  private static void deleteParts(File folder, UpdateList list, List<UpdateList.Entry> wholes) throws IOException {
    for (List<UpdateList.Entry> entries : Arrays.asList(list.deltas, wholes)) {
      for (UpdateList.Entry entry : entries) Disk.delete(part(folder, entry));
    }
  }

  /** The download of a file, by the name under which the server has it. */
  static File part(File folder, UpdateList.Entry entry) {
    return new File(folder, entry.download() + ".part");
  }

  /** The archives that the manifest names in the folder of its series; none elsewhere, and none where it is damaged. */
  private Set<String> frames(String folder) throws IOException {
    Set<String> names = new HashSet<>();
    if (!path.exists()) return names;
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
   * The path of the new archive beside the one at a path, or this one, changed in place; null if nothing is new. A delta that is gone from the server, or another one
   * there, is left out: the next way is taken, and in the end the whole file. So it is where deltas do not make the archive of the list,
   * since the one at the path is damaged.
   */
  private File prepared(File path, URI address, UpdateList list, UpdateList.Entry whole, String frame) throws IOException {
    requireReadable(whole);
    File next = Disk.with(path, ".new"), folder = path.getParentFile();
    deleteLeft(next);
    InPlace.settle(path, opener);
    Map<String, String> has = metadata(path, opener);
    boolean mayChange = frame == null;
    if (frame == null && list.path(text(has, "quadrille:digest"), has.get("quadrille:taps"), null, Collections.<String>emptySet()) == null) {
      File begun = resumed(address, list, folder);
      if (begun != null) {
        path = begun;
        mayChange = false;
        has = metadata(begun, opener);
      }
    }
    Set<String> without = new HashSet<>();
    for (int tries = 0; tries < WAYS; tries++) {
      List<UpdateList.Entry> way = list.path(text(has, "quadrille:digest"), has.get("quadrille:taps"), frame, without);
      if (way == null) break;
      if (way.isEmpty()) return null;
      try {
        List<File> files = new ArrayList<>();
        for (UpdateList.Entry entry : way) files.add(fetched(address, entry, folder, without, null));
        if (mayChange && InPlace.change(path, files, opener, archive -> prove(archive, whole))) {
          Disk.SYSTEM.syncFolder(folder);
          return path;
        }
        Deltas.apply(path, files, next, opener);
        return proved(next, whole);
      } catch (Gone error) {
        continue;
      } catch (QuadrilleException error) {
        if (error.kind == QuadrilleException.Kind.cutOff || error.kind == QuadrilleException.Kind.disk) throw error;
        break;
      }
    }
    Disk.delete(Disk.with(next, "-journal"));
    Disk.SYSTEM.move(whole(address, whole, folder, null), next);
    return proved(next, whole);
  }

  private static String text(Map<String, String> metadata, String name) {
    return metadata.containsKey(name) ? metadata.get(name) : "";
  }

  private static void requireReadable(UpdateList.Entry whole) {
    if (!whole.file().endsWith(".pmtiles")) return;
    String text = whole.file() + " is a PMTiles file, which this reader does not read: publish an .mbtiles file";
    throw new QuadrilleException(QuadrilleException.Kind.notAnArchive, text);
  }

  /**
   * An earlier archive whose download has begun, completed, if it and the deltas from there have fewer bytes than the whole; null without
   * one.
   */
  private static File resumed(URI address, UpdateList list, File folder) throws IOException {
    UpdateList.Entry best = null;
    long size = list.archive.bytes() - part(folder, list.archive).length();
    for (UpdateList.Entry entry : list.earlier) {
      List<UpdateList.Entry> way = list.path(entry.text("digest"), entry.text("taps"), null, Collections.<String>emptySet());
      long begun = part(folder, entry).length(), rest = entry.bytes() - begun;
      if (way == null || way.isEmpty() || begun == 0) continue;
      for (UpdateList.Entry delta : way) rest += delta.bytes();
      if (rest >= size) continue;
      best = entry;
      size = rest;
    }
    try {
      return best == null ? null : fetched(address, best, folder, new HashSet<>(), null);
    } catch (Gone error) {
      return null;
    }
  }

  /** Deletes what a killed run has left of a new archive: the file, its journal, and the journal over it and a delta. */
  private static void deleteLeft(File next) throws IOException {
    Disk.delete(next);
    Disk.delete(Disk.with(next, "-journal"));
    String[] names = next.getParentFile().list();
    for (String name : names == null ? new String[0] : names) {
      if (name.startsWith(next.getName() + "-mj")) Disk.delete(new File(next.getParentFile(), name));
    }
  }

  /** What the archive at a path says of itself; nothing if there is none, or a damaged one, which no delta can change. */
  static Map<String, String> metadata(File path, Database.Opener opener) {
    try (Archive archive = new Archive(path, opener)) {
      return archive.metadata;
    } catch (QuadrilleException error) {
      return Collections.emptyMap();
    }
  }

  /** The path of a new archive that is the one of the list. */
  private File proved(File next, UpdateList.Entry whole) {
    try (Archive archive = new Archive(next, opener)) {
      prove(archive, whole);
    }
    return next;
  }

  private static void prove(Archive archive, UpdateList.Entry whole) {
    if (!archive.verify().equals(whole.text("digest"))) throw Block.damaged("the new archive is another one");
  }

  /** Puts a whole archive in the place of this one. */
  void replace(URI address, UpdateList.Entry whole, PackSet.Progress progress) throws IOException {
    requireReadable(whole);
    File next = Disk.with(path, ".new");
    deleteLeft(next);
    Disk.SYSTEM.move(whole(address, whole, path.getParentFile(), progress), next);
    swap(proved(next, whole));
  }

  /** Puts the previous archive back. */
  public void rollBack() throws IOException {
    if (InPlace.rollBack(path, opener)) {
      Disk.SYSTEM.syncFolder(path.getParentFile());
      return;
    }
    Disk.SYSTEM.move(Disk.with(path, ".previous"), path);
    // A rename does nothing where both are names of one file, as an update leaves them that was killed between its renames.
    Disk.delete(Disk.with(path, ".previous"));
  }

  /** Readers keep the file that they opened; the name leads to the old archive or the new one at every moment. */
  void swap(File next) throws IOException {
    Disk.sync(next);
    if (path.exists()) {
      File link = Disk.with(path, ".previous.new");
      Disk.delete(link);
      link(path, link);
      Disk.SYSTEM.move(link, Disk.with(path, ".previous"));
      // Where a killed run had linked both names to the same file, a rename does nothing.
      Disk.delete(link);
    }
    Disk.SYSTEM.move(next, path);
    Disk.SYSTEM.syncFolder(path.getParentFile());
  }

  /** Gives a file a second name, or copies it: Android, FAT and others have no hard links for apps. */
  private static void link(File path, File name) throws IOException {
    if (Disk.SYSTEM.link(path, name)) return;
    Disk.copy(path, name);
    Disk.sync(name);
  }

  /** The path of a whole file, which there is no other way to get. */
  private static File whole(URI list, UpdateList.Entry entry, File folder, PackSet.Progress progress) throws IOException {
    try {
      return fetched(list, entry, folder, null, progress);
    } catch (Gone error) {
      throw new IllegalStateException(error);
    }
  }

  /**
   * The path of a complete download with the right digest; one that was cut off goes on where it ended. Where there is another way,
   * {@code without} receives the name of a file that is not to be had.
   */
  static File fetched(URI list, UpdateList.Entry entry, File folder, Set<String> without, PackSet.Progress progress)
      throws IOException, Gone {
    File part = part(folder, entry);
    if (Disk.SYSTEM.isLink(part)) Disk.delete(part);
    int status = 0;
    for (boolean isAgain = part.exists(); ; isAgain = false) {
      status = received(list, entry, part, progress);
      if (status == 200 && part.length() == entry.bytes() && Disk.digest(part).equals(entry.sha256())) return part;
      if (status == 200 || status == 416) Disk.delete(part);
      // What was there may have been of another file.
      if (!isAgain || (status != 200 && status != 416)) break;
    }
    boolean isGone = status == 200 || (status >= 400 && status < 500 && status != 408 && status != 425 && status != 429);
    if (isGone && without != null) {
      without.add(entry.file());
      throw new Gone();
    }
    if (status == 200) throw new QuadrilleException(QuadrilleException.Kind.wrongBytes, entry.file());
    throw new Refused(entry.file() + ": " + status);
  }

  /** Receives what is missing of a file: 200 if there is as much as the server has, else the status of its answer. */
  private static int received(URI list, UpdateList.Entry entry, File part, PackSet.Progress progress) throws IOException {
    long size = part.exists() ? part.length() : 0;
    if (size >= entry.bytes() && size > 0) return 200;
    HttpURLConnection connection = open(address(list, entry.download()).toURL());
    // A range counts bytes of the file, so these may not be packed.
    connection.setRequestProperty("Accept-Encoding", "identity");
    if (size > 0) connection.setRequestProperty("Range", "bytes=" + size + "-");
    int status = connection.getResponseCode();
    if (status != 200 && status != 206) return status;
    String length = connection.getHeaderField("Content-Length");
    long written = status == 206 ? size : 0, left = length == null || !length.matches("\\d{1,18}") ? -1 : Long.parseLong(length);
    try (InputStream in = connection.getInputStream(); OutputStream out = new FileOutputStream(part, status == 206)) {
      byte[] bytes = new byte[1 << 16];
      for (int count = in.read(bytes); count > 0 && written <= entry.bytes(); count = in.read(bytes)) {
        out.write(bytes, 0, count);
        written += count;
        left -= count;
        if (progress != null) progress.heard(written, entry.bytes());
      }
    }
    if (written < entry.bytes() && left != 0) throw new QuadrilleException(QuadrilleException.Kind.cutOff, entry.file());
    return 200;
  }

  /** The address of a file beside the list. */
  static URI address(URI list, String name) {
    try {
      return list.resolve(new URI(null, null, "./" + name, null));
    } catch (java.net.URISyntaxException error) {
      throw new QuadrilleException(QuadrilleException.Kind.badName, name);
    }
  }

  static HttpURLConnection open(URL url) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setConnectTimeout(TIMEOUT);
    connection.setReadTimeout(TIMEOUT);
    return connection;
  }

  /** The bytes of a list, as far as one may be long. */
  private static byte[] read(URL url) throws IOException {
    HttpURLConnection connection = open(url);
    int status = connection.getResponseCode();
    if (status >= 400 && status < 500) throw new FileNotFoundException(url + ": " + status);
    try (InputStream in = connection.getInputStream()) {
      return Disk.read(in, LIST_LIMIT);
    }
  }

  /** A list of an archive or series. That it was accepted is remembered before anything else is fetched. */
  UpdateList accepted(URI address, List<String> keys) throws IOException {
    String base = Archive.base(path).replaceFirst("\\.frames$", ""), named = UpdateList.archiveName(address);
    UpdateList[] list = new UpdateList[1];
    accepted(address, keys, new File(path.getParentFile(), base + ".update-state.json"), (data, before) -> {
      list[0] = new UpdateList(data, before, named == null ? base : named);
      return new Accepted(list[0].state, () -> {});
    });
    return list[0];
  }

  /** What a list leads to: the state to remember, and what is done when it is remembered. */
  record Accepted(UpdateList.State state, Step step) {}

  interface Step {
    void run() throws IOException;
  }

  /** Checks the bytes of a list. */
  interface Check {
    Accepted accepted(byte[] data, UpdateList.State before);
  }

  static void accepted(URI address, List<String> keys, File remembered, Check check) throws IOException {
    String text = remembered.exists() ? Json.read(remembered) : null;
    Accepted found = check.accepted(read(address.toURL()), UpdateList.State.of(text, keys));
    if (!found.state.text().equals(text)) write(remembered, found.state.text().getBytes(StandardCharsets.UTF_8));
    found.step.run();
  }

  static void write(File file, byte[] bytes) throws IOException {
    File next = Disk.with(file, ".new");
    Disk.delete(next);
    Disk.write(next, bytes);
    Disk.SYSTEM.move(next, file);
  }
}
