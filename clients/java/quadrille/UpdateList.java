package quadrille;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** A checked list of updates (docs/updates.md): signatures, limits, and the cheapest path. */
public final class UpdateList {
  private static final int PROTOCOL = 1, LIST_LIMIT = 16 << 20, DELTA_LIMIT = 100_000;
  private static final long BYTE_LIMIT = 1L << 53;

  /** What a client remembers of a list: its sequence, and the raw public keys in base64 that it trusts. */
  public record State(long sequence, List<String> keys) {}

  /** A file of the list: an archive, a manifest, or a delta with its {@code before} and {@code after}. */
  public record Entry(Map<String, Object> members) {
    public String file() { return (String) members.get("file"); }
    public long bytes() { return ((Number) members.get("bytes")).longValue(); }
    public String sha256() { return (String) members.get("sha256"); }
    public String text(String name) { return members.get(name) instanceof String text ? text : ""; }
  }

  public final State state;
  public final List<Entry> deltas;
  /** Null in the list of a series. */
  public final Entry archive;
  /** Null in the list of an archive. */
  public final Entry manifest;
  public final List<Entry> frames;
  /** Where the frames and their deltas are, beside the list; null if they are beside it themselves. */
  public final String folder;

  /** Checks the text of {@code NAME.updates.json}; without keys in the state, unsigned lists are taken. */
  public UpdateList(byte[] data, State before) {
    if (data.length > LIST_LIMIT) throw bad("too long");
    Map<String, Object> outer = object(new String(data, StandardCharsets.UTF_8));
    if (!(outer.get("list") instanceof String text)) throw bad("no list");
    List<Map<String, Object>> signatures = objects(outer.get("signatures"));
    if (!before.keys.isEmpty()) checkSignatures(text, signatures, before.keys);
    Map<String, Object> list = object(text);
    if (!Long.valueOf(1).equals(list.get("format")) || !isWhole(list.get("minimumClient"))) throw bad("another format");
    if ((Long) list.get("minimumClient") > PROTOCOL) throw new QuadrilleException(QuadrilleException.Kind.clientTooOld, "");
    if (!isWhole(list.get("sequence"))) throw bad("no sequence");
    deltas = entries(objects(list.get("deltas")));
    if (deltas.size() > DELTA_LIMIT) throw bad("too many deltas");
    for (Entry delta : deltas) {
      if (delta.text("before").isEmpty() || delta.text("after").isEmpty()) throw bad("a delta without digests");
    }
    boolean isSeries = list.containsKey("series");
    Map<String, Object> series = isSeries ? member(list.get("series")) : Map.of();
    archive = isSeries ? null : entry(member(list.get("archive")));
    manifest = isSeries ? entry(member(series.get("manifest"))) : null;
    frames = isSeries ? entries(objects(series.get("frames"))) : List.of();
    folder = series.containsKey("folder") ? String.valueOf(series.get("folder")) : null;
    List<String> keys = new ArrayList<>();
    for (Map<String, Object> key : objects(list.getOrDefault("keys", List.of()))) {
      if (decoded(key.get("key")).length != 32) throw bad("no keys");
      keys.add((String) key.get("key"));
    }
    checkNames();
    long sequence = (Long) list.get("sequence");
    if (sequence < before.sequence) throw new QuadrilleException(QuadrilleException.Kind.replayed, sequence + " after " + before.sequence);
    state = new State(sequence, keys.isEmpty() || before.keys.isEmpty() ? before.keys : keys);
  }

  private void checkNames() {
    List<String> names = new ArrayList<>(List.of(archive == null ? manifest.file() : archive.file()));
    for (Entry delta : deltas) names.add(delta.file());
    for (Entry frame : frames) names.add(frame.file());
    if (folder != null) names.add(folder);
    for (String name : names) {
      if (name.isEmpty() || name.startsWith(".") || name.matches("(?s).*[/\\\\\\x00].*")) {
        throw new QuadrilleException(QuadrilleException.Kind.badName, name);
      }
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
   * more. {@code frame} is the file of a frame, null without a series.
   */
  public List<Entry> path(String digest, String taps, String frame) {
    Entry whole = frame == null ? archive : frames.stream().filter(one -> one.file().equals(frame)).findFirst().orElseThrow();
    String end = whole.text("digest") + " " + whole.text("taps");
    Map<String, List<Entry>> steps = new HashMap<>();
    for (Entry delta : deltas) {
      if (!delta.text("frame").equals(frame == null ? "" : frame)) continue;
      steps.computeIfAbsent(delta.text("before") + " " + delta.text("tapsBefore"), key -> new ArrayList<>()).add(delta);
    }
    PriorityQueue<Way> ways = new PriorityQueue<>();
    Set<String> done = new HashSet<>();
    ways.add(new Way(0, digest + " " + (taps == null ? "" : taps), List.of()));
    while (!ways.isEmpty()) {
      Way best = ways.remove();
      if (best.state.equals(end)) return best.path.isEmpty() || best.bytes < whole.bytes() ? best.path : null;
      if (!done.add(best.state)) continue;
      for (Entry delta : steps.getOrDefault(best.state, List.of())) {
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

  private static QuadrilleException bad(String text) {
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
  private static Map<String, Object> member(Object value) {
    if (value instanceof Map) return (Map<String, Object>) value;
    throw bad("no object");
  }

  private static List<Map<String, Object>> objects(Object value) {
    if (!(value instanceof List<?> list)) throw bad("no list");
    return list.stream().map(UpdateList::member).toList();
  }

  private static List<Entry> entries(List<Map<String, Object>> members) {
    return members.stream().map(UpdateList::entry).toList();
  }

  private static Entry entry(Map<String, Object> members) {
    boolean isRight = members.get("file") instanceof String && isWhole(members.get("bytes")) && members.get("sha256") instanceof String;
    if (!isRight) throw bad("members of a wrong type or beyond the limits");
    return new Entry(members);
  }

  private static boolean isWhole(Object value) {
    return value instanceof Long number && number >= 0 && number <= BYTE_LIMIT;
  }

  private static byte[] decoded(Object base64) {
    try {
      return base64 instanceof String text ? Base64.getDecoder().decode(text) : new byte[0];
    } catch (IllegalArgumentException error) {
      return new byte[0];
    }
  }
}
