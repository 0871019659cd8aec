import Features
import JSON

extension JSONFailure.Kind {
  /// One record cannot be used although its JSON is well-formed.
  static func record(_ reason: RejectReason) -> JSONFailure.Kind {
    .unusable(reason: reason.rawValue)
  }
}

extension JSONFailure {
  /// The reason for which one record cannot be used; `nil` where more than a record is spoiled.
  var recordReason: RejectReason? {
    if case .unusable(let reason) = kind { return RejectReason(rawValue: reason) }
    return nil
  }

  /// The reason under which a text of a sequence that fails so is counted.
  var reason: RejectReason { recordReason ?? .invalidJSON }

  /// The same failure as the end of a whole file.
  func sourceError(file: String) -> SourceError {
    if case .source(let error as SourceError) = kind { return error }
    return SourceError(
      code: .badData, file: file, line: place.line, column: place.column, message: message)
  }
}

extension ByteSource: JSONSource {}
