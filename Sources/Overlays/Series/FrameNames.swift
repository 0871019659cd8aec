/// The file names of a series, beside each other in one folder.
///
/// | File | Content |
/// |---|---|
/// | `rain/2014-01-19T0600Z.mbtiles` | one frame |
/// | `rain/latest.mbtiles` | a copy of the newest frame |
/// | `rain.frames.json` | the manifest |
/// | `rain.apng` | an animation of the frames |
/// | `rain.contact.png` | the contact sheet |
package struct FrameNames: Hashable, Sendable {
  /// The name of the series: ASCII letters, digits, `-`, `_`, `@` and `.`, not beginning with a
  /// dot.
  package let series: String

  /// - Throws: ``SeriesError`` if the name has other characters or more than 200.
  package init(series: String) throws(SeriesError) {
    guard Self.isPlain(series) else {
      throw SeriesError(
        .badPattern,
        "a series is named by ASCII letters, digits, '-', '_', '@' and '.', 200 at most.")
    }
    self.series = series
  }

  package var manifest: String { "\(series).frames.json" }
  package var animation: String { "\(series).apng" }
  package var contactSheet: String { "\(series).contact.png" }
  package var latest: String { "\(series)/latest.mbtiles" }

  /// Returns the path of a frame's archive.
  package func archive(of time: FrameTime) -> String { "\(series)/\(time.fileName).mbtiles" }

  /// Whether a path is one that ``archive(of:)`` can return: no other file may be removed.
  package func isArchive(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == series, parts[1].hasSuffix(".mbtiles") else { return false }
    guard let time = try? FrameTime(iso8601: Self.withColons(parts[1].dropLast(8))) else {
      return false
    }
    return archive(of: time) == path
  }

  /// Returns a time from a name, with the colons that ISO 8601 demands after a date with dashes.
  private static func withColons(_ name: Substring) -> String {
    let parts = name.split(separator: "T", maxSplits: 1)
    guard parts.count == 2 else { return String(name) }
    return parts[0].filter { $0 != "-" } + "T" + parts[1]
  }

  private static func isPlain(_ name: String) -> Bool {
    guard (1...200).contains(name.utf8.count), !name.hasPrefix(".") else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "@"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }
}
