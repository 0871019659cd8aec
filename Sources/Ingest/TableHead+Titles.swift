import Features
import JSON

extension TableHead {
  /// Maximum number of records above the names of the columns.
  private static let titleLimit = 20

  /// The number of lines above the names of the columns, where there are titles or notes first:
  /// records with fewer texts than the table has columns, then names, then records.
  package var titleLines: Int? {
    let body = width
    guard body.fields >= 2, body.share >= 0.5 else { return nil }
    for place in records.indices.dropFirst().prefix(Self.titleLimit) {
      guard records[..<place].allSatisfy({ Self.isTitle($0, of: body.fields) }) else { return nil }
      if isHeader(place, columns: body.fields) { return lines[place] - 1 }
    }
    return nil
  }

  /// Whether a record is a title: a text or two, and perhaps empty fields after it.
  private static func isTitle(_ record: [String], of columns: Int) -> Bool {
    let texts = record.count { !$0.isEmpty }
    return texts < columns && 2 * texts <= columns + 1
  }

  /// Whether a record names the columns of those below it: a name for each, none of them a number,
  /// and below it a number or a place.
  private func isHeader(_ place: Int, columns: Int) -> Bool {
    let names = records[place]
    guard names.count == columns, Set(names).count == columns, !names.contains(where: \.isEmpty),
      !names.contains(where: Self.isMeasure), records.indices.contains(place + 1)
    else { return false }
    return records[(place + 1)...].contains { record in
      record.count == columns
        && record.contains { Self.isMeasure($0) || GeometryText.Form(likely: $0) != nil }
    }
  }

  private static func isMeasure(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      return NumberGrammar.parseCoordinate(bytes) != nil || TextTraits.isDecimalComma(bytes)
        || SexagesimalDegrees(bytes) != nil
    }
  }
}
