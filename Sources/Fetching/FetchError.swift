package import Failures

/// Why a remote file could not be had: a code, the address without secrets, and a sentence.
package struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is; decides the exit status.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    /// The address, a template or a bound makes no sense (78).
    case badAddress
    /// Nothing usable is in the cache and the network is not allowed (69).
    case offline
    /// The server answered with a status that is no success (69).
    case status
    /// No connection, or it broke (69).
    case connection
    /// The server was too slow (69).
    case timeout
    /// The answer is larger than allowed (69).
    case tooLarge
    /// The answer is not what was expected: another format, or cut (69).
    case wrongContent
    /// A redirection that is not followed (69).
    case redirect
    /// The content differs from the lock file (65).
    case changed
    /// The lock file itself cannot be read (65).
    case badLockFile
    /// The run was ended (130 or 143).
    case cancelled
    /// The cache folder cannot be read or written (74).
    case cache
  }

  package let code: Code

  /// The address as it may be shown, or a path of the cache.
  package let uri: String

  /// What is wrong and what to do about it.
  package let message: String

  /// The status that the server answered with, where the code is ``Code/status``: 404 says that
  /// the file is not there, 503 that it may be there later.
  package let status: Int?

  package init(_ code: Code, uri: String, _ message: String, status: Int? = nil) {
    self.code = code
    self.status = status
    self.uri = uri
    self.message = message
  }

  /// `address: sentence`.
  package var description: String { uri.isEmpty ? message : "\(uri): \(message)" }

  /// Whether an older copy, or nothing, may stand in for the file when a policy allows it.
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

  /// ``message`` behind the address, neither of which holds a secret.
  package var sentence: String { description }
}
