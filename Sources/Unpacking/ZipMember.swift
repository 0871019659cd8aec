import Features

/// A file within a zip file, as the list of members describes it.
struct ZipMember: Hashable, Sendable {
  /// The compression methods that are read (APPNOTE 4.4.5).
  enum Method: Int, Sendable {
    case stored = 0
    case deflated = 8
  }

  /// The name with its folders, divided by `/`.
  let name: String

  let flags: Int
  let method: Int
  let checksum: UInt32
  let packedBytes: Int
  let unpackedBytes: Int
  /// The position of the member's own header in the file.
  let headerOffset: Int

  /// The other methods by their numbers.
  private static let otherMethods: [Int: String] = [
    1: "shrink", 6: "implode", 9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "zstd", 95: "xz",
    98: "PPMd", 99: "AES encryption",
  ]

  var isFolder: Bool { name.hasSuffix("/") }

  /// Whether the name leads out of the folder in which it would be unpacked. Nothing is unpacked by
  /// name here, but messages show it as a place.
  var isUnsafe: Bool { ZipContents.leadsOut(name) }

  /// Whether the member is data rather than a file that operating systems add, such as the
  /// attributes of macOS.
  var isContent: Bool {
    let steps = name.split(separator: "/")
    return !isFolder && steps.first != "__MACOSX" && steps.last?.hasPrefix(".") != true
  }

  /// Returns the method by which the member is compressed.
  ///
  /// - Throws: ``UnpackFault`` for a member that is encrypted or packed in another way.
  func readableMethod() throws(UnpackFault) -> Method {
    guard !isUnsafe else {
      throw UnpackFault("has a name that leads out of its folder; rename it")
    }
    guard flags & 1 == 0 else {
      throw UnpackFault("is encrypted; unpack it by hand with its password")
    }
    guard let known = Method(rawValue: method) else {
      let words = Self.otherMethods[method] ?? "method \(method)"
      throw UnpackFault("is packed by \(words), which is not read here; unpack it by hand")
    }
    guard known == .deflated || packedBytes == unpackedBytes else { throw .wrongLength }
    return known
  }
}
