/// A search in CQL2 text for a name that was probably meant as a text.
package enum CQL2Quotes {
  /// Returns the comparison with quotes around a name, `state = 'TX'`, where the name is compared
  /// with another one; `nil` where it is not.
  ///
  /// - Complexity: O(length).
  package static func comparison(with name: String, in text: String) -> String? {
    guard let tokens = try? CQL2Tokenizer.tokens(of: text) else { return nil }
    for (index, token) in tokens.enumerated().dropFirst(2) where token.name == name {
      guard let property = tokens[index - 2].name, case .sign(let sign) = tokens[index - 1].kind,
        ScalarComparison(sign) != nil
      else { continue }
      let text = name.replacing("'", with: "''")
      return "\(property) \(sign.rawValue) '\(text)'"
    }
    return nil
  }
}

extension CQL2Token {
  /// The name that the token may be; `nil` for a sign or a literal.
  fileprivate var name: String? {
    switch kind {
    case .word(let name), .quotedName(let name): name
    case .text, .number, .whole, .sign, .end: nil
    }
  }
}
