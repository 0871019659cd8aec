import CZlib

@testable import QuadrilleClient

/// Compact taps of one tile: the block of docs/taps.md.
enum CompactTaps {
  /// The block of docs/taps.md as it is after inflation.
  static let block: [UInt8] = [
    0x01, 0x01, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x02, 0x01, 0x01, 0x01, 0x01, 0xFF, 0x21, 0xFF, 0x21,
    0x80, 0x22, 0x80, 0x22, 0x01, 0x00, 0x80, 0x19, 0x80, 0x19, 0x0E, 0x02, 0x00, 0x01, 0x00, 0x12,
    0x01, 0x04, 0x80, 0x14, 0x80, 0x14, 0x80, 0x0F, 0x00, 0x00, 0x80, 0x0A, 0xFF, 0x0E, 0x00, 0x00,
    0x03, 0x00, 0x06, 0x80, 0x03, 0x00, 0x01, 0x02, 0xFF, 0x13, 0x80, 0x14, 0x80, 0x40, 0x00,
  ]

  /// The features of the block, and a cluster.
  static let entries: [(number: Int, json: String)] = [
    (7, #"{"name":"Bern","id":"a.b.Nw","source":"towns"}"#),
    (9, #"{"name":"Lac Léman","id":"a.b.OQ","source":"lakes"}"#),
    (12, #"{"name":"A1","id":"a.b.MTI","source":"roads"}"#),
    (
      20,
      #"{"cluster":true,"cluster_id":3,"point_count":8,"point_count_abbreviated":8,"#
        + #""bbox":[5,46,9,48],"expansion_zoom":5,"id":"a.b.3.4","source":"towns"}"#
    ),
  ]

  static var page: [UInt8] {
    var bytes: [UInt8] = []
    var last = entries[0].number
    for (number, json) in entries {
      bytes += [UInt8(number - last)]
      let count = json.utf8.count
      bytes += count < 128 ? [UInt8(count)] : [UInt8(count & 127) | 128, UInt8(count >> 7)]
      bytes += Array(json.utf8)
      last = number
    }
    return bytes
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
