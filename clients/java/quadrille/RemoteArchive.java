package quadrille;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** An archive on a server, of which chunks are fetched, verified by a signed list, and kept as they are needed (docs/updates.md). */
final class RemoteArchive {
  /** The most pages from the root of a tree to a leaf. */
  private static final int DEPTH = 40;

  /** A table, index or view. */
  record Item(String type, long root, String statement) {}

  record Row(long number, Object[] values) {}

  /** Numbers of rows. */
  record Span(long first, long last) {}

  /** Entries of an index from one key to another, each of which may be the first values of one. */
  record Keys(Object[] first, Object[] last) {}

  private record Level<Wanted>(long page, List<Wanted> wanted) {}

  final Map<String, Item> items = new TreeMap<>();
  final String name;
  int pageSize;
  private final URI address;
  private final long bytes;
  private final int size;
  private final List<String> names;
  private final File folder;
  private final PackSet.Progress progress;
  private final Set<Integer> held = new HashSet<>();
  private long fetched;

  /** {@code progress}, which may be null, hears the bytes that were fetched, and those of the archive. */
  RemoteArchive(URI list, UpdateList.Entry archive, File folder, PackSet.Progress progress) {
    name = archive.download();
    address = Updater.address(list, name);
    bytes = archive.bytes();
    size = archive.chunks().size();
    names = archive.chunks().names();
    this.folder = folder;
    this.progress = progress;
  }

  /** Reads the header and the schema. */
  void open() throws IOException {
    if (!items.isEmpty()) return;
    load(Collections.singleton(0));
    byte[] head = read(0, 100);
    byte[] magic = {'S', 'Q', 'L', 'i', 't', 'e', ' ', 'f', 'o', 'r', 'm', 'a', 't', ' ', '3', 0};
    if (head.length < 100 || !Arrays.equals(Arrays.copyOf(head, 16), magic) || head[20] != 0) {
      throw new QuadrilleException(QuadrilleException.Kind.notAnArchive, name + " is no file of SQLite");
    }
    int told = (int) TreePage.number(head, 16, 2);
    pageSize = told == 1 ? 65536 : told;
    if (pageSize < 512 || size % pageSize != 0) throw damaged("its pages have no size");
    for (Row row : rows(1, Collections.singletonList(new Span(0, Long.MAX_VALUE)))) {
      Object[] values = row.values;
      if (values.length >= 5 && values[0] instanceof String type && values[1] instanceof String item && values[3] instanceof Long root
          && values[4] instanceof String statement) items.put(item, new Item(type, root, statement));
    }
  }

  long root(String item) {
    Item found = items.get(item);
    if (found == null || found.root <= 0) throw new QuadrilleException(QuadrilleException.Kind.notAnArchive, name + " has no '" + item + "'");
    return found.root;
  }

  private QuadrilleException damaged(String reason) {
    return Block.damaged(name + ": " + reason);
  }

  // Chunks

  private File file(int index) {
    return new File(folder, names.get(index));
  }

  private int size(int index) {
    return (int) Math.min(size, bytes - (long) index * size);
  }

  private boolean isRight(byte[] data, int index) {
    return Archive.hex(Arrays.copyOf(Archive.sha256(data), UpdateList.Chunks.HASH)).equals(names.get(index));
  }

  /** Fetches chunks unless they are here, neighbours by one request. */
  private void load(Collection<Integer> wanted) throws IOException {
    List<int[]> runs = new ArrayList<>();
    for (int index : new TreeSet<>(wanted)) {
      if (held.contains(index)) continue;
      int[] last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      if (isStored(index)) held.add(index);
      else if (last != null && last[1] + 1 == index) last[1] = index;
      else runs.add(new int[] {index, index});
    }
    for (int[] run : runs) fetch(run[0], run[1]);
  }

  private boolean isStored(int index) throws IOException {
    if (file(index).length() != size(index)) return false;
    try (InputStream in = new FileInputStream(file(index))) {
      return isRight(Disk.read(in, size), index);
    }
  }

