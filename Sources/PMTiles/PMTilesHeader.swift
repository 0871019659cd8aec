import MBTiles
package import Pictures

/// The first 127 bytes of a PMTiles file, version 3; integers are little-endian.
///
/// Source: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md, chapter 3.
package struct PMTilesHeader: Hashable, Sendable {
  /// Size of the header in bytes.
  package static let size = 127

  /// The number of bytes at the file's start that must contain header and root directory.
  package static let rootLimit = 16_384

  /// The compression of directories or tiles.
  package enum Compression: UInt8, Hashable, Sendable {
    case unknown, none, gzip, brotli, zstandard
  }

  /// The format of tiles.
  package enum TileType: UInt8, Hashable, Sendable {
    case unknown, vector, png, jpeg, webp, avif

    package init(_ format: TileFormat) {
      self =
        switch format {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .vector: .vector
        }
    }
  }

  /// A part of the file in bytes.
  package struct Section: Hashable, Sendable {
    package var offset: UInt64
    package var length: UInt64

    package init(offset: UInt64 = 0, length: UInt64 = 0) {
      self.offset = offset
      self.length = length
    }
  }

  package var root = Section()
  package var metadata = Section()
  package var leaves = Section()
  package var tiles = Section()

  /// The number of tiles before run lengths; 0 if the writer did not know.
  package var addressedTiles: UInt64 = 0
  /// The number of entries of all directories that lead to tiles; 0 if the writer did not know.
  package var tileEntries: UInt64 = 0
  /// The number of distinct contents; 0 if the writer did not know.
  package var tileContents: UInt64 = 0

  /// Whether contents are in the order of the tiles that first show them.
  package var isClustered = true
  /// The compression of directories and metadata.
  package var internalCompression = Compression.gzip
  package var tileCompression = Compression.none
  package var tileType = TileType.png
  package var minZoom: UInt8 = 0
  package var maxZoom: UInt8 = 0

  /// West, south, east, north in 10⁻⁷ degrees.
  package var bounds: [Int32] = [0, 0, 0, 0]
  package var centerZoom: UInt8 = 0
  /// Longitude and latitude in 10⁻⁷ degrees.
  package var center: [Int32] = [0, 0]

  package init() {}

  /// Returns degrees in the units of the header.
  package static func units(_ degrees: Double) -> Int32 {
    Int32(clamping: Int((max(-200, min(200, degrees)) * 1e7).rounded()))
  }

  /// The header's bytes.
  package var bytes: [UInt8] {
    var bytes = Array("PMTiles".utf8) + [3]
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    for section in [root, metadata, leaves, tiles] {
      append(section.offset)
      append(section.length)
    }
    for count in [addressedTiles, tileEntries, tileContents] { append(count) }
    bytes += [
      isClustered ? 1 : 0, internalCompression.rawValue, tileCompression.rawValue,
      tileType.rawValue, minZoom, maxZoom,
    ]
    for value in bounds { append(value) }
    bytes.append(centerZoom)
    for value in center { append(value) }
    return bytes
  }

  /// Reads a header.
  ///
  /// - Throws: the end of a sentence that begins with the file's name.
  package init(_ bytes: UnsafeRawBufferPointer) throws(PMTilesFault) {
    guard bytes.starts(with: "PMTiles".utf8) else { throw PMTilesFault("is no PMTiles file") }
    guard bytes.count >= Self.size else { throw PMTilesFault("ends within its header") }
    guard bytes[7] == 3 else {
      throw PMTilesFault("is PMTiles of version \(bytes[7]), and only version 3 is read")
    }
    func integer<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Value {
      Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
    func section(_ offset: Int) -> Section {
      Section(
        offset: integer(offset, UInt64.self), length: integer(offset + 8, UInt64.self))
    }
    root = section(8)
    metadata = section(24)
    leaves = section(40)
    tiles = section(56)
    addressedTiles = integer(72, UInt64.self)
    tileEntries = integer(80, UInt64.self)
    tileContents = integer(88, UInt64.self)
    isClustered = bytes[96] == 1
    internalCompression = Compression(rawValue: bytes[97]) ?? .unknown
    tileCompression = Compression(rawValue: bytes[98]) ?? .unknown
    tileType = TileType(rawValue: bytes[99]) ?? .unknown
    minZoom = bytes[100]
    maxZoom = bytes[101]
    bounds = [102, 106, 110, 114].map { integer($0, Int32.self) }
    centerZoom = bytes[118]
    center = [119, 123].map { integer($0, Int32.self) }
  }
}

/// The reason why bytes are not a PMTiles file: the end of a sentence that begins with its name.
package struct PMTilesFault: Error, Hashable, Sendable {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}
