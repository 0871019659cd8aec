package quadrille;

import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** A checked list of updates (docs/updates.md): signatures, limits, and the cheapest path. */
public final class UpdateList {
  static final int PROTOCOL = 2, LIST_LIMIT = 16 << 20, DELTA_LIMIT = 100_000;
  private static final long BYTE_LIMIT = 1L << 53;

  /** What a client remembers: the sequence of the last list, the raw public keys in base64 that it trusts, and those that the app brought. */
  public record State(long sequence, List<String> keys, List<String> anchors) {
    /**
     * The state in the text of {@code NAME.update-state.json}, which may be null. What is damaged counts as none. The keys of the text
     * count only where it was written for the same keys of the app.
     */
    public static State of(String text, List<String> keys) {
      State fresh = new State(0, keys, keys);
      Map<?, ?> told;
      try {
        told = text != null && Json.parse(text) instanceof Map<?, ?> map ? map : Collections.emptyMap();
      } catch (IllegalArgumentException error) {
        return fresh;
      }
      if (!isWhole(told.get("sequence")) || !(told.get("keys") instanceof List<?> list)) return fresh;
      List<String> known = new ArrayList<>();
      for (Object key : list) if (decoded(key).length == 32) known.add((String) key);
      boolean isKnown = keys.equals(told.get("anchors")) && !keys.isEmpty() && !known.isEmpty() && known.size() == list.size();
      return new State((Long) told.get("sequence"), isKnown ? known : keys, keys);
    }

    /** The text to store. */
    public String text() {
      return "{\"sequence\": " + sequence + ", \"keys\": " + list(keys) + ", \"anchors\": " + list(anchors) + "}\n";
    }

    private static String list(List<String> keys) {
      StringBuilder list = new StringBuilder("[");
      for (String key : keys) list.append(list.length() > 1 ? ", \"" : "\"").append(key).append('"');
      return list.append(']').toString();
    }
  }

  /** A file of the list: an archive, a manifest, or a delta with its {@code before} and {@code after}. */
  public record Entry(Map<String, Object> members) {
    public String file() { return (String) members.get("file"); }
    public long bytes() { return ((Number) members.get("bytes")).longValue(); }
    public String sha256() { return (String) members.get("sha256"); }
    /** The name under which a server has the file, whose content no publication changes if the list gives one. */
    public String download() { return members.get("download") instanceof String name ? name : file(); }
    public String text(String name) { return members.get(name) instanceof String text ? text : ""; }

    /** The chunks of an archive; null without any. */
    Chunks chunks() {
      if (members.get("chunks") == null) return null;
      QuadrilleException wrong = bad("the chunks of '" + file() + "' are not its own");
      if (!(members.get("chunks") instanceof Map<?, ?> told) || !(told.get("bytes") instanceof Long size)) throw wrong;
      byte[] hashes = decoded(told.get("hashes"));
      if (size < Chunks.LEAST || size > Chunks.MOST || (size & (size - 1)) != 0) throw wrong;
      if (hashes.length != (bytes() + size - 1) / size * Chunks.HASH) throw wrong;
      List<String> names = new ArrayList<>();
      for (int at = 0; at < hashes.length; at += Chunks.HASH) names.add(Archive.hex(Arrays.copyOfRange(hashes, at, at + Chunks.HASH)));
      return new Chunks((int) (long) size, names);
    }
  }

  /** The hashes of the chunks of an archive's file, by which parts of it are trusted, in hexadecimal digits. */
  record Chunks(int size, List<String> names) {
    /** The bytes of a hash, the first ones of a SHA-256, and the sizes that a list may name: a chunk holds whole pages. */
    static final int HASH = 16, LEAST = 1 << 16, MOST = 1 << 30;
  }

  public final State state;
  public final List<Entry> deltas;
  /** Null in the list of a series. */
  public final Entry archive;
  /** Null in the list of an archive. */
  public final Entry manifest;
  public final List<Entry> frames;
  /** Archives before the published one that are still on the server, and from which deltas lead on. */
  public final List<Entry> earlier;
  /** Where the frames and their deltas are, beside the list; null if they are beside it themselves. */
  public final String folder;

