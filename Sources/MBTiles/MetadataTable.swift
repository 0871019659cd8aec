import SystemPackage

/// The writer of an archive's metadata and their index.
enum MetadataTable {
  /// Writes all pages and returns the roots by name.
  ///
  /// - Throws: ``ArchiveError/Code/badValue`` also for two rows with one name.
  static func write(
    _ metadata: [MetadataEntry], to file: PageFile, _ path: FilePath
  ) throws(ArchiveError) -> [String: UInt32] {
    var record = RecordBuffer()
    var table = TableTree(file)
    for entry in metadata {
      record.begin()
      record.add(text: entry.name.utf8)
      record.add(text: entry.value.utf8)
      try record.withPayload { (payload) throws(ArchiveError) in try table.append(payload) }
    }
    let root = try table.finish()
    var index = IndexTree(file)
    let names = metadata.map { Array($0.name.utf8) }
    let order = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
    for (row, next) in zip(order, order.dropFirst()) where names[row] == names[next] {
      throw ArchiveError(.value(.repeatedMetadata(metadata[row].name)), path: path)
    }
    for row in order {
      record.begin()
      record.add(text: names[row])
      record.add(Int64(row + 1))
      try record.withPayload { (payload) throws(ArchiveError) in
        try index.append(payload, endsRun: false)
      }
    }
    return ["metadata": root, "metadata_index": try index.finish()]
  }
}
