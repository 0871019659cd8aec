import Features
import Files
import Synchronization
import SystemPackage

/// The list of members at the end of a zip file (PKWARE's APPNOTE 6.3.10, section 4.3).
struct ZipDirectory {
  /// The list of a file, shared by all searches for one of its members: a source may name
  /// thousands.
  private final class List: Sendable {
    /// The files, without folders, in the order of the list.
    let members: [ZipMember]

    /// The positions in ``members`` by name.
    let positions: [String: [Int]]

    init(_ members: [ZipMember]) {
      self.members = members
      positions = Dictionary(grouping: members.indices) { members[$0].name }
    }
  }

  /// The identity of a file at the time its list was read.
  private struct Identity: Hashable {
    let status: FileStatus
    let limits: UnpackLimits
  }

  /// The list that was read last.
  private static let last = Mutex<(identity: Identity, list: List)?>(nil)

  private let list: List

  /// The files, without folders, in the order of the list.
  var members: [ZipMember] { list.members }

  /// Returns the members with a name.
  func members(named name: String) -> [ZipMember] {
    (list.positions[name] ?? []).map { list.members[$0] }
  }

  private static let endBytes = 22
  private static let locatorBytes = 20
  private static let wideEndBytes = 56
  private static let headerBytes = 46
  static let localHeaderBytes = 30
  private static let unset = 0xFFFF_FFFF

  private let file: FileDescriptor
  private let byteCount: Int

  /// The place of the list.
  private struct Extent {
    var offset: Int
    var bytes: Int
    var count: Int
    /// The position of the record after the list.
    var end: Int
  }

  /// Reads the list.
  ///
  /// - Throws: ``UnpackFault`` for a file that is damaged, divided, too large, or whose members
  ///   overlap.
  init(_ file: FileDescriptor, byteCount: Int, limits: UnpackLimits) throws(UnpackFault) {
    let identity = (try? FileStatus(of: file)).map { Identity(status: $0, limits: limits) }
    if let identity, let known = Self.last.withLock({ $0 }), known.identity == identity {
      self.init(file, byteCount, known.list)
      return
    }
    let reading = Self(file, byteCount, List([]))
    let members = try reading.readList(limits: limits)
    self.init(file, byteCount, List(members))
    if let identity { Self.last.withLock { [list] in $0 = (identity, list) } }
  }

  private init(_ file: FileDescriptor, _ byteCount: Int, _ list: List) {
    self.file = file
    self.byteCount = byteCount
    self.list = list
  }

  private func readList(limits: UnpackLimits) throws(UnpackFault) -> [ZipMember] {
    let extent = try extent()
    guard extent.count <= limits.members, extent.bytes <= limits.directoryBytes else {
      throw UnpackFault("has more than \(limits.members) members; unpack it by hand")
    }
    guard extent.offset <= extent.end, extent.bytes == extent.end - extent.offset,
      extent.bytes / Self.headerBytes >= extent.count
    else { throw Self.broken }
    let members = try readMembers(extent)
    try refuseOverlaps(members, before: extent.offset)
    return members.filter { !$0.isFolder }
  }

  private static let broken = UnpackFault(
    "is damaged: its list of members (zip) is broken or cut off; copy or fetch it again")

