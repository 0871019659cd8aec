package quadrille;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

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
    StringJoiner list = new StringJoiner(",", "\"members\":[", "]");
    for (Entry member : known) list.add(object(member.fields, member.id()));
    return object(fields, members == null ? "" : list.toString(), more, id());
  }

  private String id() {
    return key.isEmpty() ? "" : "\"id\":\"" + key + '"';
  }

  private static String object(String... pieces) {
    StringJoiner object = new StringJoiner(",", "{", "}");
    for (String piece : pieces) if (!piece.isEmpty()) object.add(piece);
    return object.toString();
  }
}
