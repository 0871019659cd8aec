package import JSON

extension ReportJSON {
  /// The value of a member of an object; `nil` without one.
  package subscript(_ key: String) -> ReportJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The strings under a key anywhere in it, in order.
  package func strings(_ key: String) -> [String] {
    switch self {
    case .array(let items): items.flatMap { $0.strings(key) }
    case .object(let members):
      members.flatMap { member in
        member.key == key ? member.value.texts : member.value.strings(key)
      }
    default: []
    }
  }

  private var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let items): items.flatMap(\.texts)
    default: []
    }
  }
}
