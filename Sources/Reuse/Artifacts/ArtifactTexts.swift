import Features

// The encoding of lists of texts and of notes, each as a few columns.
extension ArtifactWriter {
  /// Appends texts, some of which may be absent.
  mutating func append(texts: [String?]) {
    var ends = Column<Int>()
    var bytes = Column<UInt8>()
    for text in texts {
      bytes.append(contentsOf: (text ?? "").utf8)
      ends.append(bytes.count)
    }
    append(Column(texts.lazy.map { $0 == nil ? 0 : 1 as UInt8 }))
    append(ends)
    append(bytes)
  }

  /// Appends notes, some of which may be absent.
  mutating func append(notes: [LedgerNote?]) {
    append(texts: notes.map { $0?.file })
    append(texts: notes.map { $0?.message })
    append(Column(notes.lazy.map { $0?.line ?? 0 }))
  }

  /// Appends a property with all its rows.
  mutating func append(_ column: PropertyColumn) {
    append(column.name)
    append(column.kinds)
    append(column.ends)
    append(column.bytes)
  }
}

extension ArtifactReader {
  /// Reads texts written by ``ArtifactWriter/append(texts:)``.
  mutating func texts() throws(ArtifactDamage) -> [String?] {
    let marks = try column(of: UInt8.self)
    let ends = try column(of: Int.self)
    let bytes = try column(of: UInt8.self)
    guard marks.count == ends.count, ends.last ?? 0 == bytes.count else {
      throw ArtifactDamage("texts do not fit together")
    }
    var texts: [String?] = []
    var start = 0
    for (mark, end) in zip(marks, ends) {
      guard start <= end, end <= bytes.count,
        let text = String(validating: bytes[start..<end], as: UTF8.self)
      else { throw ArtifactDamage("a text has no end") }
      texts.append(mark == 0 ? nil : text)
      start = end
    }
    return texts
  }

  /// Reads notes written by ``ArtifactWriter/append(notes:)``.
  mutating func notes() throws(ArtifactDamage) -> [LedgerNote?] {
    let files = try texts()
    let messages = try texts()
    let lines = try column(of: Int.self)
    guard files.count == messages.count, files.count == lines.count else {
      throw ArtifactDamage("notes do not fit together")
    }
    return lines.indices.map { index in
      messages[index].map { LedgerNote(file: files[index], line: lines[index], message: $0) }
    }
  }

  /// Reads a property.
  mutating func propertyColumn() throws(ArtifactDamage) -> PropertyColumn {
    let column = PropertyColumn(
      name: try text(), kinds: try column(ofCases: PropertyColumn.Kind.self),
      ends: try column(of: UInt32.self), bytes: try column(of: UInt8.self))
    guard let column else { throw ArtifactDamage("a property does not fit together") }
    return column
  }
}
