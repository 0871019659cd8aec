package import Definition
import Features
import JSON
package import Runs
import SystemPackage

/// The changes of looks in the text of a pipeline's files: each value is replaced where it stands,
/// so comments, order, quotes and blanks stay as they are.
package struct LookEdit {
  /// The new content of the files that change, by path.
  package private(set) var files: [String: [UInt8]] = [:]

  /// The lines that change, as a difference for people.
  package private(set) var difference = ""

  /// Changes the files of a definition.
  ///
  /// - Throws: ``PipelineError`` for a value that cannot be changed where it stands, such as one
  ///   that an alias repeats or that no file has; what the files then say is read again to be sure.
  package init(
    _ changes: [LookChange], in definition: PipelineDefinition
  ) throws(PipelineError) {
    var texts: [String: LookText] = [:]
    for change in changes {
      let place = try Self.place(of: change, in: definition)
      guard let bytes = definition.material.documents[place.file],
        !DataLocation.isAddress(place.file)
      else { throw Self.unwritable(change, at: place) }
      var text = texts[place.file] ?? LookText(bytes, file: place.file)
      guard text.apply(change, in: definition) else { throw Self.unwritable(change, at: place) }
      texts[place.file] = text
    }
    for (file, text) in texts.sorted(by: { $0.key < $1.key }) {
      files[file] = text.bytes
      difference += text.difference
    }
    var material = definition.material
    material.documents.merge(files) { $1 }
    let wanted = try LookOverlay(changes).applied(to: definition.layers)
    let written = try? PipelineDefinition(material)
    guard let written, written.layers.map(\.looks) == wanted.map(\.looks) else {
      let places = changes.compactMap { try? Self.place(of: $0, in: definition) }
      throw (places.first ?? DocumentPlace(file: definition.file)).fault(
        "the values cannot be changed where they stand, as where an alias repeats them. Change them "
          + "by hand.")
    }
    _ = try written.styleLayers()
  }

  /// Returns a pipeline's text with the paths of its data spelled for another folder.
  ///
  /// - Parameter spell: returns a path as the other folder has it.
  package static func respelled(
    _ bytes: [UInt8], file: String, _ spell: (String) -> String
  ) throws(PipelineError) -> [UInt8] {
    let root = try Document(bytes: bytes, file: file, environment: { _ in "" }).root
    var text = LookText(bytes, file: file)
    for source in root["sources"]?.members ?? [] {
      for node in source.node.dataPaths {
        guard let path = node.text, spell(path) != path else { continue }
        _ = text.replace(node, by: .string(spell(path)))
      }
    }
    return text.bytes
  }

  private static func unwritable(_ change: LookChange, at place: DocumentPlace) -> PipelineError {
    place.fault(
      "'\(change.property.quotable)' of layer '\(change.layer.quotable)' cannot be changed here. "
        + "Change it by hand.")
  }

  /// Returns the place of the value that changes, or before which a new one is written.
  private static func place(
    of change: LookChange, in definition: PipelineDefinition
  ) throws(PipelineError) -> DocumentPlace {
    guard let layer = definition.layers.first(where: { $0.nameInFile == change.layer }) else {
      throw PipelineError(
        .usage, "there is no layer '\(change.layer.quotable)' by now. Load the page again.")
    }
    let block = layer.members(of: change.block)
    guard let member = block.first(where: { $0.key == change.property }) else {
      guard let first = block.first, first.keyPlace != layer.place else {
        throw unwritable(change, at: layer.place)
      }
      return first.keyPlace
    }
    // Layers that no file writes down have one place for all their values.
    guard member.keyPlace != layer.place else {
      throw layer.place.fault(
        "layer '\(layer.id)' is one that stands in no file. Write down the layers of its source.")
    }
    return member.node.place(at: change.path)
  }
}

extension DocumentNode {
  /// The paths under `data` in a source, those of joined tables too.
  fileprivate var dataPaths: [DocumentNode] {
    let inner = (members ?? []).flatMap { member in
      guard member.key == "data" else { return member.node.dataPaths }
      return member.node.text == nil ? member.node.items ?? [] : [member.node]
    }
    return inner + (items ?? []).flatMap(\.dataPaths)
  }
}

extension LayerDefinition {
  func members(of block: LookChange.Block) -> [DocumentMember] {
    block == .layout ? layout : paint
  }

  /// The values of the look without their places and their order.
  fileprivate var looks: [[String: PropertyValue]] {
    [layout, paint].map { members in
      Dictionary(members.map { ($0.key, $0.node.propertyValue) }) { first, _ in first }
    }
  }
}

/// The text of a file in which values are replaced.
private struct LookText {
  private let file: String
  private let isJSON: Bool
  private let mark: [UInt8]

  /// The lines without their line feeds, and those that replace them, which may be several.
  private let old: [[Unicode.Scalar]]
  private var edits: [(line: Int, range: Range<Int>, text: String)] = []