  /**
   * Checks the text of {@code NAME.updates.json}; without keys in the state, unsigned lists are taken. {@code name} is the name of the
   * archive or series that is asked for: the list of another one is refused, although the same keys sign it.
   */
  public UpdateList(byte[] data, State before, String name) {
    this(data, before, name, now());
  }

  /** The same at an instant, in seconds since 1970, by which a list that has an end is refused. */
  public UpdateList(byte[] data, State before, String name, long now) {
    Map<String, Object> list = signed(data, before);
    if (!isWhole(list.get("sequence"))) throw bad("no sequence");
    deltas = entries(objects(list.get("deltas")), "before", "after");
    if (deltas.size() > DELTA_LIMIT) throw bad("too many deltas");
    boolean isSeries = list.containsKey("series");
    if (isSeries == list.containsKey("archive")) throw bad("not one of archive and series");
    Map<String, Object> series = isSeries ? member(list.get("series")) : Collections.emptyMap();
    archive = isSeries ? null : entry(member(list.get("archive")), "digest");
    manifest = isSeries ? entry(member(series.get("manifest"))) : null;
    frames = isSeries ? entries(objects(series.get("frames")), "digest") : Collections.emptyList();
    earlier = list.get("earlier") == null ? Collections.emptyList() : entries(objects(list.get("earlier")), "digest");
    if (earlier.size() > DELTA_LIMIT) throw bad("too many earlier archives");
    if (isSeries && !(series.get("folder") instanceof String)) throw bad("no folder");
    folder = (String) series.get("folder");
    List<String> keys = keys(list);
    if (archive != null) archive.chunks();
    for (List<Entry> wholes : Arrays.asList(frames, earlier)) for (Entry one : wholes) one.chunks();
    checkNames();
    state = after(list, before, keys, isSeries ? manifest.file() : archive.file(), name, now);
  }

  static long now() {
    return System.currentTimeMillis() / 1000;
  }

