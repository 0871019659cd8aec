import Features

/// The operators of the language by name.
enum Operators {
  /// Parses an expression whose first item is the operator's name; `nil` after an error.
  typealias Parse = @Sendable (_ name: String, [PropertyValue], Parser) -> (any Node)?

  static let table: [String: Parse] = {
    var table: [String: Parse] = [
      "literal": { Literal.parse($1, $2) },
      "semiliteral": { Semiliteral.parse($1, $2) },
      "let": { Let.parse($1, $2) },
      "var": { Variable.parse($1, $2) },
      "case": { Case.parse($1, $2) },
      "match": { Match.parse($1, $2) },
      "coalesce": { Coalesce.parse($1, $2) },
      "step": { Step.parse($1, $2) },
      "at": { At.parse($1, $2) },
      "in": { Contains.parse($1, $2) },
      "index-of": { IndexOf.parse($1, $2) },
      "slice": { Slice.parse($1, $2) },
      "length": { Length.parse($1, $2) },
      "format": { Format.parse($1, $2) },
      "image": { Image.parse($1, $2) },
      "number-format": { NumberFormat.parse($1, $2) },
      "collator": { CollatorNode.parse($1, $2) },
      "global-state": { GlobalState.parse($1, $2) },
      "within": { Within.parse($1, $2) },
      "distance": { Distance.parse($1, $2) },
      LegacyFunction.absent: { _, _, parser in
        parser.fail("'undefined' value invalid. Use null instead.")
        return nil
      },
    ]
    for name in ["string", "number", "boolean", "object", "array"] {
      table[name] = Assertion.parse
    }
    for name in ["to-boolean", "to-color", "to-number", "to-string"] {
      table[name] = Coercion.parse
    }
    for name in ["==", "!=", "<", ">", "<=", ">="] {
      table[name] = Comparison.parse
    }
    for name in ["interpolate", "interpolate-hcl", "interpolate-lab"] {
      table[name] = Interpolate.parse
    }
    for (name, reason) in unsupported {
      table[name] = { name, _, parser in
        parser.fail("\"\(name)\" is not supported: \(reason).", at: 0)
        return nil
      }
    }
    for (name, definition) in Signatures.definitions {
      table[name] = { definition.parse($0, $1, $2) }
    }
    return table
  }()

  /// Operators of the specification that are not meaningful or not supported in a baked tile.
  private static let unsupported = [
    "feature-state": "it changes while a map is looked at, and tiles are baked once",
    "elevation": "there is no terrain",
  ]

  /// Whether a JSON value is an expression rather than a constant list.
  static func isExpression(_ json: PropertyValue) -> Bool {
    guard case .array(let items) = json, case .string(let name)? = items.first else { return false }
    return table[name] != nil
  }
}
