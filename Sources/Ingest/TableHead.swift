/// The first records of a text as one delimiter separates them.
package struct TableHead {
  /// Maximum number of records that are examined.
  package static let recordLimit = 200

  /// Characters that files use as delimiters, most common first.
  package static let delimiters: [UInt8] = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }

  package let delimiter: UInt8
  package private(set) var records: [[String]] = []
  /// The line on which each record begins, from 1.
  package private(set) var lines: [Int] = []

  /// Splits a text; a record that its end may cut is dropped.
  ///
  /// - Parameter skip: the number of lines before the names or records.
  /// - Complexity: O(bytes of the first records).
  package init(_ text: [UInt8], delimiter: UInt8, isWhole: Bool, skip: Int = 0) {
    self.delimiter = delimiter
    let scanner = CSVScanner(delimiter: delimiter, trims: true, limits: CSVLimits())
    let padded = text + [UInt8](repeating: 0, count: ByteSource.padding)
    let fields = UnsafeMutableBufferPointer<CSVField>.allocate(capacity: CSVLimits().columns)
    defer { fields.deallocate() }
    padded.withUnsafeBytes { padded in
      let buffer = UnsafeRawBufferPointer(rebasing: padded[..<text.count])
      var extent = CSVScanner.Extent()
      var finder = scanner.makeFinder()
      var (index, line) = CSVPreamble.end(of: skip, in: buffer)
      while index < buffer.count, records.count < Self.recordLimit {
        switch scanner.scan(
          buffer, from: index, isLast: isWhole, into: fields, extent: &extent, finder: &finder)
        {
        case .needsMore: return
        case .blank: break
        case .record:
          lines.append(line)
          records.append(Self.texts(fields.prefix(extent.fieldCount), buffer))
        case .rejected: return
        }
        index = extent.next
        line += extent.innerLines + 1
      }
    }
  }

  private static func texts(
    _ fields: Slice<UnsafeMutableBufferPointer<CSVField>>, _ buffer: UnsafeRawBufferPointer
  ) -> [String] {
    fields.map { field in
      let text = String(decoding: buffer[Int(field.start)..<field.end].prefix(256), as: UTF8.self)
      return field.isEscaped ? CSVReader.unescaped(text) : text
    }
  }

  /// The most frequent number of fields, and the share of records that have it.
  package var width: (fields: Int, share: Double) {
    var counts: [Int: Int] = [:]
    for record in records { counts[record.count, default: 0] += 1 }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return (most?.key ?? 0, Double(most?.value ?? 0) / Double(max(records.count, 1)))
  }

  /// Whether the delimiter splits the first record and most others into equally many fields.
  package var isRegular: Bool {
    let width = width
    return width.fields >= 2 && width.share >= 0.9 && records.first?.count == width.fields
  }

  /// Returns the table with the delimiter that fits best: the configured one unless another is
  /// regular and it is not. A table below lines of titles is regular after these.
  package static func best(
    _ text: [UInt8], delimiter: UInt8, isWhole: Bool, skip: Int = 0
  ) -> TableHead {
    let given = TableHead(text, delimiter: delimiter, isWhole: isWhole, skip: skip)
    if given.isRegular { return given }
    let others = delimiters.filter { $0 != delimiter }
      .map { TableHead(text, delimiter: $0, isWhole: isWhole, skip: skip) }
    return others.filter(\.isRegular).max { $0.width.fields < $1.width.fields }
      ?? ([given] + others).first { $0.titleLines != nil } ?? given
  }

  /// Returns a delimiter as part of a sentence.
  package static func words(for delimiter: UInt8) -> String {
    delimiter == UInt8(ascii: "\t") ? "tabs" : "'\(name(of: delimiter))'"
  }

  /// Returns a delimiter as a pipeline file spells it.
  package static func name(of delimiter: UInt8) -> String {
    delimiter == UInt8(ascii: "\t") ? "tab" : String(UnicodeScalar(delimiter))
  }
}
