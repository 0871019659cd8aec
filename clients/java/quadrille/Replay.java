package quadrille;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Replays the golden vectors ({@code Replay VECTORS}), answers taps ({@code Replay taps ARCHIVE FILE}: lines "lng lat zoom") or boxes
 * ({@code Replay entries ARCHIVE FILE}: lines "west south east north zoom"), or
 * changes bytes at random, whereupon every error has to be one of ours ({@code Replay damage ARCHIVE COUNT}), or updates an archive ({@code Replay update ARCHIVE URL [KEY]…}: says "updated", "nothing new" or the kind of the error), cuts a
 * region ({@code Replay region ARCHIVE URL KEY|- WEST SOUTH EAST NORTH MINZOOM MAXZOOM}) or updates one (without numbers), or the packs
 * beside a list ({@code Replay packs LIST URL KEY [WEST SOUTH EAST NORTH]}), of which it fetches those of a box.
 */
public final class Replay {
  private final Path vectors;
  private final Path ground;

  private Replay(Path vectors, Path ground) {
    this.vectors = vectors;
    this.ground = ground;
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments[0].equals("taps")) {
      taps(Path.of(arguments[1]), Path.of(arguments[2]));
      return;
    }
    if (arguments[0].equals("entries")) {
      entries(Path.of(arguments[1]), Path.of(arguments[2]));
      return;
    }
    if (arguments[0].equals("damage")) {
      damage(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
      return;
    }
    if (arguments[0].equals("packs")) {
      System.out.println(followed(Path.of(arguments[1]), URI.create(arguments[2]), arguments));
      return;
    }
    if (arguments[0].equals("region")) {
      System.out.println(region(new File(arguments[1]), URI.create(arguments[2]), arguments));
      return;
    }
    if (arguments[0].equals("rollback")) {
      System.out.println(rolledBack(new File(arguments[1])));
      return;
    }
    if (arguments[0].equals("update")) {
      System.out.println(updated(Path.of(arguments[1]), URI.create(arguments[2]), List.of(arguments).subList(3, arguments.length)));
      return;
    }
    Path vectors = Path.of(arguments[0]);
    Path ground = Files.createTempDirectory("quadrille");
    try {
      if (!new Replay(vectors, ground).isRight()) System.exit(1);
    } finally {
      try (Stream<Path> files = Files.walk(ground)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }

  /** Cuts a region, of the numbers after the key, or updates one. */
  private static String region(File path, URI address, String[] arguments) {
    List<String> keys = arguments[3].equals("-") ? List.of() : List.of(arguments[3]);
    double[] told = Arrays.stream(arguments).skip(4).mapToDouble(Double::parseDouble).toArray();
    long[] fetched = {0};
    PackSet.Progress progress = (bytes, size) -> fetched[0] = bytes;
    RegionUpdater region = new RegionUpdater(path, JdbcDatabase::open);
    try {
      if (told.length == 0) return (region.update(address, keys, progress) ? "updated " : "nothing new ") + fetched[0];
      region.fetch(address, keys, told[0], told[1], told[2], told[3], (int) told[4], (int) told[5], progress);
      return "fetched " + fetched[0];
    } catch (QuadrilleException error) {
      System.err.println(error);
      return error.kind.toString();
    } catch (IOException error) {
      System.err.println(error);
      return "network";
    }
  }

  private static void damage(Path path, int count) throws IOException {
    byte[] plain = Files.readAllBytes(path);
    Path copy = Files.createTempFile("damaged", ".mbtiles");
    Random random = new Random();
    int fine = 0, refused = 0;
    for (int i = 0; i < count; i++) {
      byte[] data = plain.clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        data[(int) (Math.pow(random.nextDouble(), 2) * data.length)] = (byte) random.nextInt();
      }
      Files.write(copy, data);
      int zoom = i % 11;
      List<Consumer<Archive>> works = new ArrayList<>(List.of(
          Archive::verify, one -> one.search("dG93bnM..dDA"), one -> one.tap(7.5223, 46.9435, zoom), one -> one.tile(5, 16, 11)));
      if (path.toString().contains("shapes")) works.add(one -> one.entries(7, 46, 8, 48, zoom, 1000));
      for (Consumer<Archive> work : works) {
        try (Archive archive = new Archive(copy.toFile(), JdbcDatabase::open)) {
          work.accept(archive);
          fine++;
        } catch (QuadrilleException error) {
          refused++;
        }
      }
    }
    Files.delete(copy);
    System.out.println(fine + " " + refused);
  }

  private static String updated(Path archive, URI list, List<String> keys) {
    try {
      Updater updater = new Updater(archive.toFile(), JdbcDatabase::open);
      boolean isSeries = archive.toString().endsWith(".frames.json");
      return (isSeries ? updater.updateSeries(list, keys) : updater.update(list, keys)) ? "updated" : "nothing new";
    } catch (QuadrilleException error) {
      return error.kind.name();
    } catch (IOException error) {
      return "network";
    }
  }

  private static String rolledBack(File archive) {
    try {
      new Updater(archive, JdbcDatabase::open).rollBack();
      return "rolled back";
    } catch (QuadrilleException error) {
      return error.kind.name();
    } catch (IOException error) {
      return "network";
    }
  }

  /** Updates the packs of a folder, fetches those of a box, and says which files changed, the progress, and what is there. */
  private static String followed(Path list, URI address, String[] words) {
    try (PackSet packs = new PackSet(list.toFile(), JdbcDatabase::open)) {
      TreeSet<String> changed = new TreeSet<>(packs.update(address, List.of(words[3]))), held = new TreeSet<>();
      double[] box = Stream.of(words).skip(4).mapToDouble(Double::parseDouble).toArray();
      List<PackList.Pack> chosen = box.length == 0 ? List.of() : packs.within(box[0], box[1], box[2], box[3]);
      long size = box.length == 0 ? 0 : packs.size(chosen);
      long[] heard = {size, size};
      if (box.length > 0) {
        packs.fetch(address, chosen, (bytes, all) -> {
          heard[0] = bytes;
          heard[1] = all;
        });
      }
      if (heard[0] != size || heard[1] != size) return "wrong progress";
      for (PackList.Pack pack : packs.list().all()) if (packs.isHeld(pack)) held.add(pack.file());
      return "{\"changed\": " + texts(changed) + ", \"fetched\": " + size + ", \"held\": " + texts(held) + "}";
    } catch (QuadrilleException error) {
      return error.kind.name();
    } catch (IOException error) {
      return "network";
    }
  }

  private static String texts(Set<String> names) {
    return names.isEmpty() ? "[]" : "[\"" + String.join("\", \"", names) + "\"]";
  }

  private static void taps(Path file, Path places) throws IOException {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    try (Archive archive = new Archive(file.toFile(), JdbcDatabase::open)) {
      for (String line : Files.readAllLines(places)) {
        double[] place = Stream.of(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
        Map<String, Object> entry = archive.tap(place[0], place[1], place[2]);
        out.println(entry == null ? "" : entry.get("id"));
      }
    }
    out.flush();
  }

  private static void entries(Path file, Path places) throws IOException {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    try (Archive archive = new Archive(file.toFile(), JdbcDatabase::open)) {
      for (String line : Files.readAllLines(places)) {
        double[] box = Stream.of(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
        List<String> found = archive.entries(box[0], box[1], box[2], box[3], box[4], 1000).stream()
            .map(one -> "[\"" + one.key() + "\", " + one.lng() + ", " + one.lat() + ", " + one.count() + "]").toList();
        out.println(found);
      }
    }
    out.flush();
  }

  @SuppressWarnings("unchecked")
  private boolean isRight() throws IOException {
    Map<String, Object> told = (Map<String, Object>) Json.parse(Files.readString(vectors.resolve("vectors.json")));
    int wrong = 0;
    List<Map<String, Object>> cases = (List<Map<String, Object>>) told.get("cases");
    for (Map<String, Object> one : cases) {
      Object answer;
      try {
        answer = answer(one);
      } catch (QuadrilleException error) {
        answer = error.kind.name();
      }
      boolean isError = one.containsKey("error");
      if (isError ? one.get("error").equals(answer) : isEqual(answer, one.get("expect"))) continue;
      wrong++;
      System.out.println(one.get("name") + ": " + answer);
    }
    System.out.println(cases.size() - wrong + " passed, " + wrong + " failed");
    return wrong == 0;
  }

  /** Numbers are equal by value. */
  private static boolean isEqual(Object a, Object b) {
    if (a instanceof Number x && b instanceof Number y) return x.doubleValue() == y.doubleValue();
    if (a instanceof List<?> x && b instanceof List<?> y) {
      if (x.size() != y.size()) return false;
      for (int i = 0; i < x.size(); i++) if (!isEqual(x.get(i), y.get(i))) return false;
      return true;
    }
    if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
      return x.keySet().equals(y.keySet()) && x.keySet().stream().allMatch(key -> isEqual(x.get(key), y.get(key)));
    }
    return Objects.equals(a, b);
  }

  private Object answer(Map<String, Object> one) throws IOException {
    String what = (String) one.get("do");
    if (what.equals("plan")) return plan(one);
    if (what.equals("packList")) return packList(one);
    if (what.startsWith("pack")) return packs(one, what);
    Path path = vectors.resolve((String) one.get("file"));
    if (what.equals("frames")) return frames(one, new Series(path.toFile()));
    if (what.equals("apply")) return applied(one, path);
    try (Archive archive = new Archive(damaged(path, one.get("change")).toFile(), JdbcDatabase::open)) {
      String key = (String) one.get("key");
      return switch (what) {
        case "metadata" -> metadata(archive);
        case "tile" -> {
          Archive dense = archive.at(((Number) one.get("density")).intValue());
          Archive.Tile tile = dense.tile(integer(one, "z"), integer(one, "x"), integer(one, "y"));
          if (dense != archive) dense.close();
          yield tile == null ? null : tile(tile);
        }
        case "tap" -> {
          Map<String, Object> entry = archive.tap(number(one, "lng"), number(one, "lat"), number(one, "zoom"));
          yield tap(entry);
        }
        case "entries" -> {
          double[] box = box(one);
          yield entries(archive.entries(box[0], box[1], box[2], box[3], number(one, "zoom"), integer(one, "limit")));
        }
        case "changes" -> {
          double[] box = box(one);
          Archive.Changes found = archive.changes(number(one, "from"), number(one, "to"), box[0], box[1], box[2], box[3], 1000);
          yield Map.of("keep", keys(found.keep()), "add", keys(found.add()), "remove", keys(found.remove()));
        }
        case "search" -> archive.search(key);
        case "cluster" -> {
          Archive.ClusterView view = Archive.clusterView(archive.search(key));
          yield view == null ? null : Map.of("zoom", view.zoom(), "box", DoubleStream.of(view.box()).boxed().toList());
        }
        case "legend" -> {
          Archive.Legend legend = archive.legend();
          yield legend == null ? null : Map.of("title", legend.value().get("title"), "text", legend.value().get("text"),
              "entries", ((List<?>) legend.value().get("entries")).size(), "image", Archive.hex(Archive.sha256(legend.image())));
        }
        case "verify" -> Map.of("digest", archive.verify());
        default -> throw new IllegalArgumentException(what);
      };
    }
  }

  private static Map<String, Object> tile(Archive.Tile tile) {
    return new LinkedHashMap<>(Map.of("tile", List.of(tile.z(), tile.x(), tile.y()), "part", List.of(tile.left(), tile.top(), tile.side()),
        "bytes", tile.data().length, "sha256", Archive.hex(Archive.sha256(tile.data()))));
  }

  private static Map<String, Object> tap(Map<String, Object> entry) {
    return entry == null ? null : Map.of("key", entry.get("id"), "entry", entry);
  }

  private static List<Object> entries(List<Archive.Shown> found) {
    List<Object> entries = new ArrayList<>();
    for (Archive.Shown entry : found) {
      entries.add(Map.of("key", entry.key(), "lng", rounded(entry.lng()), "lat", rounded(entry.lat()), "count", entry.count(),
          "layer", entry.layer(), "fields", entry.fields()));
    }
    return entries;
  }

  private Object packList(Map<String, Object> one) throws IOException {
    Map<?, ?> state = (Map<?, ?>) one.get("state");
    UpdateList.State before = new UpdateList.State((Long) state.get("sequence"), texts(state.get("keys")), texts(state.get("keys")));
    String name = UpdateList.archiveName(URI.create((String) one.get("address")), ".packs.json");
    PackList list = new PackList(Files.readAllBytes(vectors.resolve((String) one.get("list"))), before, name, now(one));
    return Map.of("files", files(list.all()), "state", Map.of("sequence", list.state.sequence(), "keys", list.state.keys()));
  }

  private static long now(Map<String, Object> one) {
    return (Long) one.getOrDefault("now", 0L);
  }

  private static List<String> files(List<PackList.Pack> packs) {
    return packs.stream().map(PackList.Pack::file).toList();
  }

  /** Answers of the packs that a case has, copied beside their list. */
  private Object packs(Map<String, Object> one, String what) throws IOException {
    Path list = vectors.resolve((String) one.get("list")), folder = Files.createTempDirectory(ground, "packs");
    Files.copy(list, folder.resolve(list.getFileName()));
    for (String file : texts(one.get("held"))) Files.copy(list.resolveSibling(file), folder.resolve(file));
    try (PackSet packs = new PackSet(folder.resolve(list.getFileName()).toFile(), JdbcDatabase::open)) {
      switch (what) {
        case "packChoice": {
          double[] box = box(one);
          List<PackList.Pack> chosen = packs.within(box[0], box[1], box[2], box[3]);
          return Map.of("packs", files(chosen), "bytes", packs.size(chosen));
        }
        case "packTile": {
          PackSet.Tile found = packs.tile(integer(one, "z"), integer(one, "x"), integer(one, "y"));
          if (found == null) return null;
          Map<String, Object> told = tile(found.tile());
          told.put("file", found.file());
          return told;
        }
        case "packTap": return tap(packs.tap(number(one, "lng"), number(one, "lat"), number(one, "zoom")));
        case "packSearch": return packs.search((String) one.get("key"));
        case "packEntries": {
          double[] box = box(one);
          return entries(packs.entries(box[0], box[1], box[2], box[3], number(one, "zoom"), integer(one, "limit")));
        }
        default: throw new IllegalArgumentException(what);
      }
    }
  }

  private static double[] box(Map<String, Object> one) {
    return ((List<?>) one.get("box")).stream().mapToDouble(edge -> ((Number) edge).doubleValue()).toArray();
  }

  private static double rounded(double number) {
    return Math.round(number * 1e6) / 1e6;
  }

  private static List<String> keys(List<Archive.Shown> entries) {
    return entries.stream().map(Archive.Shown::key).toList();
  }

  private static int integer(Map<String, Object> one, String name) {
    return ((Number) one.get(name)).intValue();
  }

  private static double number(Map<String, Object> one, String name) {
    return ((Number) one.get(name)).doubleValue();
  }

  private static List<Double> numbers(String text) {
    return Stream.of(text.split(",")).map(Double::valueOf).toList();
  }

  private static Map<String, Object> metadata(Archive archive) {
    Map<String, String> told = archive.metadata;
    Map<String, Object> answer = new LinkedHashMap<>();
    for (String name : List.of("name", "format", "attribution")) answer.put(name, told.get(name));
    answer.put("minzoom", archive.minzoom);
    answer.put("maxzoom", archive.maxzoom);
    answer.put("bounds", numbers(told.get("bounds")));
    answer.put("center", numbers(told.get("center")));
    answer.put("density", archive.density);
    answer.put("taps", archive.taps);
    answer.put("digest", told.get("quadrille:digest"));
    answer.put("tapsDigest", told.get("quadrille:taps"));
    return answer;
  }

  private static Object frames(Map<String, Object> one, Series series) {
    List<Object> frames = new ArrayList<>(), shown = new ArrayList<>();
    for (Series.Frame frame : series.frames) {
      frames.add(Map.of("time", frame.time(), "file", frame.file(), "duration", frame.duration(), "sha256", frame.sha256()));
    }
    for (Object wanted : (List<?>) ((Map<?, ?>) one.get("expect")).get("shown")) {
      long elapsed = (Long) ((List<?>) wanted).get(0);
      shown.add(List.of(elapsed, series.shown(elapsed)));
    }
    return Map.of("frames", frames, "default", series.first, "latest", series.latest, "loop", series.loop, "shown", shown);
  }

  private Object applied(Map<String, Object> one, Path path) throws IOException {
    List<File> files = new ArrayList<>();
    for (Object delta : (List<?>) one.get("deltas")) {
      Path file = vectors.resolve((String) ((Map<?, ?>) delta).get("file"));
      file = damaged(file, files.isEmpty() ? one.get("change") : null);
      if (!Disk.digest(file.toFile()).equals(((Map<?, ?>) delta).get("sha256"))) {
        throw new QuadrilleException(QuadrilleException.Kind.wrongBytes, file.toString());
      }
      files.add(file.toFile());
    }
    Path target = ground.resolve("patched.mbtiles");
    Deltas.apply(path.toFile(), files, target.toFile(), JdbcDatabase::open);
    Path other = vectors.resolve((String) ((Map<?, ?>) one.get("expect")).get("equals"));
    try (Archive archive = new Archive(target.toFile(), JdbcDatabase::open); Archive wanted = new Archive(other.toFile(), JdbcDatabase::open)) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("digest", archive.verify());
      answer.put("equals", content(archive).equals(content(wanted)) ? vectors.relativize(other).toString() : "no");
      if (archive.taps != null) answer.put("taps", archive.metadata.get("quadrille:taps"));
      return answer;
    }
  }

  /** All rows of all tables as texts. */
  private static TreeSet<String> content(Archive archive) {
    TreeSet<String> rows = new TreeSet<>();
    for (Object[] table : archive.database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")) {
      for (Object[] row : archive.database.rows("SELECT * FROM " + table[0])) {
        rows.add(table[0] + " " + Stream.of(row).map(value -> value instanceof byte[] bytes ? Archive.hex(bytes) : String.valueOf(value)).toList());
      }
    }
    return rows;
  }

  private Object plan(Map<String, Object> one) throws IOException {
    Map<?, ?> before = (Map<?, ?>) one.get("state"), have = (Map<?, ?>) one.get("have");
    List<String> keys = texts((before == null ? one : before).get("keys"));
    UpdateList.State state = before == null
        ? UpdateList.State.of((String) one.get("remembered"), keys) : new UpdateList.State((Long) before.get("sequence"), keys, keys);
    String name = UpdateList.archiveName(URI.create((String) one.get("address")));
    UpdateList list = new UpdateList(Files.readAllBytes(vectors.resolve((String) one.get("list"))), state, name, now(one));
    Set<String> without = new HashSet<>(texts(one.getOrDefault("without", List.of())));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("state", Map.of("sequence", list.state.sequence(), "keys", list.state.keys()));
    if (list.archive != null) {
      List<UpdateList.Entry> path = list.path((String) have.get("digest"), (String) have.get("taps"), null, without);
      answer.put(path == null ? "whole" : "deltas", path == null ? list.archive.download() : names(path));
      return answer;
    }
    Map<?, ?> held = (Map<?, ?>) have.get("frames");
    Map<String, Object> ways = new LinkedHashMap<>();
    for (UpdateList.Entry frame : list.frames) {
      List<UpdateList.Entry> path = list.path(Objects.toString(held.get(frame.file()), ""), null, frame.file(), without);
      ways.put(frame.file(), path == null ? "whole" : names(path));
    }
    answer.put("manifest", list.manifest.file());
    answer.put("frames", ways);
    answer.put("remove", held.keySet().stream().filter(file -> !ways.containsKey(file)).toList());
    return answer;
  }

  private static List<String> texts(Object list) {
    return ((List<?>) list).stream().map(String.class::cast).toList();
  }

  private static List<String> names(List<UpdateList.Entry> path) {
    return path.stream().map(UpdateList.Entry::file).toList();
  }

  /** The path of a file, or of a damaged copy of it. */
  private Path damaged(Path file, Object change) throws IOException {
    if (!(change instanceof Map<?, ?> told)) return file;
    byte[] data = Files.readAllBytes(file);
    if (told.get("flip") instanceof Long at) data[at.intValue()] ^= 1;
    if (told.get("set") instanceof List<?> set) {
      byte[] digits = ((String) set.get(1)).getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(digits, 0, data, ((Long) set.get(0)).intValue(), digits.length);
    }
    if (told.get("truncate") instanceof Long length) data = Arrays.copyOf(data, length.intValue());
    return Files.write(ground.resolve("damaged-" + file.getFileName()), data);
  }
}
