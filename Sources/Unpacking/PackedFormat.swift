package import Files

/// A format of packed files, recognised by its first bytes.
package enum PackedFormat: String, CaseIterable, Hashable, Sendable {
  /// RFC 1952; also as several members one after another.
  case gzip
  /// The files of PKWARE's APPNOTE, with their 64-bit extensions.
  case zip
  /// Zstandard, RFC 8878.
  case zstd
  case bzip2

  /// - Parameter head: the first bytes of a file; ``FileSignature/byteCount`` are enough.
  package init?(_ head: some Collection<UInt8>) {
    guard let format = FileSignature(head.prefix(FileSignature.byteCount)).flatMap(Self.init)
    else { return nil }
    self = format
  }

  /// Creates the format of a file from its signature; `nil` if the file is not packed.
  package init?(_ signature: FileSignature) {
    switch signature {
    case .gzip: self = .gzip
    case .zip, .spreadsheet, .zippedShapefile, .zippedKML: self = .zip
    case .zstandard: self = .zstd
    case .bzip2: self = .bzip2
    default: return nil
    }
  }

  /// The extension that tools append to the name of the file that they pack; `nil` for a format
  /// with file names of its own.
  package var ending: String? {
    switch self {
    case .gzip: ".gz"
    case .zstd: ".zst"
    case .bzip2: ".bz2"
    case .zip: nil
    }
  }
}
