package quadrille;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The data of a feature or cluster (docs/taps.md): pieces of JSON, and the identifiers of a cluster's members, null for a feature. */
record Entry(String key, String fields, String more, long[] members) {
  /** The entries of a page by their identifiers. A page of the first format begins with the first step, which is 0. */
  static Map<Long, Entry> page(byte[] data, long first) {
    Block.Numbers numbers = new Block.Numbers(data);
    boolean isFirst = data.length > 0 && data[0] == 0;
    if (!isFirst && numbers.next() != 2) throw Block.damaged("entries of an unknown format");
    Map<Long, Entry> page = new HashMap<>();
    for (long feature = first; !numbers.isAtEnd(); ) {
      long last = feature;
      feature = numbers.after(feature, false);
      if (feature == last && !page.isEmpty()) throw Block.damaged("the identifiers of entries do not ascend");
      page.put(feature, isFirst ? whole(text(numbers)) : read(numbers, feature));
    }
    return page;
  }

  /** Where pages end that a client writes: entries, bytes of their pieces, and identifiers of which one ends its page. */
  private static final int PAGE_ENTRIES = 256, PAGE_BYTES = 128 << 10, PAGE_MEAN = 64, PAGE_LIMIT = 16 << 20;

  /** The bytes of pages before compression by their first identifiers, divided as the program does it. */
  static Map<Long, byte[]> pages(TreeMap<Long, Entry> entries) {
    Map<Long, byte[]> pages = new TreeMap<>();
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    long first = -1, last = 0;
    int count = 0, size = 0;
    for (Map.Entry<Long, Entry> one : entries.entrySet()) {
      byte[][] pieces = one.getValue().pieces();
      int added = pieces[0].length + pieces[1].length + pieces[2].length;
      if (size > 0 && size + added > PAGE_LIMIT) {
        pages.put(first, page.toByteArray());
        first = -1;
      }
      long identifier = one.getKey();
      if (first < 0) {
        page.reset();
        put(page, 2);
        first = last = identifier;
        count = size = 0;
      }
      put(page, identifier - last);
      one.getValue().write(page, pieces, identifier);
      last = identifier;
      count++;
      size += added;
      if (count < PAGE_ENTRIES && size < PAGE_BYTES && identifier % PAGE_MEAN != PAGE_MEAN - 1) continue;
      pages.put(first, page.toByteArray());
      first = -1;
    }
    if (first >= 0) pages.put(first, page.toByteArray());
    return pages;
  }

  private byte[][] pieces() {
    return new byte[][] {key.getBytes(StandardCharsets.UTF_8), fields.getBytes(StandardCharsets.UTF_8), more.getBytes(StandardCharsets.UTF_8)};
  }

  private void write(ByteArrayOutputStream page, byte[][] pieces, long identifier) {
    for (byte[] piece : pieces) {
      put(page, piece.length);
      page.write(piece, 0, piece.length);
    }
    put(page, members == null ? 0 : members.length + 1);
    for (long member : members == null ? new long[0] : members) {
      long step = member - identifier;
      put(page, step >= 0 ? 2 * step : -2 * step - 1);
      identifier = member;
    }
  }

  private static void put(ByteArrayOutputStream page, long value) {
    for (; value > 127; value >>= 7) page.write((int) (value & 127 | 128));
    page.write((int) value);
  }

  private static Entry whole(String json) {
    if (json.length() < 2) throw Block.damaged("an entry is no object");
    return new Entry("", json.substring(1, json.length() - 1), "", null);
  }

  private static Entry read(Block.Numbers numbers, long feature) {
    String key = text(numbers), fields = text(numbers), more = text(numbers);
    int count = numbers.count(1);
    if (count < 0) return new Entry(key, fields, more, null);
    long[] members = new long[count];
    for (int i = 0; i < members.length; i++) members[i] = feature = numbers.after(feature, true);
    return new Entry(key, fields, more, members);
  }

  private static String text(Block.Numbers numbers) {
    return new String(numbers.take(numbers.next()), StandardCharsets.UTF_8);
  }

  /** The entry as JSON; {@code known} are the members of a cluster. */
  String json(List<Entry> known) {
    StringBuilder list = new StringBuilder("\"members\":[");
    for (Entry member : known) list.append(list.length() > 11 ? "," : "").append(object(member.fields, member.id()));
    return object(fields, members == null ? "" : list + "]", more, id());
  }

  private String id() {
    return key.isEmpty() ? "" : "\"id\":\"" + key + '"';
  }

  private static String object(String... pieces) {
    StringBuilder object = new StringBuilder("{");
    for (String piece : pieces) {
      if (!piece.isEmpty()) object.append(object.length() > 1 ? "," : "").append(piece);
    }
    return object.append('}').toString();
  }
}
