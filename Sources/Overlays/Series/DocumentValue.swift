import Features
import OrderedCollections

/// A value of a document together with its path, for messages.
struct DocumentValue: Hashable, Sendable {
  let value: PropertyValue

  /// The path, such as `frames[3].time`; empty for the document itself.
  let path: String

  init(_ value: PropertyValue, path: String = "") {
    self.value = value
    self.path = path
  }

  private func child(_ value: PropertyValue, _ name: String) -> DocumentValue {
    DocumentValue(value, path: path.isEmpty ? name : "\(path).\(name)")
  }

  /// Returns the member of an object under the first of these names that exists; `null` counts as
  /// absent.
  func member(_ names: String...) -> DocumentValue? {
    guard case .object(let members) = value else { return nil }
    for name in names {
      if let member = members[name], member != .null { return child(member, name) }
    }
    return nil
  }

  /// Returns a member that must exist.
  func required(_ name: String) throws(SeriesError) -> DocumentValue {
    guard let member = member(name) else { throw refused("has no '\(name)'") }
    return member
  }

  /// Returns the elements of a list; any other value counts as a list of itself, as in documents
  /// converted from XML.
  func elements() -> [DocumentValue] {
    guard case .array(let elements) = value else { return [self] }
    return elements.enumerated().map { index, element in
      DocumentValue(element, path: "\(path)[\(index)]")
    }
  }

  /// Returns the value as a text; a number is not accepted as one.
  func text() throws(SeriesError) -> String {
    guard case .string(let text) = value else {
      throw refused("is \(value.typeName), where a string is needed")
    }
    return text
  }

  func number() throws(SeriesError) -> Double {
    guard case .number(let number) = value, number.isFinite else {
      throw refused("is \(value.typeName), where a number is needed")
    }
    return number
  }

  /// Returns a whole number within a range.
  func integer(in range: ClosedRange<Int>) throws(SeriesError) -> Int {
    let number = try number()
    guard let integer = Int(exactly: number), range.contains(integer) else {
      throw refused("is no whole number of \(range.lowerBound) … \(range.upperBound)")
    }
    return integer
  }

  /// Returns an instant: a text in ISO 8601, or a number of seconds since 1970.
  func time() throws(SeriesError) -> FrameTime {
    if case .number(let number) = value {
      guard let seconds = Int64(exactly: number), let time = FrameTime(seconds: seconds) else {
        throw refused("is no whole number of seconds since 1970 in the years 1 to 9999")
      }
      return time
    }
    do throws(SeriesError) {
      return try FrameTime(iso8601: try text())
    } catch {
      throw error.code == .badTime ? error.at(path) : error
    }
  }

  /// Returns an error about this value, such as "frames[3] has no 'time'".
  func refused(_ reason: String) -> SeriesError {
    SeriesError(.badDocument, "\(path.isEmpty ? "the document" : path) \(reason).")
  }
}
