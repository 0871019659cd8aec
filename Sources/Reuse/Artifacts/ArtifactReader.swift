package import Columns
import Files
import Hashing
package import SystemPackage

/// A reader of the columns of an artifact, in the order in which they were appended.
///
/// The file is mapped and verified as a whole before the first column is returned; each read checks
/// its bounds again, so that it never traps.
package struct ArtifactReader {
  private let file: MappedFile

  /// The scratch of the columns; `nil` for memory.
  let scratch: Scratch?

  /// The offset of the next column's tag.
  private var offset = ArtifactHeader.byteCount

  /// Maps a file and verifies all of it.
  ///
  /// - Throws: ``ArtifactDamage`` where it is not an artifact of this version and program, is
  ///   truncated or too long, or has another SHA-256 than its header says; `Errno` where it cannot
  ///   be read.
  /// - Complexity: O(bytes), at some 2 GB/s.
  package init(_ path: FilePath, program: String, in scratch: Scratch? = nil) throws {
    self.scratch = scratch
    file = try MappedFile(path)
    guard let header = ArtifactHeader(file.bytes) else { throw ArtifactDamage("no header") }
    guard header.program == ArtifactHeader.mark(of: program) else {
      throw ArtifactDamage("another program made it")
    }
    guard header.bodyLength == file.bytes.count - ArtifactHeader.byteCount else {
      throw ArtifactDamage("its length is another")
    }
    var hash = SHA256()
    hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: body))
    guard hash.finalize() == header.bodyDigest else {
      throw ArtifactDamage("its checksum is another")
    }
  }

  private var body: Slice<UnsafeRawBufferPointer> {
    file.bytes[ArtifactHeader.byteCount...]
  }

  /// Whether all columns were read.
  package var isAtEnd: Bool { offset == file.bytes.count }

  /// Reads the next column, which must have elements of this type.
  ///
  /// - Complexity: O(bytes), one copy.
  package mutating func column<Element: BitwiseCopyable>(
    of element: Element.Type
  ) throws(ArtifactDamage) -> Column<Element> {
    let (content, count) = try next(element)
    return copy(content, count: count)
  }

  /// Reads the next column as an array, which lies in memory.
  mutating func array<Element: BitwiseCopyable>(
    of element: Element.Type
  ) throws(ArtifactDamage) -> ContiguousArray<Element> {
    ContiguousArray(try column(of: element))
  }

  /// Reads the next column, whose elements are cases of an enumeration with raw values from 0.
  ///
  /// - Throws: ``ArtifactDamage`` where a byte is not a raw value.
  mutating func column<Case: BitwiseCopyable & RawRepresentable & CaseIterable>(
    ofCases element: Case.Type
  ) throws(ArtifactDamage) -> Column<Case> where Case.RawValue == UInt8 {
    let (content, count) = try next(element)
    let limit = Case.allCases.count
    guard MemoryLayout<Case>.stride == 1, content.allSatisfy({ $0 < limit }) else {
      throw ArtifactDamage("a byte is no \(Case.self)")
    }
    return copy(content, count: count)
  }

  private func copy<Element>(_ content: UnsafeRawBufferPointer, count: Int) -> Column<Element> {
    var column = Column<Element>(uninitializedCount: count, in: scratch)
    column.withUnsafeMutableBufferPointer {
      UnsafeMutableRawBufferPointer($0).copyMemory(from: content)
    }
    return column
  }

  /// Reads a text.
  mutating func text() throws(ArtifactDamage) -> String {
    let bytes = try column(of: UInt8.self)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ArtifactDamage("a text is not UTF-8")
    }
    return text
  }

  /// Reads a number.
  mutating func integer() throws(ArtifactDamage) -> Int {
    let numbers = try column(of: Int.self)
    guard numbers.count == 1, let number = numbers.first else {
      throw ArtifactDamage("a number is \(numbers.count) numbers")
    }
    return number
  }

  /// Reads a count.
  ///
  /// - Parameter limit: the largest valid count.
  mutating func count(upTo limit: Int = .max) throws(ArtifactDamage) -> Int {
    let number = try integer()
    guard (0...limit).contains(number) else { throw ArtifactDamage("\(number) is no count") }
    return number
  }

  /// Returns the bytes of the next column, whose tag must be that of the type.
  private mutating func next<Element>(
    _ element: Element.Type
  ) throws(ArtifactDamage) -> (bytes: UnsafeRawBufferPointer, count: Int) {
    let rest = UnsafeRawBufferPointer(rebasing: file.bytes[offset...])
    guard let tag = ArtifactColumnTag(rest) else { throw ArtifactDamage("no column is left") }
    guard tag == ArtifactColumnTag(of: element, count: tag.count) else {
      throw ArtifactDamage("a column is not of \(Element.self)")
    }
    guard let length = tag.contentByteCount, let padded = ArtifactColumnTag.padded(length),
      padded <= rest.count - ArtifactColumnTag.byteCount
    else { throw ArtifactDamage("a column is longer than its file") }
    offset += ArtifactColumnTag.byteCount + padded
    let content = rest[ArtifactColumnTag.byteCount..<(ArtifactColumnTag.byteCount + length)]
    return (UnsafeRawBufferPointer(rebasing: content), tag.count)
  }
}
