package quadrille;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Cuts a region, a box and some zooms, out of a publisher's archive onto this device, and keeps it up to date (docs/updates.md). It is an
 * archive of its own. Only the chunks of the publisher's file that hold it are fetched, each verified by the signed list; what an
 * interrupted call has fetched, the next one uses.
 */
public final class RegionUpdater {
  private final File path;
  private final Database.Opener opener;

  /** Of the path of a region, which need not be there yet. */
  public RegionUpdater(File path, Database.Opener opener) {
    this.path = path.getAbsoluteFile();
    this.opener = opener;
  }

  /**
   * Makes the region of the archive whose list is at an address. A box whose west is greater than its east crosses the antimeridian; of
   * the zooms, the region has those of the archive. {@code keys} are as of {@link Updater#update}. {@code progress}, which may be null,
   * hears the bytes that were fetched, and those of the whole archive, of which only a part is needed.
   */
  public void fetch(
      URI address, List<String> keys, double west, double south, double east, double north, int minzoom, int maxzoom, PackSet.Progress progress)
      throws IOException {
    Work work = new Work(address, new Updater(path, opener).accepted(address, keys), progress);
    work.keep();
    work.install(work.cut(Region.of(new double[] {west, south, east, north}, minzoom, maxzoom, work.list.archive)));
  }

  /** Brings the region up to a list, by deltas and the chunks of what these do not have, or else anew; whether anything was new. */
  public boolean update(URI address, List<String> keys, PackSet.Progress progress) throws IOException {
    UpdateList list = new Updater(path, opener).accepted(address, keys);
    Region region;
    try (Archive archive = new Archive(path, opener)) {
      region = Region.read(archive.metadata);
    }
    if (region == null) throw new QuadrilleException(QuadrilleException.Kind.notAnArchive, path + " is no region");
    Work work = new Work(address, list, progress);
    if (region.isOf(list.archive)) {
      work.close();
      return false;
    }
    work.keep();
    work.install(work.updated(region));
    return true;
  }

  /** One call, in the folder of the archive's update. */
  private final class Work {
    private final URI address;
    private final UpdateList list;
    private final RemoteArchive remote;
    private final File folder;

    Work(URI address, UpdateList list, PackSet.Progress progress) throws IOException {
      this.address = address;
      this.list = list;
      if (list.archive == null || list.archive.chunks() == null) {
        throw UpdateList.bad("it has no hashes of chunks; build the archive with this version of the program");
      }
      folder = Disk.with(path, ".update");
      if (!folder.mkdirs() && !folder.isDirectory()) throw new IOException(folder + " cannot be made");
      remote = new RemoteArchive(address, list.archive, folder, progress);
    }

    /** Deletes what no run continues. */
    void keep() throws IOException {
      Set<String> kept = new HashSet<>(list.archive.chunks().names());
      for (UpdateList.Entry delta : list.deltas) kept.add(Updater.part(folder, delta).getName());
      delete(kept);
    }

    private void delete(Set<String> kept) throws IOException {
      String[] names = folder.list();
      for (String name : names == null ? new String[0] : names) if (!kept.contains(name)) Disk.delete(new File(folder, name));
    }

    void close() throws IOException {
      delete(Collections.<String>emptySet());
      Disk.delete(folder);
    }

    void install(File next) throws IOException {
      // A journal belongs to the file that is replaced.
      InPlace.settle(path, opener);
      new Updater(path, opener).swap(next);
      close();
    }

    /** A file that is not there. */
    private File free(String name) throws IOException {
      File file = new File(folder, name);
      Disk.delete(file);
      Disk.delete(Disk.with(file, "-journal"));
      return file;
    }

    /** A region that is made of chunks. */
    File cut(Region region) throws IOException {
      File next = free("region");
      List<Region.Tiles> tiles = region.squares();
      remote.open();
      RegionFile.create(next, remote, opener);
      try (RegionFile file = new RegionFile(next, opener, tiles, remote, true)) {
        file.run("BEGIN");
        file.copyTiles();
        file.complete();
        List<String[]> metadata = new ArrayList<>();
        List<RemoteArchive.Span> all = Collections.singletonList(new RemoteArchive.Span(0, Long.MAX_VALUE));
        for (RemoteArchive.Row row : remote.rows(remote.root("metadata"), all)) {
          Object[] values = row.values();
          if (values.length > 1 && values[0] instanceof String name && values[1] instanceof String value) metadata.add(new String[] {name, value});
        }
        file.finish(metadata, region);
        file.run("COMMIT");
      }
      return next;
    }

    /** The region of the list's archive, made from that of an earlier one where deltas lead on. */
    File updated(Region region) throws IOException {
      Region target = Region.of(region.box(), region.minzoom(), region.maxzoom(), list.archive);
      List<UpdateList.Entry> way = list.path(region.digest(), region.taps(), null, Collections.<String>emptySet());
      if (way == null) return cut(target);
      try {
        List<File> deltas = new ArrayList<>();
        for (UpdateList.Entry delta : way) deltas.add(Updater.fetched(address, delta, folder, new HashSet<>(), null));
        return patched(region, target, deltas);
      } catch (Updater.Gone | Updater.Refused error) {
        return cut(target);
      } catch (QuadrilleException error) {
        if (error.kind == QuadrilleException.Kind.cutOff || error.kind == QuadrilleException.Kind.disk) throw error;
        return cut(target);
      }
    }

    private File patched(Region region, Region target, List<File> deltas) throws IOException {
      File next = free("patched");
      Disk.copy(path, next);
      try (RegionFile file = new RegionFile(next, opener, region.squares(), remote, false)) {
        List<String[]> metadata = Collections.emptyList();
        for (File delta : deltas) metadata = file.apply(delta);
        file.run("BEGIN");
        remote.open();
        file.complete();
        file.finish(metadata, target);
        file.run("COMMIT");
      }
      return next;
    }
  }
}