  private func bytes(_ offset: Int, _ count: Int) throws(UnpackFault) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= byteCount, count <= byteCount - offset else {
      throw Self.broken
    }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read: Int
      do {
        read = try bytes.withUnsafeMutableBytes {
          try file.read(
            fromAbsoluteOffset: Int64(offset + filled),
            into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
        }
      } catch {
        throw .reading(error)
      }
      guard read > 0 else { throw Self.broken }
      filled += read
    }
    return bytes
  }

  // MARK: The end

  /// Finds the record at the end of the file, which only a comment may follow.
  private func extent() throws(UnpackFault) -> Extent {
    let reach = min(byteCount, Self.endBytes + 0xFFFF)
    let tail = try bytes(byteCount - reach, reach)
    guard tail.count >= Self.endBytes else { throw Self.broken }
    for start in stride(from: tail.count - Self.endBytes, through: 0, by: -1)
    where tail[start] == 0x50 && tail[start...].starts(with: [0x50, 0x4B, 0x05, 0x06]) {
      let end = ZipFields(tail[start...])
      guard end.two(at: 20) == tail.count - start - Self.endBytes else { continue }
      return try extent(end, at: byteCount - reach + start)
    }
    throw Self.broken
  }

  private func extent(_ end: ZipFields, at position: Int) throws(UnpackFault) -> Extent {
    if let wide = try wideExtent(before: position) { return wide }
    guard end.two(at: 4) == 0, end.two(at: 6) == 0, end.two(at: 8) == end.two(at: 10) else {
      throw Self.divided
    }
    return Extent(
      offset: end.four(at: 16), bytes: end.four(at: 12), count: end.two(at: 10), end: position)
  }

  private static let divided = UnpackFault(
    "is a part of a zip file that is divided among several; join them, or unpack them by hand")

  /// Reads the record with numbers of 64 bits; `nil` where there is none.
  private func wideExtent(before position: Int) throws(UnpackFault) -> Extent? {
    guard position >= Self.locatorBytes + Self.wideEndBytes else { return nil }
    let locator = try bytes(position - Self.locatorBytes, Self.locatorBytes)
    guard locator.starts(with: [0x50, 0x4B, 0x06, 0x07]) else { return nil }
    guard let offset = ZipFields(locator[...]).eight(at: 8),
      offset <= position - Self.locatorBytes - Self.wideEndBytes
    else { throw Self.broken }
    let record = try bytes(offset, Self.wideEndBytes)
    guard record.starts(with: [0x50, 0x4B, 0x06, 0x06]) else { throw Self.broken }
    let fields = ZipFields(record[...])
    guard fields.four(at: 16) == 0, fields.four(at: 20) == 0 else { throw Self.divided }
    guard let count = fields.eight(at: 32), let bytes = fields.eight(at: 40),
      let start = fields.eight(at: 48)
    else { throw Self.broken }
    return Extent(offset: start, bytes: bytes, count: count, end: offset)
  }

  // MARK: Members

  private func readMembers(_ extent: Extent) throws(UnpackFault) -> [ZipMember] {
    var members: [ZipMember] = []
    var rest = try bytes(extent.offset, extent.bytes)[...]
    members.reserveCapacity(extent.count)
    for _ in 0..<extent.count {
      guard rest.count >= Self.headerBytes, rest.starts(with: [0x50, 0x4B, 0x01, 0x02]) else {
        throw Self.broken
      }
      let fields = ZipFields(rest)
      let (name, extra) = (fields.two(at: 28), fields.two(at: 30))
      let whole = Self.headerBytes + name + extra + fields.two(at: 32)
      guard whole <= rest.count else { throw Self.broken }
      members.append(
        try member(
          fields, name: fields.part(Self.headerBytes, name),
          extra: fields.part(Self.headerBytes + name, extra)))
      rest = rest.dropFirst(whole)
    }
    return members
  }

  private func member(
    _ fields: ZipFields, name: ArraySlice<UInt8>, extra: ArraySlice<UInt8>
  ) throws(UnpackFault) -> ZipMember {
    var (packed, unpacked) = (fields.four(at: 20), fields.four(at: 24))
    var offset = fields.four(at: 42)
    if [packed, unpacked, offset].contains(Self.unset) {
      var wide = try wideNumbers(extra)[...]
      func next() throws(UnpackFault) -> Int {
        guard let number = wide.popFirst() else { throw Self.broken }
        return number
      }
      if unpacked == Self.unset { unpacked = try next() }
      if packed == Self.unset { packed = try next() }
      if offset == Self.unset { offset = try next() }
    }
    guard packed <= byteCount, offset <= byteCount - packed else { throw Self.broken }
    return ZipMember(
      name: Self.text(name), flags: fields.two(at: 8), method: fields.two(at: 10),
      checksum: UInt32(truncatingIfNeeded: fields.four(at: 16)), packedBytes: packed,
      unpackedBytes: unpacked, headerOffset: offset)
  }

  /// Returns the numbers of the extra field for 64 bits (section 4.5.3).
  private func wideNumbers(_ extra: ArraySlice<UInt8>) throws(UnpackFault) -> [Int] {
    var rest = extra
    while rest.count >= 4 {
      let fields = ZipFields(rest)
      let size = fields.two(at: 2)
      guard size <= rest.count - 4 else { throw Self.broken }
      if fields.two(at: 0) == 1 {
        let numbers = ZipFields(fields.part(4, size))
        return (0..<(size / 8)).compactMap { numbers.eight(at: 8 * $0) }
      }
      rest = rest.dropFirst(4 + size)
    }
    throw Self.broken
  }

  /// Returns a name as text: UTF-8, else byte by byte; old programs write names in their code page.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return text.withoutControls
  }

  /// Refuses members that share bytes, as in zip bombs.
  private func refuseOverlaps(_ members: [ZipMember], before list: Int) throws(UnpackFault) {
    var end = 0
    for member in members.sorted(by: { $0.headerOffset < $1.headerOffset }) {
      guard member.headerOffset >= end else {
        throw UnpackFault(
          "has members that share their packed bytes, as files do that are made to fill disks (zip "
            + "bombs)")
      }
      end = member.headerOffset + Self.localHeaderBytes + member.packedBytes
    }
    guard end <= list else { throw Self.broken }
  }

  /// Returns the place of a member's packed bytes.
  func packedRange(of member: ZipMember) throws(UnpackFault) -> Range<Int> {
    let header = try bytes(member.headerOffset, Self.localHeaderBytes)
    guard header.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { throw Self.broken }
    let fields = ZipFields(header[...])
    guard fields.two(at: 8) == member.method else { throw Self.broken }
    let start =
      member.headerOffset + Self.localHeaderBytes + fields.two(at: 26) + fields.two(at: 28)
    guard start <= byteCount, member.packedBytes <= byteCount - start else { throw Self.broken }
    return start..<(start + member.packedBytes)
  }
}