  private void fetch(int first, int last) throws IOException {
    long start = (long) first * size, end = (long) last * size + size(last);
    HttpURLConnection connection = Updater.open(address.toURL());
    connection.setRequestProperty("Accept-Encoding", "identity");
    connection.setRequestProperty("Range", "bytes=" + start + "-" + (end - 1));
    int status = connection.getResponseCode();
    if (status == 200 && start > 0) {
      throw new IOException(address + " answers 200 to a range: a region needs a server that answers to ranges, with 206");
    }
    if (status != 200 && status != 206) throw new IOException(name + ": " + status);
    try (InputStream in = connection.getInputStream()) {
      for (int index = first; index <= last; index++) keep(index, read(in, size(index)));
    } finally {
      // Of a server that answers with all of the file, the rest is not wanted.
      connection.disconnect();
    }
  }

  private byte[] read(InputStream in, int count) throws IOException {
    byte[] data = new byte[count];
    for (int at = 0; at < count; ) {
      int read = in.read(data, at, count - at);
      if (read < 0) throw new QuadrilleException(QuadrilleException.Kind.cutOff, name);
      at += read;
    }
    return data;
  }

  private void keep(int index, byte[] data) throws IOException {
    if (!isRight(data, index)) throw new QuadrilleException(QuadrilleException.Kind.wrongBytes, "the chunk " + index + " of " + address);
    Disk.delete(file(index));
    Disk.write(file(index), data);
    held.add(index);
    fetched += data.length;
    if (progress != null) progress.heard(fetched, bytes);
  }

  private byte[] read(long offset, int count) throws IOException {
    try (RandomAccessFile chunk = new RandomAccessFile(file((int) (offset / size)), "r")) {
      byte[] data = new byte[count];
      chunk.seek(offset % size);
      for (int at = 0; at < count; ) {
        int read = chunk.read(data, at, count - at);
        if (read < 0) return Arrays.copyOf(data, at);
        at += read;
      }
      return data;
    }
  }

  // Pages

  private void loadPages(Collection<Long> pages) throws IOException {
    Set<Integer> wanted = new HashSet<>();
    for (long page : pages) {
      if (page < 1 || page > bytes / pageSize) throw damaged("page " + page + " is not there");
      wanted.add((int) ((page - 1) * pageSize / size));
    }
    load(wanted);
  }

  private byte[] bytesOf(long page) throws IOException {
    byte[] data = read((page - 1) * pageSize, pageSize);
    if (data.length < pageSize) throw damaged("page " + page + " ends too early");
    return data;
  }

  private TreePage page(long number, boolean isIndex) throws IOException {
    TreePage page = new TreePage(bytesOf(number), number == 1);
    if (!page.isTree || page.isIndex != isIndex) throw damaged("page " + number + " is of no tree");
    return page;
  }

  private <Wanted> void load(List<Level<Wanted>> level) throws IOException {
    List<Long> pages = new ArrayList<>();
    for (Level<Wanted> one : level) pages.add(one.page);
    loadPages(pages);
  }

  /** The values of cells, the rest of which lies in other pages. */
  private List<Row> completed(List<TreePage.Cell> cells) throws IOException {
    while (true) {
      List<Long> pages = new ArrayList<>();
      for (TreePage.Cell cell : cells) if (cell.rest > 0) pages.add(cell.page);
      if (pages.isEmpty()) break;
      loadPages(pages);
      for (TreePage.Cell cell : cells) {
        if (cell.rest == 0) continue;
        byte[] data = bytesOf(cell.page);
        int before = cell.record.length, part = (int) Math.min(cell.rest, data.length - 4);
        cell.record = Arrays.copyOf(cell.record, before + part);
        System.arraycopy(data, 4, cell.record, before, part);
        cell.rest -= part;
        cell.page = TreePage.number(data, 0, 4);
      }
    }
    List<Row> rows = new ArrayList<>();
    for (TreePage.Cell cell : cells) rows.add(new Row(cell.number, TreePage.values(cell.record)));
    return rows;
  }

  // Trees

