import Features
package import Runs

/// The operators of `clusterProperties` that take all values of a cluster at once.
package enum GatheringOperator: String, CaseIterable, Sendable {
  case mode, first, median, quantile
  case distinctCount = "count-distinct"
  case distinctList = "list-distinct"
  case joinedText = "string-agg"

  /// The keys of the options, the third part of an entry.
  fileprivate var options: ObjectSpecification {
    let keys: [KeySpecification] =
      switch self {
      case .mode, .median, .distinctCount: []
      case .first: [order(isRequired: true)]
      case .quantile:
        [
          KeySpecification(
            "fraction", .number(0...1), isRequired: true, "The share of the values below it.")
        ]
      case .distinctList: [limit]
      case .joinedText:
        [
          limit, order(isRequired: false),
          KeySpecification(
            "separator", .oneOf([.string, .choice([""])]), default: .string(", "),
            "The text between two values."),
          KeySpecification(
            "distinct", .boolean, default: .bool(false), "Whether each value occurs once."),
        ]
      }
    return ObjectSpecification("the options of '\(rawValue)'", keys)
  }

  private var limit: KeySpecification {
    KeySpecification(
      "limit", .integer(1...100), default: .number(10), "The maximum number of values.")
  }

  private func order(isRequired: Bool) -> KeySpecification {
    KeySpecification(
      "orderBy", .list(of: .anything, count: 2...2), isRequired: isRequired,
      "A property or an expression, and asc or desc: which values come first.")
  }
}

/// The options of a ``GatheringOperator``.
package struct GatheringOptions: Sendable {
  /// The property or expression by which values are ordered; `nil` for the order of the values.
  package var orderBy: DocumentNode?
  package var isDescending = false

  package var limit = 1
  package var separator = ""
  package var isDistinct = false
  package var fraction = 0.5

  /// Decodes the third part of an entry, which may be absent.
  ///
  /// - Parameter place: the place of the entry.
  package init(
    _ node: DocumentNode?, of kind: GatheringOperator, at place: DocumentPlace
  ) throws(PipelineError) {
    let options = kind.options
    let node = node ?? DocumentNode(.object([]), at: place)
    try KeyCheck.check(node, options, name: options.title)
    let keyed = KeyedNode(node, options)
    limit = keyed.integer("limit") ?? limit
    separator = keyed.text("separator") ?? separator
    isDistinct = keyed.bool("distinct") ?? (kind == .distinctList)
    fraction = keyed.number("fraction") ?? fraction
    guard let order = node["orderBy"]?.items else { return }
    guard order.count == 2, let direction = order[1].text, ["asc", "desc"].contains(direction)
    else {
      throw keyed.fault(
        "orderBy", "'orderBy' must be a property or an expression, and asc or desc.")
    }
    if isDistinct {
      throw keyed.fault(
        "orderBy", "'distinct' values are in their own order. Remove 'orderBy' or 'distinct'.")
    }
    orderBy = order[0]
    isDescending = direction == "desc"
  }
}
