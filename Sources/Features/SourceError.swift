package import Failures

/// A source that cannot be read at all (a bad record is a count in the ``SourceLedger`` instead).
package struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is; decides the exit code.
  package enum Code: Hashable, Sendable {
    /// The file does not exist.
    case missing
    /// It exists but may not be read.
    case permission
    /// The system failed while reading.
    case io
    /// The content breaks its format, or too many records do.
    case badData
    /// What the pipeline says does not fit the file (a column that is not there).
    case configuration
  }

  package var code: Code
  /// The file as the user named it.
  package var file: String
  /// Line from 1, or 0 where no line is meant.
  package var line: Int
  /// Column in bytes from 1, or 0 where no column is meant.
  package var column: Int
  /// What is wrong and what to do about it, without control characters of the data.
  package var message: String

  /// What is wrong, as a fact that ``message`` words; `nil` where nobody can add to it.
  package var fact: Fact?

  /// What a run that knows the pipeline file can say more about.
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

  /// `file:line:column: message`, without the parts that are 0.
  package var description: String {
    var place = file
    if line > 0 { place += ":\(line)" }
    if line > 0, column > 0 { place += ":\(column)" }
    return "\(place): \(message)"
  }
}

extension SourceError: Failure {
  package var failureCode: FailureCode {
    switch code {
    case .missing: .missingInput
    case .permission: .permission
    case .io: .inputOutput
    case .badData: .badData
    case .configuration: .definition
    }
  }

  package var sentence: String { message }

  package var place: DocumentPlace? { DocumentPlace(file: file, line: line, column: column) }
}
