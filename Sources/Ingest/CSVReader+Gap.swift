extension CSVReader {
  /// Assigns the columns of a record that has more fields than these, where `columns:` has a gap:
  /// the columns before it are the first fields, the ones after it the last.
  ///
  /// - Returns: whether every column has its field now.
  func takeAroundGap(
    _ fields: UnsafeMutableBufferPointer<CSVField>, _ extent: CSVScanner.Extent,
    _ buffer: UnsafeRawBufferPointer
  ) -> Bool {
    guard let gap = form.gap, extent.fieldCount > fields.count,
      extent.fieldCount <= form.scanner.limits.columns
    else { return false }
    return withUnsafeTemporaryAllocation(of: CSVField.self, capacity: extent.fieldCount) { all in
      var again = CSVScanner.Extent()
      var finder = form.scanner.makeFinder()
      guard
        case .record = form.scanner.scan(
          buffer, from: cursor.index, isLast: cursor.isLast, into: all, extent: &again,
          finder: &finder)
      else { return false }
      let last = all.count - fields.count
      for column in gap..<fields.count { fields[column] = all[last + column] }
      return true
    }
  }
}
