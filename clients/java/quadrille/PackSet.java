package quadrille;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The packs in the folder of a list, {@code NAME.packs.json}, as one map (docs/packs.md). The list itself comes with {@link #refresh}, and
 * is there from then on. Not for several threads.
 */
public final class PackSet implements AutoCloseable {
  private static final String ENDING = ".packs.json";

  /** Hears the bytes of a download so far, and all of them. */
  public interface Progress {
    void heard(long bytes, long size);
  }

  /** A tile of a pack, as of {@link Archive#tile}. */
  public record Tile(String file, Archive.Tile tile) {}

  /** The pack that shows a tile, and the tile of it. */
  private record Shown(PackList.Pack pack, int z, int x, int y) {}

  private final File path;
  private final Database.Opener opener;
  private final Map<String, Archive> archives = new HashMap<>();
  private PackList list;

  /** Of the path of a list, which need not be there yet. */
  public PackSet(File path, Database.Opener opener) throws IOException {
    this.path = path.getAbsoluteFile();
    this.opener = opener;
    // What was stored was checked when it came, and shows the packs here whatever its end.
    if (path.exists()) list = new PackList(Disk.read(path), new UpdateList.State(0, Collections.emptyList(), Collections.emptyList()), name(), 0);
  }

  private String name() {
    return path.getName().endsWith(ENDING) ? path.getName().substring(0, path.getName().length() - ENDING.length()) : path.getName();
  }

  /** The list; null before it has come. */
  public PackList list() {
    return list;
  }

  private List<PackList.Pack> all() {
    return list == null ? Collections.emptyList() : list.all();
  }

  /** The packs of regions whose bounds touch a box in degrees; of a place, that from it to itself. */
  public List<PackList.Pack> within(double west, double south, double east, double north) {
    List<PackList.Pack> found = new ArrayList<>();
    if (list != null) for (PackList.Pack pack : list.packs) if (Box.touch(pack.bounds(), new double[] {west, south, east, north})) found.add(pack);
    return found;
  }

  public boolean isHeld(PackList.Pack pack) {
    return file(pack.file()).exists();
  }

  private File file(String name) {
    return new File(path.getParentFile(), name);
  }

  /** The packs to download for some packs: themselves and the shared one, unless they are there. */
  public List<PackList.Pack> missing(List<PackList.Pack> packs) {
    List<PackList.Pack> missing = new ArrayList<>();
    for (PackList.Pack pack : all()) if ((packs.contains(pack) || pack == list.shared) && !isHeld(pack)) missing.add(pack);
    return missing;
  }

  /** The bytes to download for some packs. */
  public long size(List<PackList.Pack> packs) {
    long size = 0;
    for (PackList.Pack pack : missing(packs)) size += pack.bytes();
    return size;
  }

  /** Takes the list at an address; {@code keys} are as of {@link Updater#update}. */
  public void refresh(URI address, List<String> keys) throws IOException {
    String named = UpdateList.archiveName(address, ENDING);
    Updater.accepted(address, keys, file(name() + ".packs.update-state.json"), (data, before) -> {
      PackList told = new PackList(data, before, named == null ? name() : named);
      return new Updater.Accepted(told.state, () -> {
        Updater.write(path, data);
        list = told;
      });
    });
  }

  /** Downloads what is missing for some packs; {@code progress} may be null. */
  public void fetch(URI address, List<PackList.Pack> packs, Progress progress) throws IOException {
    long done = 0, size = size(packs);
    for (PackList.Pack pack : missing(packs)) {
      long before = done;
      replace(address, pack, progress == null ? null : (bytes, all) -> progress.heard(before + bytes, size));
      done += pack.bytes();
    }
  }

  /**
   * Brings the packs that are there up to the list at an address, by deltas where they have lists of these, and removes those that are
   * gone; the files that changed.
   */
  public Set<String> update(URI address, List<String> keys) throws IOException {
    refresh(address, keys);
    Set<String> changed = new HashSet<>(), listed = new HashSet<>();
    for (PackList.Pack pack : all()) {
      listed.add(pack.file());
      if (!isHeld(pack)) continue;
      Map<String, String> has = Updater.metadata(file(pack.file()), opener);
      String taps = pack.entry().text("taps");
      if (pack.entry().text("digest").equals(has.get("quadrille:digest")) && Objects.equals(has.get("quadrille:taps"), taps.isEmpty() ? null : taps)) continue;
      close(pack.file());
      try {
        new Updater(file(pack.file()), opener).update(Updater.address(address, UpdateList.stem(pack.file()) + ".updates.json"), keys);
      } catch (FileNotFoundException error) {
        replace(address, pack, null);
      }
      changed.add(pack.file());
    }
    String[] names = path.getParentFile().list();
    for (String file : names == null ? new String[0] : names) {
      if (listed.contains(file) || !file.startsWith(name() + "-") || !file.endsWith(".mbtiles") || !isPack(file)) continue;
      remove(file);
      changed.add(file);
    }
    return changed;
  }

  /** Whether a file says of itself that it is a pack of the archive. */
  private boolean isPack(String file) {
    String mark = Updater.metadata(file(file), opener).get("quadrille:pack");
    try {
      return mark != null && Json.parse(mark) instanceof Map<?, ?> told && list.archive.equals(told.get("archive"));
    } catch (IllegalArgumentException error) {
      return false;
    }
  }

  private void replace(URI address, PackList.Pack pack, Progress progress) throws IOException {
    close(pack.file());
    new Updater(file(pack.file()), opener).replace(address, pack.entry(), progress);
    Disk.delete(file(pack.file() + ".previous"));
  }

  /** Removes a pack from the device. */
  public void remove(String file) throws IOException {
    close(file);
    for (String ending : new String[] {"", ".previous", ".part"}) Disk.delete(file(file + ending));
    Updater.deleteDownloads(file(file));
    Disk.delete(file(UpdateList.stem(file) + ".update-state.json"));
  }

  private Archive open(PackList.Pack pack) {
    Archive archive = archives.get(pack.file());
    if (archive == null) archives.put(pack.file(), archive = new Archive(file(pack.file()), opener));
    return archive;
  }

  private List<PackList.Pack> atZoom(int z) {
    List<PackList.Pack> found = new ArrayList<>();
    for (PackList.Pack pack : all()) if (pack.minzoom() <= z && z <= pack.maxzoom() && isHeld(pack)) found.add(pack);
    return found;
  }

  private int maxzoom() {
    int last = -1;
    for (PackList.Pack pack : all()) last = Math.max(last, pack.maxzoom());
    return last;
  }

  /** What shows a tile: a pack, the shared one, or the nearest parent where the region is not there; null for nothing. */
  private Shown shown(int z, int x, int y) {
    if (z < 0 || z > 31 || x < 0 || y < 0 || x >= 1L << z || y >= 1L << z) return null;
    int first = Integer.MAX_VALUE;
    if (list != null) for (PackList.Pack pack : list.packs) first = Math.min(first, pack.minzoom());
    for (int zoom = Math.min(z, maxzoom()); zoom >= 0; zoom--) {
      int column = x >> z - zoom, row = y >> z - zoom;
      for (PackList.Pack pack : atZoom(zoom)) if (open(pack).tile(zoom, column, row) != null) return new Shown(pack, zoom, column, row);
      double[] box = Box.ofTile(zoom, column, row);
      List<PackList.Pack> regions = zoom >= first ? within(box[0], box[1], box[2], box[3]) : Collections.<PackList.Pack>emptyList();
      boolean isThere = regions.isEmpty() && (list.shared == null || isHeld(list.shared));
      for (PackList.Pack pack : regions) isThere |= isHeld(pack);
      // Where the region is there, or none is, nothing is shown.
      if (isThere) return null;
    }
    return null;
  }

  /** What to draw at z/x/y, y from the north; null for nothing. */
  public Tile tile(int z, int x, int y) {
    Shown shown = shown(z, x, y);
    if (shown == null) return null;
    Archive.Tile tile = open(shown.pack).tile(shown.z, shown.x, shown.y);
    double side = Math.scalb(1.0, shown.z - z), mask = (1L << z - shown.z) - 1;
    double left = (x & (long) mask) * side, top = (y & (long) mask) * side;
    return new Tile(shown.pack.file(), new Archive.Tile(shown.z, shown.x, shown.y, left, top, side, tile.data()));
  }

  /** The entry of what the tiles show at a place; null where nothing answers. */
  public Map<String, Object> tap(double lng, double lat, double zoom) {
    int z = (int) Math.min(Math.floor(zoom), maxzoom());
    if (z < 0 || Math.abs(lat) >= 90) return null;
    double[] place = Box.tiles(lng, lat, z);
    Shown shown = shown(z, (int) Math.floor(place[0]), (int) Math.floor(place[1]));
    return shown == null ? null : open(shown.pack).tap(lng, lat, shown.z);
  }

  /** The entry of a key; null if there is none. */
  public Map<String, Object> search(String key) {
    for (PackList.Pack pack : all()) {
      Map<String, Object> entry = isHeld(pack) ? open(pack).search(key) : null;
      if (entry != null) return entry;
    }
    return null;
  }

  /** What the packs that have the zoom show in a box, as of {@link Archive#entries}. */
  public List<Archive.Shown> entries(double west, double south, double east, double north, double zoom, int limit) {
    int z = (int) Math.min(Math.floor(zoom), maxzoom());
    List<Archive> having = new ArrayList<>();
    for (PackList.Pack pack : atZoom(z)) having.add(open(pack));
    return Archive.entries(having, west, south, east, north, z, limit);
  }

  /** What a map keeps, adds and removes there when it goes from one zoom to another. */
  public Archive.Changes changes(double from, double to, double west, double south, double east, double north, int limit) {
    return Archive.changes(entries(west, south, east, north, from, limit), entries(west, south, east, north, to, limit));
  }

  private void close(String file) {
    Archive archive = archives.remove(file);
    if (archive != null) archive.close();
  }

  @Override
  public void close() {
    for (String file : new ArrayList<>(archives.keySet())) close(file);
  }
}
