package import Features

extension SourceLedger {
  /// Returns the error that ends the reading of a source when more records are rejected than it
  /// tolerates, not counting duplicate ids; `nil` otherwise.
  package func excess(over tolerance: Int, file: String) -> SourceError? {
    let total = rejectedTotal - (rejected[.duplicateKey] ?? 0)
    guard total > tolerance else { return nil }
    var all = self
    all.sortExamples()
    let counts = RejectReason.allCases.compactMap { reason in
      rejected[reason].map { "\($0) \(reason.rawValue)" }
    }
    let first = all.examples.first
    return SourceError(
      code: .badData, file: first?.file ?? file, line: first?.line ?? 0, column: first?.column ?? 0,
      message: "\(first?.message ?? ""); \(total) rejected so far "
        + "(\(counts.joined(separator: ", "))) and \(tolerance) tolerated. "
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