  /** The list in an envelope, which one of the keys of a state signed if it has any. */
  static Map<String, Object> signed(byte[] data, State before) {
    if (data.length > LIST_LIMIT) throw bad("too long");
    Map<String, Object> outer = object(new String(data, StandardCharsets.UTF_8));
    if (!(outer.get("list") instanceof String text)) throw bad("no list");
    List<Map<String, Object>> signatures = objects(outer.get("signatures"));
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) throw bad("it cannot be written in UTF-8");
    if (!before.keys.isEmpty()) checkSignatures(text, signatures, before.keys);
    Map<String, Object> list = object(text);
    if (!Long.valueOf(1).equals(list.get("format")) || !isWhole(list.get("minimumClient"))) throw bad("another format");
    if ((Long) list.get("minimumClient") > PROTOCOL) throw new QuadrilleException(QuadrilleException.Kind.clientTooOld, "");
    return list;
  }

  /** The keys that sign from now on; checks the end of the list, too. */
  static List<String> keys(Map<String, Object> list) {
    if (list.get("expires") != null && !isWhole(list.get("expires"))) throw bad("an end that is none");
    List<String> keys = new ArrayList<>();
    for (Map<String, Object> key : objects(list.get("keys") == null ? Collections.emptyList() : list.get("keys"))) {
      if (decoded(key.get("key")).length != 32) throw bad("no keys");
      keys.add((String) key.get("key"));
    }
    return keys;
  }

  /** The state after a list of a file, which has to be of a name. */
  static State after(Map<String, Object> list, State before, List<String> keys, String file, String name, long now) {
    if (!stem(file).equals(name)) {
      throw new QuadrilleException(QuadrilleException.Kind.otherArchive, "'" + stem(file) + "' in the place of '" + name + "'");
    }
    long sequence = (Long) list.get("sequence");
    if (sequence < before.sequence) throw new QuadrilleException(QuadrilleException.Kind.replayed, sequence + " after " + before.sequence);
    if (list.get("expires") != null && (Long) list.get("expires") <= now) {
      String text = "valid until " + list.get("expires") + ", and the clock says " + now + ": the server has no newer list, or the clock is wrong";
      throw new QuadrilleException(QuadrilleException.Kind.expired, text);
    }
    return new State(sequence, keys.isEmpty() || before.keys.isEmpty() ? before.keys : keys, before.anchors);
  }

  private void checkNames() {
    List<String> names = new ArrayList<>();
    Set<String> files = new HashSet<>();
    for (Entry frame : frames) {
      names.addAll(Arrays.asList(frame.file(), frame.download()));
      if (!files.add(frame.file())) throw bad("a frame twice");
    }
    for (Entry one : earlier) names.addAll(Arrays.asList(one.file(), one.download()));
    names.add(archive == null ? manifest.file() : archive.file());
    if (archive != null) names.add(archive.download());
    if (folder != null) names.add(folder);
    for (Entry delta : deltas) {
      names.add(delta.file());
      Object frame = delta.members.get("frame");
      if (frame != null && !(frame instanceof String)) throw bad("a frame that is no text");
      if (frame != null) names.add((String) frame);
    }
    for (String name : names) {
      if (!isPlain(name)) throw new QuadrilleException(QuadrilleException.Kind.badName, name);
    }
  }

  /** Whether a name is one component of a path on every system: no folder, no drive, not hidden. */
  static boolean isPlain(String name) {
    boolean isOne = name.matches("(?s)[^./\\\\\\x00-\\x1f][^/\\\\\\x00-\\x1f]*") && !name.matches("(?s)[A-Za-z]:.*");
    return isOne && StandardCharsets.UTF_8.newEncoder().canEncode(name) && name.getBytes(StandardCharsets.UTF_8).length <= 255;
  }

  /** The name of an archive or of a series by the name of its file. */
  static String stem(String file) {
    return file.replaceFirst("\\.(?:mbtiles|pmtiles|frames\\.json)$", "");
  }

  /** The name in an address that ends with {@code NAME.updates.json}; null in another one. */
  public static String archiveName(URI address) {
    return archiveName(address, ".updates.json");
  }

  static String archiveName(URI address, String ending) {
    String path = address.getRawPath() == null ? "" : address.getRawPath(), last = path.substring(path.lastIndexOf('/') + 1);
    if (!last.endsWith(ending)) return null;
    try {
      return URLDecoder.decode(last.substring(0, last.length() - ending.length()).replace("+", "%2B"), "UTF-8");
    } catch (IllegalArgumentException | UnsupportedEncodingException error) {
      return null;
    }
  }

  private static void checkSignatures(String list, List<Map<String, Object>> signatures, List<String> keys) {
    Map<String, byte[]> trusted = new HashMap<>();
    for (String key : keys) trusted.put(Archive.hex(Arrays.copyOf(Archive.sha256(decoded(key)), 8)), decoded(key));
    byte[] message = ("quadrille-updates-1\n" + list).getBytes(StandardCharsets.UTF_8);
    boolean isKnown = false;
    for (Map<String, Object> one : signatures) {
      byte[] key = trusted.get(one.get("key"));
      isKnown |= key != null;
      if (key != null && Ed25519.isSigned(key, message, decoded(one.get("signature")))) return;
    }
    throw new QuadrilleException(
        isKnown ? QuadrilleException.Kind.badSignature
            : signatures.isEmpty() ? QuadrilleException.Kind.unsigned : QuadrilleException.Kind.untrusted, "");
  }

  /**
   * The deltas to fetch, in order, from an archive of such digests; none if nothing is new, and null where the whole file costs no
   * more. {@code frame} is the file of a frame, null without a series; {@code without} has the names of files that are not to be had.
   */
  public List<Entry> path(String digest, String taps, String frame, Set<String> without) {
    Entry whole = archive;
    for (Entry one : frames) if (one.file().equals(frame)) whole = one;
    String end = whole.text("digest") + " " + whole.text("taps");
    Map<String, List<Entry>> steps = new HashMap<>();
    for (Entry delta : deltas) {
      if (!delta.text("frame").equals(frame == null ? "" : frame) || without.contains(delta.file())) continue;
      String before = delta.text("before") + " " + delta.text("tapsBefore");
      if (!steps.containsKey(before)) steps.put(before, new ArrayList<>());
      steps.get(before).add(delta);
    }
    PriorityQueue<Way> ways = new PriorityQueue<>();
    Set<String> done = new HashSet<>();
    ways.add(new Way(0, digest + " " + (taps == null ? "" : taps), Collections.emptyList()));
    while (!ways.isEmpty()) {
      Way best = ways.remove();
      if (best.state.equals(end)) return best.path.isEmpty() || best.bytes < whole.bytes() ? best.path : null;
      if (!done.add(best.state)) continue;
      for (Entry delta : steps.containsKey(best.state) ? steps.get(best.state) : Collections.<Entry>emptyList()) {
        List<Entry> path = new ArrayList<>(best.path);
        path.add(delta);
        ways.add(new Way(best.bytes + delta.bytes(), delta.text("after") + " " + delta.text("tapsAfter"), path));
      }
    }
    return null;
  }

  /** Fewer bytes come first; of equal ones fewer files, then those whose names come first. */
  private record Way(long bytes, String state, List<Entry> path) implements Comparable<Way> {
    @Override
    public int compareTo(Way other) {
      if (bytes != other.bytes) return Long.compare(bytes, other.bytes);
      if (path.size() != other.path.size()) return Integer.compare(path.size(), other.path.size());
      for (int i = 0; i < path.size(); i++) {
        int order = path.get(i).file().compareTo(other.path.get(i).file());
        if (order != 0) return order;
      }
      return 0;
    }
  }

  static QuadrilleException bad(String text) {
    return new QuadrilleException(QuadrilleException.Kind.badList, text);
  }

  private static Map<String, Object> object(String text) {
    try {
      return member(Json.parse(text));
    } catch (IllegalArgumentException error) {
      throw bad(error.getMessage());
    }
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> member(Object value) {
    if (value instanceof Map) return (Map<String, Object>) value;
    throw bad("no object");
  }

  static List<Map<String, Object>> objects(Object value) {
    if (!(value instanceof List<?> list)) throw bad("no list");
    List<Map<String, Object>> members = new ArrayList<>();
    for (Object one : list) members.add(member(one));
    return members;
  }

  private static List<Entry> entries(List<Map<String, Object>> members, String... digests) {
    List<Entry> entries = new ArrayList<>();
    for (Map<String, Object> one : members) entries.add(entry(one, digests));
    return entries;
  }

  static Entry entry(Map<String, Object> members, String... digests) {
    boolean isRight = members.get("file") instanceof String && isWhole(members.get("bytes")) && isDigest(members.get("sha256"));
    isRight &= members.get("download") == null || members.get("download") instanceof String;
    for (String name : digests) isRight &= isDigest(members.get(name));
    for (String name : new String[] {"taps", "tapsBefore", "tapsAfter"}) isRight &= members.get(name) == null || isDigest(members.get(name));
    if (!isRight) throw bad("members of a wrong type or beyond the limits");
    return new Entry(members);
  }

  private static boolean isDigest(Object value) {
    return value instanceof String text && text.matches("[0-9a-f]{64}");
  }

  static boolean isWhole(Object value) {
    return value instanceof Long number && number >= 0 && number <= BYTE_LIMIT;
  }

  private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  /** The bytes of a text in base64; none if it is not such a text. */
  static byte[] decoded(Object base64) {
    if (!(base64 instanceof String text) || !text.matches("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?")) return new byte[0];
    byte[] bytes = new byte[text.replace("=", "").length() * 6 / 8];
    int bits = 0, count = 0;
    for (int i = 0, at = 0; at < bytes.length; i++) {
      bits = bits << 6 | BASE64.indexOf(text.charAt(i));
      count += 6;
      if (count >= 8) bytes[at++] = (byte) (bits >> (count -= 8));
    }
    return bytes;
  }
}