  init(_ bytes: [UInt8], file: String) {
    self.file = file
    let bom: [UInt8] = [0xEF, 0xBB, 0xBF]
    mark = bytes.starts(with: bom) ? bom : []
    let text = String(decoding: bytes.dropFirst(mark.count), as: UTF8.self)
    isJSON = text.unicodeScalars.first { !$0.properties.isWhitespace } == "{"
    old = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      Array($0)
    }
  }

  /// Notes a change.
  ///
  /// - Returns: whether its place is known.
  mutating func apply(_ change: LookChange, in definition: PipelineDefinition) -> Bool {
    guard let layer = definition.layers.first(where: { $0.nameInFile == change.layer }) else {
      return false
    }
    let members = layer.members(of: change.block)
    guard let member = members.first(where: { $0.key == change.property }) else {
      return members.first.map { insert(change, before: $0.keyPlace) } ?? false
    }
    return member.node.value(at: change.path).map { replace($0, by: change.value) } ?? false
  }

  /// Notes the replacement of a scalar.
  ///
  /// - Returns: whether it stands in one line and is no variable's.
  mutating func replace(_ node: DocumentNode, by value: PropertyValue) -> Bool {
    guard node.layout == .flow, !node.isSubstituted, let line = line(node.place),
      let end = end(of: node, from: node.place.column - 1, in: line)
    else { return false }
    let start = node.place.column - 1
    let isTaken = edits.contains {
      $0.line == node.place.line && $0.range.overlaps(start..<end)
    }
    guard !isTaken else { return false }
    let quote = line[start] == "'" || line[start] == "\"" ? line[start] : nil
    edits.append((node.place.line, start..<end, spelled(value, quote: quote)))
    return true
  }

  private func line(_ place: DocumentPlace) -> [Unicode.Scalar]? {
    guard old.indices.contains(place.line - 1), place.column > 0,
      place.column <= old[place.line - 1].count
    else { return nil }
    return old[place.line - 1]
  }

  /// Returns where a scalar ends that begins at a column; `nil` for one of several lines.
  private func end(of node: DocumentNode, from start: Int, in line: [Unicode.Scalar]) -> Int? {
    switch line[start] {
    case "\"":
      var at = start + 1
      while at < line.count, line[at] != "\"" { at += line[at] == "\\" ? 2 : 1 }
      return at < line.count ? at + 1 : nil
    case "'":
      var at = start + 1
      while at < line.count {
        if line[at] != "'" { at += 1; continue }
        guard at + 1 < line.count, line[at + 1] == "'" else { return at + 1 }
        at += 2
      }
      return nil
    default:
      if let text = node.text {
        let scalars = Array(text.unicodeScalars)
        return line[start...].starts(with: scalars) ? start + scalars.count : nil
      }
      let digits = line[start...].prefix { "0123456789+-.eE".unicodeScalars.contains($0) }
      return digits.isEmpty ? nil : digits.endIndex
    }
  }

  /// Writes a property that the layer lacks before the first one of its block.
  private mutating func insert(_ change: LookChange, before place: DocumentPlace) -> Bool {
    guard let line = line(place) else { return false }
    let column = place.column - 1
    let key = isJSON ? JSONWriter.text(change.property) : change.property
    let entry = "\(key): \(spelled(change.value, quote: nil))"
    let isBlock = line[..<column].allSatisfy { $0 == " " }
    let indent = String(repeating: " ", count: column)
    let end = line.last == "\r" ? "\r\n" : "\n"
    edits.append(
      (place.line, column..<column, isBlock ? "\(entry)\(end)\(indent)" : "\(entry), "))
    return true
  }

  private func spelled(_ value: PropertyValue, quote: Unicode.Scalar?) -> String {
    switch value {
    case .number(let number): return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .string(let text):
      if quote == "'" { return "'\(text.replacing("'", with: "''"))'" }
      let isWord =
        text.first?.isLetter == true && text.utf8.allSatisfy { $0 < 0x80 }
        && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
        && DocumentScalar.value(of: text).map { if case .string = $0 { true } else { false } }
          ?? false
      return quote == nil && !isJSON && isWord ? text : JSONWriter.text(text)
    case .array(let items):
      return "[\(items.map { spelled($0, quote: nil) }.joined(separator: ", "))]"
    case .null, .bool, .whole, .object: return ReportJSON(value).line
    }
  }

  /// The lines that change, with what they become; a new line stands with the one that it precedes.
  private var changed: [(line: Int, text: String)] {
    Dictionary(grouping: edits, by: \.line).sorted { $0.key < $1.key }.map { number, edits in
      var line = old[number - 1]
      // From the end, so that no column moves; of two at one place the first one stays first.
      let ordered = edits.enumerated().sorted {
        ($0.element.range.lowerBound, $0.offset) > ($1.element.range.lowerBound, $1.offset)
      }
      for (_, edit) in ordered { line.replaceSubrange(edit.range, with: edit.text.unicodeScalars) }
      return (number, String(String.UnicodeScalarView(line)))
    }
  }

  var bytes: [UInt8] {
    var lines = old.map { String(String.UnicodeScalarView($0)) }
    for (number, text) in changed { lines[number - 1] = text }
    return mark + Array(lines.joined(separator: "\n").utf8)
  }

  var difference: String {
    changed.map { number, text in
      let before = "- \(Self.shown(old[number - 1]))"
      let after = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "+ \(Self.shown(Array($0)))" }
      let isAddition = after.last?.dropFirst() == before.dropFirst()
      let lines = isAddition ? after.dropLast() : [before] + after
      return
        "\(FilePath(file).lastComponent?.string ?? file):\(number)\n\(lines.joined(separator: "\n"))\n"
    }.joined()
  }

  private static func shown(_ line: [Unicode.Scalar]) -> String {
    String(String.UnicodeScalarView(line.filter { $0 != "\r" }))
  }
}
