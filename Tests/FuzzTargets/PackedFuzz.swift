import CDeflate
import Features
import SystemPackage
import Unpacking

/// Packed files: a byte of options, then the file.
enum PackedFuzz {
  static func checkGzip(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let limits = limits(input.byte())
    let file = input.rest
    guard file.starts(with: [0x1F, 0x8B, 8]) else { return false }
    let unpacked = try unpackedTwice(file, limits)
    // libdeflate has the same limit here and reads one member.
    if let whole = oneMember(file, limit: 1 << 16), limits == UnpackLimits() {
      try require(unpacked == whole, "another content than libdeflate finds")
    }
    return unpacked != nil
  }

  static func checkZip(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    let limits = limits(form)
    let file = input.rest
    guard file.starts(with: [0x50, 0x4B]) else { return false }
    return try unpackedTwice(file, limits, member: form.has(bit: 1) ? "a.csv" : nil) != nil
  }

  private static func limits(_ form: UInt8) -> UnpackLimits {
    var limits = UnpackLimits()
    guard form.has(bit: 0) else { return limits }
    limits.bytes = 64
    limits.unrated = 16
    limits.ratio = 3
    limits.members = 2
    return limits
  }

  /// Unpacks a file, and again; `nil` where it is refused.
  private static func unpackedTwice(
    _ file: [UInt8], _ limits: UnpackLimits, member: String? = nil
  ) throws -> [UInt8]? {
    let scratch = try ScratchFile()
    try scratch.write(file)
    let first = try unpacked(scratch, limits, member)
    try require(try unpacked(scratch, limits, member) == first, "a second unpacking differs")
    try require((first?.count ?? 0) <= limits.bytes, "more bytes than the limit")
    return first
  }

  private static func unpacked(
    _ scratch: ScratchFile, _ limits: UnpackLimits, _ member: String?
  ) throws -> [UInt8]? {
    var surroundings = PackedInput.Surroundings(folder: scratch.path.removingLastComponent())
    surroundings.limits = limits
    var wanted = PackedInput.Wanted()
    wanted.member = member
    wanted.endings = [".csv"]
    guard
      let input = PackedInput(.file(scratch.path), name: "fuzz", wanted: wanted, surroundings)
    else { return nil }
    do {
      let file = try input.unpacked().file
      var bytes = [UInt8](repeating: 0, count: Int(try file.stat().size))
      _ = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
      return bytes
    } catch let error as SourceError {
      try require(!error.description.contains("\n"), "an error of several lines")
      return nil
    }
  }

  /// The content of a file of one member; `nil` where libdeflate refuses it or more follows.
  private static func oneMember(_ file: [UInt8], limit: Int) -> [UInt8]? {
    let decompressor = libdeflate_alloc_decompressor()
    defer { libdeflate_free_decompressor(decompressor) }
    var content = [UInt8](repeating: 0, count: limit)
    var (used, made) = (0, 0)
    let result = libdeflate_gzip_decompress_ex(
      decompressor, file, file.count, &content, limit, &used, &made)
    guard result == LIBDEFLATE_SUCCESS, used == file.count else { return nil }
    return Array(content.prefix(made))
  }
}
