import CZlib

@testable import QuadrilleClient

/// Compact taps of one tile: the block of docs/taps.md.
enum CompactTaps {
  /// The block of docs/taps.md as it is after inflation.
  static let block: [UInt8] =
    [0x02, 0x01, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x02, 0x03, 0x07, 0x02, 0x03]
    + rest(symbol: 0, area: 2, line: 2)

  /// The same block in version 1, which has no list of identifiers.
  static let earlierBlock: [UInt8] =
    [0x01, 0x01, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x02] + rest(symbol: 14, area: 18, line: 6)

  /// What follows the list, with the steps that lead to the features.
  private static func rest(symbol: UInt8, area: UInt8, line: UInt8) -> [UInt8] {
    [
      0x01, 0x01, 0x01, 0x01, 0xFF, 0x21, 0xFF, 0x21, 0x80, 0x22, 0x80, 0x22, 0x01, 0x00, 0x80,
      0x19,
      0x80, 0x19, symbol, 0x02, 0x00, 0x01, 0x00, area, 0x01, 0x04, 0x80, 0x14, 0x80, 0x14, 0x80,
      0x0F,
      0x00, 0x00, 0x80, 0x0A, 0xFF, 0x0E, 0x00, 0x00, 0x03, 0x00, line, 0x80, 0x03, 0x00, 0x01,
      0x02,
      0xFF, 0x13, 0x80, 0x14, 0x80, 0x40, 0x00,
    ]
  }

  /// The features of the block, and a cluster.
  private static let entries: [(number: Int, key: String, fields: String, source: String)] = [
    (7, "a.b.Nw", #""name":"Bern""#, "towns"),
    (9, "a.b.OQ", #""name":"Lac Léman""#, "lakes"),
    (12, "a.b.MTI", #""name":"A1""#, "roads"),
    (
      20, "a.b.3.4",
      #""cluster":true,"cluster_id":3,"point_count":8,"point_count_abbreviated":8,"#
        + #""bbox":[5,46,9,48],"expansion_zoom":5"#, "towns"
    ),
  ]

  /// A page of the entries; the cluster has the members 7 and 9.
  static var page: [UInt8] { page { $0 } }

  /// A page whose cluster has other members.
  ///
  /// - Parameter members: changes the steps that lead to the members, with their count.
  static func page(members: ([UInt8]) -> [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [2]
    var last = entries[0].number
    for entry in entries {
      bytes.append(UInt8(entry.number - last))
      for piece in [entry.key, entry.fields, #""source":"\#(entry.source)""#] {
        bytes += counted(piece)
      }
      // One more than there are members; 13 less than 20, and 2 more.
      bytes += entry.number == 20 ? members([3, 25, 4]) : [0]
      last = entry.number
    }
    return bytes
  }

  /// The same entries as a page of version 1.
  static var earlierPage: [UInt8] {
    var bytes: [UInt8] = []
    var last = entries[0].number
    for entry in entries {
      let json = #"{\#(entry.fields),"source":"\#(entry.source)","id":"\#(entry.key)"}"#
      bytes += [UInt8(entry.number - last)] + counted(json)
      last = entry.number
    }
    return bytes
  }

  private static func counted(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    return (count < 128 ? [UInt8(count)] : [UInt8(count & 127) | 128, UInt8(count >> 7)])
      + text.utf8
  }

  /// The statements that add the tables, with the block in the tile 0/0/0.
  static var tables: [String] {
    tables(block: deflated(block), page: deflated(page))
  }

  static func tables(block: [UInt8], page: [UInt8]) -> [String] {
    [
      "CREATE TABLE taps (zoom_level INTEGER, block_column INTEGER, block_row INTEGER, "
        + "block_data BLOB)",
      "CREATE TABLE tap_entries (first_feature INTEGER, entry_data BLOB)",
      "INSERT INTO taps VALUES (0, 0, 0, x'\(Hexadecimal.text(block))')",
      "INSERT INTO tap_entries VALUES (\(entries[0].number), x'\(Hexadecimal.text(page))')",
    ]
  }

  /// Returns bytes as a zlib stream.
  static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    var stream = [UInt8](repeating: 0, count: Int(count))
    _ = compress(&stream, &count, bytes, UInt(bytes.count))
    return Array(stream.prefix(Int(count)))
  }
}
