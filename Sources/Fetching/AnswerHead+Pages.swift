extension AnswerHead {
  /// The address of the next page: the target of a `Link` with the relation `next` (RFC 8288).
  var nextLink: String? {
    guard var rest = headers["link"]?[...] else { return nil }
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      let target = rest[rest.index(after: open)..<close]
      let parameters = Self.parameters(of: &rest, behind: close)
      if parameters.contains(where: Self.isNext), !target.isEmpty { return String(target) }
    }
    return nil
  }

  /// Returns the parameters of a link, and drops them with it.
  private static func parameters(of rest: inout Substring, behind close: String.Index) -> [String] {
    var parameters = [""]
    var isQuoted = false
    var index = rest.index(after: close)
    while index < rest.endIndex {
      let character = rest[index]
      index = rest.index(after: index)
      if character == "\"" {
        isQuoted.toggle()
      } else if isQuoted || character != "," && character != ";" {
        parameters[parameters.count - 1].append(character)
      } else if character == "," {
        break
      } else {
        parameters.append("")
      }
    }
    rest = rest[index...]
    return parameters
  }

  /// Whether a parameter without its quotes is `rel=next`, alone or in a list.
  private static func isNext(_ parameter: String) -> Bool {
    let parts = parameter.lowercased().split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0].split(separator: " ") == ["rel"] else { return false }
    return parts[1].split(separator: " ").contains("next")
  }

  /// The number of records that match the request, of which the body may be a part: a count that
  /// services send beside records, or the total of a `Content-Range` in another unit than bytes.
  var matchedRecords: Int? {
    let counts = ["ogc-numbermatched", "x-total-count", "total-count"].compactMap { headers[$0] }
    let range = headers["content-range"].flatMap { text in
      text.hasPrefix("bytes") ? nil : text.split(separator: "/").last.map(String.init)
    }
    return (counts + [range].compactMap(\.self)).lazy.compactMap { Int($0) }.first { $0 >= 0 }
  }
}
