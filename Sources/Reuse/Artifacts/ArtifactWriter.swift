package import Columns

/// A writer of the body of an artifact: columns in the order in which a reader requests them.
///
/// Columns are not copied: they are written from their own storage when the artifact is stored.
package struct ArtifactWriter {
  /// A function that passes the bytes of one column to a closure.
  private typealias Lender = ((UnsafeRawBufferPointer) throws -> Void) throws -> Void

  private var columns: [(tag: ArtifactColumnTag, lend: Lender)] = []

  /// The number of bytes of the body so far: tags, columns and padding.
  private(set) var byteCount = 0

  package init() {}

  /// Appends a column.
  ///
  /// - Complexity: O(1); the elements are shared.
  package mutating func append<Element: BitwiseCopyable>(_ column: Column<Element>) {
    append(of: Element.self, count: column.count) { body in try column.withUnsafeBytes(body) }
  }

  /// Appends an array, which a reader may read as a column.
  ///
  /// - Complexity: O(1); the elements are shared.
  mutating func append<Element: BitwiseCopyable>(array: ContiguousArray<Element>) {
    append(of: Element.self, count: array.count) { body in try array.withUnsafeBytes(body) }
  }

  private mutating func append<Element>(
    of element: Element.Type, count: Int, _ lend: @escaping Lender
  ) {
    let tag = ArtifactColumnTag(of: element, count: count)
    columns.append((tag, lend))
    let content = tag.contentByteCount.flatMap(ArtifactColumnTag.padded) ?? 0
    byteCount += ArtifactColumnTag.byteCount + content
  }

  /// Appends a text.
  mutating func append(_ text: String) {
    append(Column(text.utf8))
  }

  /// Appends a number.
  mutating func append(_ number: Int) {
    append([number] as Column)
  }

  /// Passes the body to a closure piece by piece, in order.
  ///
  /// - Complexity: O(bytes).
  package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let zeros = [UInt8](repeating: 0, count: ArtifactColumnTag.byteCount)
    for column in columns {
      try column.tag.bytes.withUnsafeBytes(body)
      try column.lend { content in
        // The buffer of a column has no trailing padding: strides are whole.
        if content.count > 0 { try body(content) }
        let rest = -content.count & (ArtifactColumnTag.byteCount - 1)
        if rest > 0 {
          try zeros.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<rest])) }
        }
      }
    }
  }
}