  /** The rows of a table whose numbers are in spans, which ascend and do not overlap. */
  List<Row> rows(long root, List<Span> spans) throws IOException {
    List<Level<Span>> level = Collections.singletonList(new Level<>(root, spans));
    List<TreePage.Cell> cells = new ArrayList<>();
    for (int depth = 0; depth < DEPTH && !level.isEmpty(); depth++) {
      load(level);
      List<Level<Span>> below = new ArrayList<>();
      for (Level<Span> one : level) {
        TreePage page = page(one.page, false);
        if (page.isInterior) {
          below.addAll(children(page, one.wanted));
          continue;
        }
        for (int index = 0, at = 0; index < page.count; index++) {
          TreePage.Cell cell = page.cell(index);
          while (at < one.wanted.size() && one.wanted.get(at).last < cell.number) at++;
          if (at < one.wanted.size() && one.wanted.get(at).first <= cell.number) cells.add(cell);
        }
      }
      level = below;
    }
    return completed(cells);
  }

  /** The first row of a table in a span, in a list; none without one. */
  List<Row> first(long root, Span span, int depth) throws IOException {
    loadPages(Collections.singleton(root));
    TreePage page = page(root, false);
    if (page.isInterior) {
      for (Level<Span> one : depth < DEPTH ? children(page, Collections.singletonList(span)) : Collections.<Level<Span>>emptyList()) {
        List<Row> found = first(one.page, span, depth + 1);
        if (!found.isEmpty()) return found;
      }
      return Collections.emptyList();
    }
    for (int index = 0; index < page.count; index++) {
      TreePage.Cell cell = page.cell(index);
      if (cell.number >= span.first && cell.number <= span.last) return completed(Collections.singletonList(cell));
    }
    return Collections.emptyList();
  }

  /** The pages below one that hold rows of spans, with these. */
  private static List<Level<Span>> children(TreePage page, List<Span> spans) {
    List<Level<Span>> found = new ArrayList<>();
    int start = 0;
    for (int index = 0; index <= page.count; index++) {
      long last = index < page.count ? page.key(index) : Long.MAX_VALUE;
      while (index > 0 && start < spans.size() && spans.get(start).last <= page.key(index - 1)) start++;
      int end = start;
      while (end < spans.size() && spans.get(end).first <= last) end++;
      if (end > start) found.add(new Level<>(page.child(index), spans.subList(start, end)));
    }
    return found;
  }

  /** The entries of an index between keys. */
  List<Object[]> entries(long root, List<Keys> keys) throws IOException {
    List<Level<Keys>> level = Collections.singletonList(new Level<>(root, keys));
    List<Object[]> found = new ArrayList<>();
    for (int depth = 0; depth < DEPTH && !level.isEmpty(); depth++) {
      load(level);
      List<Level<Keys>> below = new ArrayList<>();
      for (Level<Keys> one : level) {
        TreePage page = page(one.page, true);
        List<TreePage.Cell> cells = new ArrayList<>();
        for (int index = 0; index < page.count; index++) cells.add(page.cell(index));
        List<Row> entries = completed(cells);
        for (Row entry : entries) {
          for (Keys key : one.wanted) {
            if (compare(entry.values, key.first) < 0 || compare(entry.values, key.last) > 0) continue;
            found.add(entry.values);
            break;
          }
        }
        for (int index = 0; page.isInterior && index <= page.count; index++) {
          List<Keys> own = new ArrayList<>();
          for (Keys key : one.wanted) {
            boolean isBefore = index < page.count && compare(entries.get(index).values, key.first) < 0;
            if (!isBefore && (index == 0 || compare(entries.get(index - 1).values, key.last) <= 0)) own.add(key);
          }
          if (!own.isEmpty()) below.add(new Level<>(page.child(index), own));
        }
      }
      level = below;
    }
    return found;
  }

  /** The order of an entry and a key; 0 if the entry begins with the key. */
  private static int compare(Object[] entry, Object[] key) {
    for (int i = 0; i < Math.min(entry.length, key.length); i++) {
      int order = TreePage.compare(entry[i], key[i]);
      if (order != 0) return order;
    }
    return 0;
  }
}
