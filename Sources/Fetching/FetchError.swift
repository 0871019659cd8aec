package import Failures

/// The reason why a remote file could not be fetched: a code, the address without secrets, and a
/// sentence.
package struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure; determines the exit status.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    /// The address, a template or a bound is invalid (78).
    case badAddress
    /// The cache has nothing usable and the network is not allowed (69).
    case offline
    /// The server responded with an error status (69).
    case status
    /// The connection failed or broke (69).
    case connection
    /// The server was too slow (69).
    case timeout
    /// The response is larger than allowed (69).
    case tooLarge
    /// The response is not as expected: another format, or truncated (69).
    case wrongContent
    /// A redirect that is not followed (69).
    case redirect
    /// The content differs from the lock file (65).
    case changed
    /// The lock file itself cannot be read (65).
    case badLockFile
    /// The run was cancelled (130 or 143).
    case cancelled
    /// The cache folder cannot be read or written (74).
    case cache
  }

  package let code: Code

  /// The address as it may be shown, or a path of the cache.
  package let uri: String

  /// The problem and its remedy.
  package let message: String

  /// The server's status, if the code is ``Code/status``: 404 means that the file does not exist,
  /// 503 that it may exist later.
  package let status: Int?

  package init(_ code: Code, uri: String, _ message: String, status: Int? = nil) {
    self.code = code
    self.status = status
    self.uri = uri
    self.message = message
  }

  /// Returns the error with one more sentence.
  func adding(_ sentence: String) -> FetchError {
    FetchError(code, uri: uri, "\(message) \(sentence)", status: status)
  }

  /// The error as `address: sentence`.
  package var description: String { uri.isEmpty ? message : "\(uri): \(message)" }

  /// Whether the server was reached and has no such file, or an empty one.
  package var isAbsence: Bool { status.map { [204, 404, 410].contains($0) } ?? false }

  /// Whether an older copy, or nothing, may replace the file if a policy allows it.
  package var allowsLastGood: Bool {
    switch code {
    case .status, .connection, .timeout, .tooLarge, .wrongContent, .redirect: true
    case .badAddress, .offline, .changed, .badLockFile, .cancelled, .cache: false
    }
  }
}

extension FetchError: Failure {
  package var failureCode: FailureCode {
    switch code {
    case .badAddress: .definition
    case .offline, .status, .connection, .timeout, .tooLarge, .wrongContent, .redirect:
      .fetchFailed
    case .changed, .badLockFile: .badData
    case .cancelled: .interrupted
    case .cache: .inputOutput
    }
  }

  /// ``message`` after the address; neither holds a secret.
  package var sentence: String { description }
}
