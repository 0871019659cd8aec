package import Features

/// The rejected records that a source tolerates. Repeated ids never count.
package struct RejectTolerance: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The number of records.
  package var count: Int

  /// Whether geometries that cannot be read do not count, as in vector tiles, which others make: a
  /// build judges their share of the tileset when all are read.
  package var sparesGeometries: Bool

  package init(_ count: Int, sparesGeometries: Bool = false) {
    self.count = count
    self.sparesGeometries = sparesGeometries
  }

  package init(integerLiteral count: Int) { self.init(count) }

  /// Returns the number of records of a ledger that count.
  package func held(in ledger: SourceLedger) -> Int {
    let geometries = sparesGeometries ? ledger.rejected[.invalidGeometry] ?? 0 : 0
    return ledger.rejectedTotal - (ledger.rejected[.duplicateKey] ?? 0) - geometries
  }

  /// Whether more records are rejected than the source tolerates.
  package func isExceeded(by ledger: SourceLedger) -> Bool { held(in: ledger) > count }
}

extension SourceLedger {
  /// Returns the error that ends the reading of a source when more records are rejected than it
  /// tolerates, not counting duplicate ids; `nil` otherwise.
  package func excess(over tolerance: RejectTolerance, file: String) -> SourceError? {
    guard tolerance.isExceeded(by: self) else { return nil }
    let total = tolerance.held(in: self)
    var all = self
    all.sortExamples()
    let counts = RejectReason.allCases.compactMap { reason in
      rejected[reason].map { "\($0) \(reason.rawValue)" }
    }
    let first = all.examples.first
    return SourceError(
      code: .badData, file: first?.file ?? file, line: first?.line ?? 0, column: first?.column ?? 0,
      message: "\(first?.message ?? ""); \(total) rejected so far "
        + "(\(counts.joined(separator: ", "))) and \(tolerance.count) tolerated. "
        + "Fix the file or raise 'onError: {max: …}'."
        + (first?.reason == .raggedRow
          ? " 'extraFields' and 'missingFields' say how such records are read." : ""))
  }

  /// Returns the error that ends the reading when an id occurs twice and the policy forbids it;
  /// `nil` otherwise.
  package func repetition(file: String) -> SourceError? {
    guard let example = examples.first(where: { $0.reason == .duplicateKey }) else { return nil }
    return SourceError(
      code: .badData, file: example.file ?? file, line: example.line,
      message: "\(example.message). Set 'onDuplicateId: first' or 'last' to keep one of them.")
  }
}

extension SourceLedger {
  /// The sentence that the data says it lacks records, with both numbers; `nil` where it does not.
  package var incompleteness: String? {
    guard isIncomplete else { return nil }
    guard let matched, received < matched else {
      return "the data says that it is a part of what the service has: it holds \(received) records"
    }
    return "the service has \(matched) records that match the request, and the data holds "
      + "\(received) of them"
  }

  /// Returns the error for data that says it lacks records; `nil` where it does not.
  package func incomplete(file: String) -> SourceError? {
    incompleteness.map { sentence in
      SourceError(
        code: .badData, file: file,
        message: sentence
          + ". Ask for all of them in the url, or for less at a time with a template url; 'requests: "
          + "{pages: first}' takes what came.")
    }
  }
}
