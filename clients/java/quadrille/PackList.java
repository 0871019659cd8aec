package quadrille;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A checked list of packs, {@code NAME.packs.json} (docs/packs.md). */
public final class PackList {
  /** A pack: its file, its region and box in degrees (west, south, east, north), and its zooms. */
  public record Pack(UpdateList.Entry entry, String name, double[] bounds, int minzoom, int maxzoom) {
    public String file() { return entry.file(); }
    public long bytes() { return entry.bytes(); }
  }

  public final UpdateList.State state;
  /** The file of the archive that is divided. */
  public final String archive;
  /** The packs of the regions. */
  public final List<Pack> packs = new ArrayList<>();
  /** The pack that all need; null without one. */
  public final Pack shared;

  /** Checks the text of a list, as {@link UpdateList} does. */
  public PackList(byte[] data, UpdateList.State before, String name) {
    this(data, before, name, UpdateList.now());
  }

  /** The same at an instant, in seconds since 1970. */
  public PackList(byte[] data, UpdateList.State before, String name, long now) {
    Map<String, Object> list = UpdateList.signed(data, before);
    if (!UpdateList.isWhole(list.get("sequence"))) throw UpdateList.bad("no sequence");
    List<Map<String, Object>> members = UpdateList.objects(list.get("packs"));
    if (members.size() > UpdateList.DELTA_LIMIT) throw UpdateList.bad("too many packs");
    for (Map<String, Object> one : members) packs.add(pack(one));
    shared = list.containsKey("shared") ? pack(UpdateList.member(list.get("shared"))) : null;
    if (!(UpdateList.member(list.get("archive")).get("file") instanceof String file)) throw UpdateList.bad("no archive");
    archive = file;
    Set<String> files = new HashSet<>();
    for (Pack pack : all()) if (!files.add(pack.file())) throw UpdateList.bad("a pack twice");
    List<String> keys = UpdateList.keys(list);
    files.add(archive);
    for (Pack pack : all()) files.add(pack.entry().download());
    for (String one : files) {
      // The files beside the archives have other endings.
      if (!UpdateList.isPlain(one) || UpdateList.stem(one).equals(one)) throw new QuadrilleException(QuadrilleException.Kind.badName, one);
    }
    state = UpdateList.after(list, before, keys, archive, name, now);
  }

  /** All packs, the one that all need last. */
  public List<Pack> all() {
    List<Pack> all = new ArrayList<>(packs);
    if (shared != null) all.add(shared);
    return all;
  }

  private static Pack pack(Map<String, Object> members) {
    UpdateList.Entry entry = UpdateList.entry(members, "digest");
    if (!(members.get("name") instanceof String name) || !(members.get("bounds") instanceof List<?> edges) || edges.size() != 4) throw wrong();
    double[] bounds = new double[4];
    for (int i = 0; i < 4; i++) {
      if (!(edges.get(i) instanceof Number edge) || Math.abs(edge.doubleValue()) > 360) throw wrong();
      bounds[i] = edge.doubleValue();
    }
    if (!UpdateList.isWhole(members.get("minzoom")) || !UpdateList.isWhole(members.get("maxzoom"))) throw wrong();
    long first = (Long) members.get("minzoom"), last = (Long) members.get("maxzoom");
    if (first > last || last > 30) throw wrong();
    return new Pack(entry, name, bounds, (int) first, (int) last);
  }

  private static QuadrilleException wrong() {
    return UpdateList.bad("members of a wrong type or beyond the limits");
  }
}
