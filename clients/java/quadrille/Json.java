package quadrille;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, doubles, booleans and null; whole numbers up to 2^53 are longs. */
public final class Json {
  private static final int DEPTH = 100;
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** The text of a file in UTF-8. */
  static String read(File file) throws IOException {
    return new String(Disk.read(file), StandardCharsets.UTF_8);
  }

  /** The value of a text; {@code IllegalArgumentException} if it is no JSON. */
  public static Object parse(String text) {
    Json reader = new Json(text);
    Object value = reader.value(0);
    if (reader.peek() != 0) throw reader.error();
    return value;
  }

  private IllegalArgumentException error() {
    return new IllegalArgumentException("no JSON at character " + at);
  }

  /** The next character that is no blank; 0 at the end. */
  private char peek() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void expect(char wanted) {
    if (peek() != wanted) throw error();
    at++;
  }

  private Object value(int depth) {
    if (depth > DEPTH) throw error();
    switch (peek()) {
      case '{': {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        if (peek() == '}') {
          at++;
          return members;
        }
        while (true) {
          if (peek() != '"') throw error();
          String name = string();
          expect(':');
          members.put(name, value(depth + 1));
          if (peek() == '}') break;
          expect(',');
        }
        at++;
        return members;
      }
      case '[': {
        List<Object> items = new ArrayList<>();
        at++;
        if (peek() == ']') {
          at++;
          return items;
        }
        while (true) {
          items.add(value(depth + 1));
          if (peek() == ']') break;
          expect(',');
        }
        at++;
        return items;
      }
      case '"': return string();
      case 't': return word("true", Boolean.TRUE);
      case 'f': return word("false", Boolean.FALSE);
      case 'n': return word("null", null);
      default: return number();
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) throw error();
    at += word.length();
    return value;
  }

  private Object number() {
    int start = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
    String digits = text.substring(start, at);
    if (!digits.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) throw error();
    double value = Double.parseDouble(digits);
    boolean isWhole = digits.matches("-?\\d{1,16}") && Math.abs(value) <= 1L << 53;
    return isWhole ? (Object) Long.valueOf(digits) : (Object) value;
  }

  /** A text as JSON. */
  static String quoted(String text) {
    StringBuilder built = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int index = "\"\\\b\f\n\r\t".indexOf(c);
      if (index >= 0) built.append('\\').append("\"\\bfnrt".charAt(index));
      else if (c < ' ') built.append(String.format("\\u%04x", (int) c));
      else built.append(c);
    }
    return built.append('"').toString();
  }

  private String string() {
    StringBuilder built = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        return built.toString();
      }
      if (c < ' ') throw error();
      if (c != '\\') {
        built.append(c);
        continue;
      }
      if (++at >= text.length()) throw error();
      int index = "\"\\/bfnrt".indexOf(text.charAt(at));
      if (index >= 0) {
        built.append("\"\\/\b\f\n\r\t".charAt(index));
      } else {
        if (text.charAt(at) != 'u' || at + 5 > text.length()) throw error();
        built.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
        at += 4;
      }
    }
    throw error();
  }
}
