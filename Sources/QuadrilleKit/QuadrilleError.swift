import Runs

/// The reason why a call failed.
///
/// ```swift
/// do {
///   _ = try TilePipeline(text: text, file: file)
/// } catch {
///   // stores.yml:5:38: layer 'disc' draws the source 'store', which is not there; …
///   message = "\(error)"
/// }
/// ```
public struct QuadrilleError: Error, Hashable, Sendable {
  /// The kind of a failure.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// An argument of the call makes no sense.
    case usage
    /// A source violates its format, or more records do than are tolerated; or an archive is damaged.
    case badData
    /// The result is not what `expect:` of the pipeline asks for.
    case unexpected
    /// An input file does not exist.
    case missingInput
    /// A remote source could not be fetched.
    case fetchFailed
    /// Quadrille itself has a bug.
    case bug
    /// The archive or its folder cannot be created.
    case cannotCreate
    /// Reading or writing failed, or the disk is full.
    case inputOutput
    /// Another run holds the archive's lock.
    case locked
    /// A file may not be read or written.
    case permission
    /// The pipeline is wrong.
    case definition
    /// The run was cancelled.
    case cancelled
    /// The run needs more time than ``BuildSettings/maxSeconds`` allows; the next one continues.
    case outOfTime
    /// The run needs more time than ``BuildSettings/maxSeconds`` allows, and got no farther than an
    /// earlier one: the next one will not either.
    case stalled
  }

  /// A place in a text file.
  public struct Place: Hashable, Sendable {
    /// The path of the file, or the name that the caller gave to a text.
    public let file: String
    /// The line, from 1; 0 if the whole file is meant.
    public let line: Int
    /// The column in Unicode scalars, from 1; 0 if the whole line is meant.
    public let column: Int
  }

  /// The kind of the failure.
  public let code: Code

  /// One sentence that gives the problem and its remedy. Values of variables are masked.
  public let sentence: String

  /// The place of the problem, if it is in a file.
  public let place: Place?

  /// The explanation of another library, such as that of the operating system.
  public let cause: String?

  /// Further errors of the same pipeline, in the order of their places; at most 19.
  public let others: [QuadrilleError]

  /// Creates the error of the library from a run's error, whose texts are masked already.
  init(_ error: PipelineError) {
    code = Code(error.code)
    sentence = error.message
    place = error.place.map { Place(file: $0.file, line: $0.line, column: $0.column) }
    cause = error.cause
    others = error.others.map { QuadrilleError($0) }
  }
}

extension QuadrilleError: CustomStringConvertible {
  /// The error as `file:line:column: sentence (cause)`.
  public var description: String {
    (place.map { "\($0): " } ?? "") + sentence + (cause.map { " (\($0))" } ?? "")
  }
}

extension QuadrilleError.Place: CustomStringConvertible {
  /// The place as `file:line:column`, without the parts that are 0.
  public var description: String {
    if line == 0 { return file }
    return column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
  }
}

extension QuadrilleError.Code {
  /// Creates the code of the same name; `cancelled` for a run that a signal would end.
  init(_ code: PipelineError.Code) {
    self = Self(rawValue: code.rawValue) ?? .cancelled
  }
}

/// Runs a call of the program; its error becomes one of the library.
///
/// - Parameter redactions: the values to mask in its texts.
func publicly<Value>(
  hiding redactions: RedactionList = RedactionList(), _ body: () throws(PipelineError) -> Value
) throws(QuadrilleError) -> Value {
  do throws(PipelineError) {
    return try body()
  } catch {
    throw QuadrilleError(error.redacted(by: redactions))
  }
}
