/// The bytes of a record in its file: those from ``begin`` up to ``end``.
package struct RecordExtent: Hashable, BitwiseCopyable, Sendable {
  package var begin: Int
  package var end: Int

  package init(begin: Int, end: Int) {
    self.begin = begin
    self.end = end
  }

  package var count: Int { end - begin }
}

/// Some records of a file, by which a reader reads them without the rest.
package struct LocatedRecords: Sendable {
  /// The extents of the records, in the order of the file, as a reader of the whole file reported
  /// them.
  package var extents: [RecordExtent]

  /// The names of the properties in the whole file, in the order of their columns; for formats that
  /// do not know them before the first record.
  package var names: [String]

  package init(extents: [RecordExtent], names: [String] = []) {
    self.extents = extents
    self.names = names
  }
}
