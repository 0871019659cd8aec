package import Failures
package import Features

// The sentences that several readers or stages need, each worded once.

extension SourceError {
  /// Creates the error of a column or property that the data does not have.
  package init(_ unknown: UnknownColumn, file: String, line: Int = 0) {
    self.init(code: .configuration, file: file, line: line, message: unknown.sentence)
    fact = .unknownColumn(unknown)
  }

  /// Returns the same error with the place, in the pipeline file, of the key that corrects it.
  ///
  /// - Parameter place: a function that finds the place of a key of the source's entry.
  package func placingKey(_ place: (String) -> DocumentPlace?) -> SourceError {
    guard case .unknownColumn(var unknown)? = fact, unknown.keyPlace == nil,
      let keyPlace = unknown.key.flatMap(place)
    else { return self }
    // Text added since the fact was worded remains after it.
    let sentence = unknown.sentence.withoutControls
    guard message.hasPrefix(sentence) else { return self }
    unknown.keyPlace = keyPlace
    var placed = self
    placed.message = unknown.sentence.withoutControls + message.dropFirst(sentence.count)
    placed.fact = .unknownColumn(unknown)
    return placed
  }

  /// Creates the error of more text than the 32-bit offsets of a column can address.
  ///
  /// - Parameters:
  ///   - subject: the owner of the text, with its verb: `column 'a' takes`.
  ///   - remedy: the sentence that gives the remedy.
  static func tooMuchText(
    _ subject: String, _ remedy: String, file: String, line: Int
  ) -> SourceError {
    SourceError(
      code: .badData, file: file, line: line, message: "\(subject) more than 4 GiB. \(remedy)")
  }

  /// Returns the problem of a record whose id or key another record also has.
  ///
  /// - Parameter noun: `id` or `key`.
  package static func repetition(_ noun: String, _ text: String, line: Int) -> String {
    "the \(noun) '\(text)' is also that of line \(line)"
  }
}

extension UnknownColumn {
  /// The maximum number of known names in the sentence.
  private static let shownNames = 20

  /// The missing name, without a remedy: `no column named 'lng' in stores.csv`.
  var problem: String {
    switch wanted {
    case .column(let name): return "no column named '\(name)'\(context)"
    case .property(let name): return "no property named '\(name)'\(context)"
    case .coordinate(let axis, let names):
      let choice = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
      return "no \(axis) column (\(choice))\(context)"
    }
  }

  /// The ``problem``, the known names, and the key to set.
  var sentence: String {
    var sentence = problem
    if let known {
      let noun = if case .property = wanted { "properties" } else { "columns" }
      let shown = known.prefix(Self.shownNames).joined(separator: ", ")
      let rest =
        known.count > Self.shownNames ? " and \(known.count - Self.shownNames) more" : ""
      sentence += "; \(noun) are \(shown)\(rest)"
    }
    sentence += "."
    if let key { sentence += " Set '\(key):'\(keyPlace.map { " at \($0)" } ?? "")." }
    return sentence
  }
}
