package org.example.map;

import android.app.Activity;
import android.graphics.*;
import android.os.Bundle;
import android.view.*;
import android.widget.*;
import java.io.File;
import java.net.URI;
import java.util.*;
import java.util.concurrent.*;
import quadrille.*;

/** A map app: an archive that updates bring and keep up to date, and packs of regions over it. */
public final class MapActivity extends Activity {
  private static final URI SERVER = URI.create("https://tiles.example.org/maps/");
  /** What {@code quadrille keys new} printed. */
  private static final List<String> KEYS = Collections.singletonList("PUBLIC_KEY");
  /** The readers are not for several threads: all of their work is done on this one. */
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private File file;
  private Archive archive;
  private PackSet packs;
  private MapView map;
  private TextView status;
  private LinearLayout list;

  private interface Work { void run() throws Exception; }

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    map = new MapView();
    status = new TextView(this);
    list = new LinearLayout(this);
    EditText search = new EditText(this);
    LinearLayout page = new LinearLayout(this);
    for (LinearLayout column : Arrays.asList(list, page)) column.setOrientation(LinearLayout.VERTICAL);
    page.addView(map, new LinearLayout.LayoutParams(LinearLayout.LayoutParams.MATCH_PARENT, 0, 2));
    Button in = button("+", () -> map.go(map.place(map.x, map.y), map.zoom + 1)), out = button("−", () -> map.go(map.place(map.x, map.y), map.zoom - 1));
    Button find = button("Search", () -> work(() -> show(search(search.getText().toString())))), update = button("Update", () -> work(this::update));
    for (View view : Arrays.asList(in, out, search, find, update, status)) page.addView(view);
    ScrollView side = new ScrollView(this);
    side.addView(list);
    page.addView(side, new LinearLayout.LayoutParams(LinearLayout.LayoutParams.MATCH_PARENT, 0, 1));
    setContentView(page);
    file = new File(getFilesDir(), "hotels.mbtiles");
    work(this::open);
  }

  private Button button(String text, Runnable press) {
    Button button = new Button(this);
    button.setText(text);
    button.setOnClickListener(view -> press.run());
    return button;
  }

  /** Does some work on the readers' thread, and says what fails. */
  private void work(Work work) {
    worker.execute(() -> {
      try { work.run(); } catch (Exception error) { say(String.valueOf(error.getMessage())); }
    });
  }
  private void say(String text) { runOnUiThread(() -> status.setText(text)); }

  private void open() throws Exception {
    if (archive != null) archive.close();
    archive = file.exists() ? new Archive(file, AndroidDatabase::open) : null;
    if (packs == null) packs = new PackSet(new File(getFilesDir(), "isles.packs.json"), AndroidDatabase::open);
    runOnUiThread(map.pictures::clear);
    list();
  }

  /** Brings the archive and the packs up to the lists; whatever fails, the old ones stay. */
  private void update() throws Exception {
    boolean isNew = new Updater(file, AndroidDatabase::open).update(SERVER.resolve("hotels.updates.json"), KEYS);
    isNew |= !packs.update(SERVER.resolve("isles.packs.json"), KEYS).isEmpty();
    open();
    say(isNew ? "Updated" : "This is the newest.");
  }

  /** Lists what the map shows, for eyes and for TalkBack, and the packs. */
  private void list() {
    map.postInvalidate();
    double[] box = map.box();
    Map<String, Runnable> lines = new LinkedHashMap<>();
    List<Archive.Shown> shown = packs.entries(box[0], box[1], box[2], box[3], map.zoom, 50);
    if (archive != null) shown.addAll(archive.entries(box[0], box[1], box[2], box[3], map.zoom, 50));
    for (Archive.Shown one : shown) lines.put(one.count() > 1 ? one.count() + " places" : title(one.fields()), () -> work(() -> show(one.fields())));
    for (PackList.Pack pack : packs.list() == null ? Collections.<PackList.Pack>emptyList() : packs.list().packs) {
      String text = packs.isHeld(pack) ? "Remove " + pack.name() : pack.name() + ", " + packs.size(Collections.singletonList(pack)) / 1000 + " kB";
      lines.put(text, () -> work(() -> toggle(pack)));
    }
    runOnUiThread(() -> {
      list.removeAllViews();
      for (Map.Entry<String, Runnable> line : lines.entrySet()) list.addView(button(line.getKey(), line.getValue()));
    });
  }

  /** Downloads a pack with what all need, or removes it. */
  private void toggle(PackList.Pack pack) throws Exception {
    if (packs.isHeld(pack)) packs.remove(pack.file());
    else packs.fetch(SERVER.resolve("isles.packs.json"), Collections.singletonList(pack), (bytes, size) -> say(100 * bytes / size + " %"));
    open();
  }

  private Map<String, Object> search(String key) {
    Map<String, Object> entry = packs.search(key);
    return entry == null && archive != null ? archive.search(key) : entry;
  }
  private Map<String, Object> tap(double lng, double lat) {
    Map<String, Object> entry = packs.tap(lng, lat, map.zoom);
    return entry == null && archive != null ? archive.tap(lng, lat, map.zoom) : entry;
  }

  private static String title(Map<String, Object> entry) { return String.valueOf(entry.get(entry.containsKey("name") ? "name" : "id")); }

  /** Says what an entry is; a cluster opens. */
  private void show(Map<String, Object> entry) {
    Archive.ClusterView cluster = entry == null ? null : Archive.clusterView(entry);
    if (cluster != null) map.go(new double[] {(cluster.box()[0] + cluster.box()[2]) / 2, (cluster.box()[1] + cluster.box()[3]) / 2}, cluster.zoom());
    say(entry == null ? "Nothing is here." : cluster == null ? title(entry) : entry.get("point_count") + " places");
  }

  /** The tiles of the archive and of the packs over it, which a finger moves. */
  private final class MapView extends View {
    private final Map<String, Bitmap> pictures = new HashMap<>();
    private final double side = 256 * getResources().getDisplayMetrics().density;
    /** The middle, in shares of the world from its north-west. */
    private volatile double x = 0.5, y = 0.5;
    private volatile int zoom = 2;
    private double startX, startY, moved;

    private MapView() { super(MapActivity.this); }
    private double[] place(double x, double y) {
      return new double[] {x * 360 - 180, Math.toDegrees(Math.atan(Math.sinh(Math.PI * (1 - 2 * y))))};
    }
    /** West, south, east and north of what is shown. */
    private double[] box() {
      double width = getWidth() / side / (2 << zoom), height = getHeight() / side / (2 << zoom);
      double[] low = place(x - width, Math.min(y + height, 1)), high = place(x + width, Math.max(y - height, 0));
      return new double[] {low[0], low[1], high[0], high[1]};
    }

    private void go(double[] place, int zoom) {
      x = (place[0] + 180) / 360;
      y = 0.5 - Math.log(Math.tan(Math.PI / 4 + Math.toRadians(place[1]) / 2)) / Math.PI / 2;
      this.zoom = Math.max(0, Math.min(20, zoom));
      work(MapActivity.this::list);
    }

    /** The part of a picture to draw in a tile; it comes later, and null stays where there is none. */
    private Bitmap picture(boolean isPack, int z, int x, int y) {
      String name = isPack + "/" + z + "/" + x + "/" + y;
      if (pictures.containsKey(name)) return pictures.get(name);
      pictures.put(name, null);
      work(() -> {
        PackSet.Tile pack = isPack ? packs.tile(z, x, y) : null;
        Archive.Tile tile = isPack ? pack == null ? null : pack.tile() : archive == null ? null : archive.tile(z, x, y);
        if (tile == null) return;
        Bitmap whole = BitmapFactory.decodeByteArray(tile.data(), 0, tile.data().length);
        int left = (int) (tile.left() * whole.getWidth()), top = (int) (tile.top() * whole.getWidth()), part = Math.max(1, (int) (tile.side() * whole.getWidth()));
        Bitmap shown = Bitmap.createBitmap(whole, left, top, part, part);
        runOnUiThread(() -> pictures.put(name, shown));
        postInvalidate();
      });
      return null;
    }

    @Override
    protected void onDraw(Canvas canvas) {
      int count = 1 << zoom;
      double left = x * side * count - getWidth() / 2.0, top = y * side * count - getHeight() / 2.0;
      for (boolean isPack : new boolean[] {false, true}) {
        for (int column = (int) Math.floor(left / side); column * side < left + getWidth(); column++) {
          for (int row = Math.max(0, (int) (top / side)); row < count && row * side < top + getHeight(); row++) {
            Bitmap picture = picture(isPack, zoom, Math.floorMod(column, count), row);
            float dx = (float) (column * side - left), dy = (float) (row * side - top);
            if (picture != null) canvas.drawBitmap(picture, null, new RectF(dx, dy, dx + (float) side, dy + (float) side), null);
          }
        }
      }
    }

    @Override
    public boolean onTouchEvent(MotionEvent event) {
      boolean isDown = event.getAction() == MotionEvent.ACTION_DOWN, isUp = event.getAction() == MotionEvent.ACTION_UP;
      double dx = isDown ? 0 : event.getX() - startX, dy = isDown ? 0 : event.getY() - startY, pixels = side * (1 << zoom);
      moved = isDown ? 0 : moved + Math.abs(dx) + Math.abs(dy);
      x -= dx / pixels;
      y = Math.max(0, Math.min(1, y - dy / pixels));
      startX = event.getX();
      startY = event.getY();
      double[] at = place(x + (startX - getWidth() / 2.0) / pixels, y + (startY - getHeight() / 2.0) / pixels);
      if (isUp) work(moved < side / 16 ? () -> show(tap(at[0], at[1])) : MapActivity.this::list);
      invalidate();
      return true;
    }
  }
}
