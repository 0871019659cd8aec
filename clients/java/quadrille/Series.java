package quadrille;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The frames of a manifest, {@code NAME.frames.json} (docs/series.md). */
public final class Series {
  /** A frame: its time in UTC, its archive relative to the manifest, and how long it is shown in milliseconds. */
  public record Frame(String time, String file, long duration, String sha256) {}

  public final List<Frame> frames = new ArrayList<>();
  public final boolean loop;
  public final String latest;
  /** The index of the frame to show first. */
  public final int first;
  private final File path;

  @SuppressWarnings("unchecked")
  public Series(File path) throws IOException {
    if (!path.exists()) throw new QuadrilleException(QuadrilleException.Kind.missing, path.toString());
    this.path = path;
    int found = 0;
    try {
      Map<String, Object> manifest = (Map<String, Object>) Json.parse(Json.read(path));
      for (Map<String, Object> frame : (List<Map<String, Object>>) manifest.get("frames")) {
        if (frame.get("time").equals(manifest.get("default"))) found = frames.size();
        long duration = ((Number) frame.get("duration")).longValue();
        frames.add(new Frame((String) frame.get("time"), below(frame.get("file")), duration, (String) frame.get("sha256")));
      }
      loop = (Boolean) manifest.get("loop");
      latest = below(manifest.get("latest"));
    } catch (ClassCastException | IllegalArgumentException | NullPointerException error) {
      throw Block.damaged(path + ": " + error);
    }
    first = found;
  }

  /** A path that leads to a file below the manifest's folder. */
  private static String below(Object file) {
    String path = (String) file;
    if (path.matches("(?s)[A-Za-z]:.*|.*[\\\\\\x00-\\x1f].*") || ("/" + path + "/").matches("(?s).*/\\.{0,2}/.*")) {
      throw Block.damaged("the manifest names the file '" + path + "'");
    }
    return path;
  }

  public Archive open(int index, Database.Opener opener) {
    return new Archive(new File(path.getParentFile(), frames.get(index).file()), opener);
  }

  /** The index of the frame that is shown so many milliseconds after the first one began. */
  public int shown(long elapsed) {
    long total = 0;
    for (Frame frame : frames) total += frame.duration();
    long left = loop ? elapsed % total : Math.min(elapsed, total - 1);
    int index = 0;
    while (left >= frames.get(index).duration()) left -= frames.get(index++).duration();
    return index;
  }
}
