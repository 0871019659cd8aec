import Foundation

/// A connection to PostgreSQL, as `data:` gives it: `PG:host=… dbname=…` or a URL.
///
/// Everything in it goes to the program as variables of the environment, which other users of the
/// machine cannot see, unlike its arguments.
package struct DatabaseConnection: Hashable, Sendable {
  /// The reason why a text is no connection, with the fix.
  package struct Fault: Error {
    package let message: String
  }

  /// The variables of libpq.
  package let environment: [String: String]

  /// The settings for GDAL itself, such as `schemas=public`.
  let options: [String]

  /// The beginning of the text of a connection.
  package static let prefix = "PG:"

  /// The variables by the keywords of a connection.
  private static let variables = [
    "host": "PGHOST", "hostaddr": "PGHOSTADDR", "port": "PGPORT", "dbname": "PGDATABASE",
    "user": "PGUSER", "password": "PGPASSWORD", "passfile": "PGPASSFILE",
    "service": "PGSERVICE", "sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY", "gssencmode": "PGGSSENCMODE",
    "channel_binding": "PGCHANNELBINDING", "connect_timeout": "PGCONNECT_TIMEOUT",
    "application_name": "PGAPPNAME", "target_session_attrs": "PGTARGETSESSIONATTRS",
  ]

  /// The settings of every session: read-only, one snapshot of the database, and a fixed order of
  /// the rows of an unchanged table.
  private static let session =
    "-c default_transaction_read_only=on -c default_transaction_isolation=repeatable\\ read "
    + "-c synchronize_seqscans=off -c max_parallel_workers_per_gather=0"

  /// Whether a text is meant to be a connection.
  package static func isMeant(by text: String) -> Bool {
    text.hasPrefix(prefix) || text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  package init(_ text: String) throws(Fault) {
    let rest = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
    let pairs = rest.contains("://") ? try Self.parts(ofURL: rest) : try Self.pairs(rest)
    var environment: [String: String] = [:]
    var options: [String] = []
    for (key, value) in pairs where !value.isEmpty {
      guard !value.utf8.contains(0) else { throw Fault(message: "'\(key)' has a zero byte in it.") }
      if let variable = Self.variables[key] {
        environment[variable] = value
      } else if ["schemas", "active_schema", "tables"].contains(key) {
        guard !value.contains(where: { $0 == "'" || $0 == "\\" }) else {
          throw Fault(message: "'\(key)' has a quote or backslash in it.")
        }
        options.append("\(key)='\(value)'")
      } else {
        let known = (Array(Self.variables.keys) + ["schemas"]).sorted().joined(separator: ", ")
        throw Fault(
          message: "a connection has no '\(key.withoutValue)'. It may have \(known).")
      }
    }
    guard environment["PGDATABASE"] != nil || environment["PGSERVICE"] != nil else {
      throw Fault(message: "a connection names its database, such as PG:dbname=gis.")
    }
    if environment["PGCONNECT_TIMEOUT"] == nil { environment["PGCONNECT_TIMEOUT"] = "30" }
    environment["PGOPTIONS"] = Self.session
    self.environment = environment
    self.options = options
  }

  /// The password; `nil` without one.
  package var password: String? { environment["PGPASSWORD"] }

  /// The argument of the programs.
  var argument: String { Self.prefix + options.joined(separator: " ") }

  // MARK: Parsing

  /// Reads `key=value` pairs; a value may be quoted, with `\` before a quote or backslash.
  private static func pairs(_ text: Substring) throws(Fault) -> [(String, String)] {
    var pairs: [(String, String)] = []
    var rest = text[...]
    func skipSpace() { rest = rest.drop { $0.isWhitespace } }
    skipSpace()
    while !rest.isEmpty {
      guard let mark = rest.firstIndex(of: "=") else {
        throw Fault(message: "a connection is a list of key=value, such as PG:host=db dbname=gis.")
      }
      let key = rest[..<mark].filter { !$0.isWhitespace }.lowercased()
      rest = rest[rest.index(after: mark)...].drop { $0.isWhitespace }
      let isQuoted = rest.first == "'"
      if isQuoted { rest.removeFirst() }
      var value = ""
      var isClosed = !isQuoted
      while let next = rest.first, isQuoted || !next.isWhitespace {
        rest.removeFirst()
        if next == "'", isQuoted {
          isClosed = true
          break
        }
        value.append(next == "\\" && !rest.isEmpty ? rest.removeFirst() : next)
      }
      guard isClosed else { throw Fault(message: "a quote in the connection is never closed.") }
      pairs.append((key, value))
      skipSpace()
    }
    return pairs
  }

  /// Reads `postgresql://user:password@host:port/database?key=value`.
  private static func parts(ofURL text: Substring) throws(Fault) -> [(String, String)] {
    guard
      let match = text.wholeMatch(
        of: /postgres(?:ql)?:\/\/(?:([^@\/?]*)@)?([^\/?]*)(?:\/([^?]*))?(?:\?(.*))?/)
    else { throw Fault(message: "the url of the connection cannot be read.") }
    func decoded(_ text: Substring) throws(Fault) -> String {
      guard let text = String(text).removingPercentEncoding else {
        throw Fault(message: "the url of the connection has a broken percent sign.")
      }
      return text
    }
    var pairs: [(String, String)] = []
    if let account = match.1 {
      let words = account.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append(("user", try decoded(words[0])))
      if words.count > 1 { pairs.append(("password", try decoded(words[1]))) }
    }
    let colon = match.2.last == "]" ? nil : match.2.lastIndex(of: ":")
    let host = match.2[..<(colon ?? match.2.endIndex)].drop { $0 == "[" }.prefix { $0 != "]" }
    pairs.append(("host", try decoded(host)))
    if let colon { pairs.append(("port", String(match.2[match.2.index(after: colon)...]))) }
    if let database = match.3 { pairs.append(("dbname", try decoded(database))) }
    for pair in (match.4 ?? "").split(separator: "&") {
      let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append((try decoded(words[0]), words.count > 1 ? try decoded(words[1]) : ""))
    }
    return pairs
  }
}

extension String {
  /// A key as messages show it: the text before the first character that no key contains, since a
  /// secret may follow.
  fileprivate var withoutValue: String {
    String(prefix { $0.isASCII && ($0.isLetter || $0 == "_") }.prefix(32))
  }
}
