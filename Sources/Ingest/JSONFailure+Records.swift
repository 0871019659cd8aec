package import Features
package import JSON

extension JSONFailure.Kind {
  /// Returns the kind of a record that is unusable although its JSON is well-formed.
  package static func record(_ reason: RejectReason) -> JSONFailure.Kind {
    .unusable(reason: reason.rawValue)
  }
}

extension JSONFailure {
  /// The reason why one record is unusable; `nil` if more than one record is affected.
  package var recordReason: RejectReason? {
    if case .unusable(let reason) = kind { return RejectReason(rawValue: reason) }
    return nil
  }

  /// The reason under which a text of a sequence with this failure is counted.
  package var reason: RejectReason { recordReason ?? .invalidJSON }

  /// Returns the failure as the error that ends the reading of the file.
  func sourceError(file: String) -> SourceError {
    if case .source(let error as SourceError) = kind { return error }
    return SourceError(
      code: .badData, file: file, line: place.line, column: place.column, message: message)
  }
}

extension ByteSource: JSONSource {}
