package quadrille;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private final Path path;

  @SuppressWarnings("unchecked")
  public Series(Path path) throws IOException {
    if (!Files.exists(path)) throw new QuadrilleException(QuadrilleException.Kind.missing, path.toString());
    this.path = path;
    Map<String, Object> manifest = (Map<String, Object>) Json.parse(Files.readString(path));
    int found = 0;
    for (Map<String, Object> frame : (List<Map<String, Object>>) manifest.get("frames")) {
      if (frame.get("time").equals(manifest.get("default"))) found = frames.size();
      long duration = ((Number) frame.get("duration")).longValue();
      frames.add(new Frame((String) frame.get("time"), (String) frame.get("file"), duration, (String) frame.get("sha256")));
    }
    first = found;
    loop = (Boolean) manifest.get("loop");
    latest = (String) manifest.get("latest");
  }

  public Archive open(int index, Database.Opener opener) {
    return new Archive(path.resolveSibling(frames.get(index).file()), opener);
  }

  /** The index of the frame that is shown so many milliseconds after the first one began. */
  public int shown(long elapsed) {
    long total = frames.stream().mapToLong(Frame::duration).sum();
    long left = loop ? elapsed % total : Math.min(elapsed, total - 1);
    int index = 0;
    while (left >= frames.get(index).duration()) left -= frames.get(index++).duration();
    return index;
  }
}
