package import Failures

/// The error of a source that cannot be read at all (a bad record is counted in the
/// ``SourceLedger`` instead).
package struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure; determines the exit code.
  package enum Code: Hashable, Sendable {
    /// The file does not exist.
    case missing
    /// The file exists but may not be read.
    case permission
    /// A system call failed while reading.
    case io
    /// The content violates its format, or too many records do.
    case badData
    /// The pipeline does not fit the file (for example, a column does not exist).
    case configuration
  }

  package var code: Code
  /// The file as the user named it.
  package var file: String
  /// The line from 1, or 0 if it does not apply.
  package var line: Int
  /// The column in bytes from 1, or 0 if it does not apply.
  package var column: Int
  /// The problem and its remedy, without control characters of the data.
  package var message: String

  /// The fact that ``message`` words; `nil` if no caller can add to it.
  package var fact: Fact?

  /// A fact to which a run that knows the pipeline file can add.
  package indirect enum Fact: Hashable, Sendable {
    case unknownColumn(UnknownColumn)
  }

  package init(code: Code, file: String, line: Int = 0, column: Int = 0, message: String) {
    self.code = code
    self.file = file
    self.line = line
    self.column = column
    self.message = message.withoutControls
  }

  /// The error as `file:line:column: message`, without the parts that are 0.
  package var description: String {
    var place = file
    if line > 0 { place += ":\(line)" }
    if line > 0, column > 0 { place += ":\(column)" }
    return "\(place): \(message)"
  }
}

extension SourceError: WordedFailure {
  package var failureCode: FailureCode {
    switch code {
    case .missing: .missingInput
    case .permission: .permission
    case .io: .inputOutput
    case .badData: .badData
    case .configuration: .definition
    }
  }

  package var place: DocumentPlace? { DocumentPlace(file: file, line: line, column: column) }
}
