import Calendar

/// A reader of a sheet of Office Open XML (ECMA-376, part 1, chapter 18).
struct WorkbookReader: SheetReader {
  private var scanner: XMLScanner
  private let strings: SharedStrings
  private let styles: WorkbookStyles
  private let countsFrom1904: Bool

  /// The number of a row that does not have one itself: one more than the last.
  private var nextRow = 0

  init(
    _ sheet: UnsafeRawBufferPointer, strings: SharedStrings, styles: WorkbookStyles,
    countsFrom1904: Bool
  ) {
    scanner = XMLScanner(sheet)
    self.strings = strings
    self.styles = styles
    self.countsFrom1904 = countsFrom1904
  }

  mutating func read(into row: inout SheetRow) -> Bool {
    row.removeAll()
    while let event = scanner.next() {
      if event == .start, scanner.isNamed("row") {
        row.number = max(scanner.attribute("r").flatMap { Int($0) }.map { $0 - 1 } ?? 0, nextRow)
        guard row.number < SheetRow.rowLimit else { return false }
        nextRow = row.number + 1
      } else if event == .start, scanner.isNamed("c") {
        readCell(into: &row)
      } else if event == .end, scanner.isNamed("row"), !row.cells.isEmpty {
        return true
      }
    }
    return false
  }

  private mutating func readCell(into row: inout SheetRow) {
    let last = row.cells.last.map { $0.column + 1 } ?? 0
    let column = max(scanner.attribute("r").flatMap(Self.column) ?? last, last)
    let type = scanner.attribute("t") ?? "n"
    let style = scanner.attribute("s").flatMap { Int($0) } ?? 0
    var text: [UInt8] = []
    var (isValue, isSpoken) = (false, false)
    while let event = scanner.next() {
      switch event {
      case .start where scanner.isNamed("v") || scanner.isNamed("t"): isValue = true
      case .start where scanner.isNamed("rPh"): isSpoken = true
      case .end where scanner.isNamed("v") || scanner.isNamed("t"): isValue = false
      case .end where scanner.isNamed("rPh"): isSpoken = false
      case .end where scanner.isNamed("c"):
        row.append(value(text, type, style), column: column)
        return
      case .text where isValue && !isSpoken: scanner.appendText(to: &text)
      default: break
      }
    }
  }

  private func value(_ text: [UInt8], _ type: String, _ style: Int) -> [UInt8] {
    let stored = String(decoding: text, as: UTF8.self)
    switch type {
    case "s": return Int(stored).map(strings.text) ?? []
    case "b": return Array((stored == "1" ? "true" : "false").utf8)
    case "e": return []
    case "n": break
    default: return text
    }
    let number = SheetNumber.text(stored)
    switch (styles.form(of: style), Double(stored)) {
    case (nil, _), (_, nil): return Array(number.utf8)
    case (.padded(let width)?, _):
      return Array(String(repeating: "0", count: max(width - number.utf8.count, 0)).utf8)
        + Array(number.utf8)
    case (let form?, let days?):
      return Array(Self.time(days, form, from1904: countsFrom1904).utf8)
    }
  }

  /// Returns the column of a cell by its name, from 0: 27 for `AB7`.
  private static func column(_ name: String) -> Int? {
    var column = 0
    for byte in name.utf8.prefix(3) where byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") {
      column = column * 26 + Int(byte - UInt8(ascii: "A")) + 1
    }
    return column > 0 ? column - 1 : nil
  }

  /// Returns a number of days as a date, a time of day or both, as ISO 8601 writes them.
  private static func time(
    _ days: Double, _ form: WorkbookStyles.Form, from1904: Bool
  ) -> String {
    // Excel's calendar has a 29th of February 1900, which did not exist.
    let begin = from1904 ? -24_107.0 : days < 60 ? -25_568 : -25_569
    guard days >= 0, days < 2_958_466 else { return SheetNumber.text("\(days)") }
    let fields = CalendarFields(seconds: Int64(((days + begin) * 86_400).rounded()))
    let isWhole = days.rounded(.down) == days
    switch form {
    case .time: return days < 1 ? fields.clockText : "\(fields.dateText)T\(fields.clockText)"
    case .date where isWhole: return fields.dateText
    case .date, .dateAndTime, .padded: return "\(fields.dateText)T\(fields.clockText)"
    }
  }
}

/// The texts that the cells of a workbook share.
struct SharedStrings {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// - Complexity: O(bytes).
  init(_ xml: UnsafeRawBufferPointer) {
    var scanner = XMLScanner(xml)
    var (isText, isSpoken) = (false, false)
    while let event = scanner.next() {
      switch event {
      case .start where scanner.isNamed("t"): isText = true
      // Phonetic readings of Japanese text.
      case .start where scanner.isNamed("rPh"): isSpoken = true
      case .end where scanner.isNamed("t"): isText = false
      case .end where scanner.isNamed("rPh"): isSpoken = false
      case .end where scanner.isNamed("si"): ends.append(bytes.count)
      case .text where isText && !isSpoken: scanner.appendText(to: &bytes)
      default: break
      }
    }
  }

  /// Returns the text with a number; empty where there is none.
  func text(_ number: Int) -> [UInt8] {
    guard ends.indices.contains(number) else { return [] }
    return Array(bytes[(number > 0 ? ends[number - 1] : 0)..<ends[number]])
  }
}

/// The styles of a workbook's cells that show numbers as times or as codes.
struct WorkbookStyles {
  enum Form: Hashable {
    case date, time, dateAndTime
    /// A code with this many digits, padded with zeros.
    case padded(Int)
  }

  private var forms: [Form?] = []

  init(_ xml: UnsafeRawBufferPointer) {
    var scanner = XMLScanner(xml)
    var own: [Int: String] = [:]
    var isList = false
    while let event = scanner.next() {
      if scanner.isNamed("cellXfs"), event != .text { isList = event == .start }
      guard event == .start else { continue }
      func number(_ name: StaticString) -> Int? { scanner.attribute(name).flatMap { Int($0) } }
      if scanner.isNamed("numFmt"), let id = number("numFmtId") {
        own[id] = scanner.attribute("formatCode")
      } else if isList, scanner.isNamed("xf") {
        let id = number("numFmtId") ?? 0
        forms.append(own[id].map(Self.form) ?? Self.form(ofFormat: id))
      }
    }
  }

  /// Returns the form of the times of a style; `nil` for plain numbers.
  func form(of style: Int) -> Form? { forms.indices.contains(style) ? forms[style] : nil }

  /// Returns the form of the formats that programs know by their numbers (18.8.30).
  private static func form(ofFormat number: Int) -> Form? {
    switch number {
    case 14...17, 27...31, 34...36, 50...58: .date
    case 18...21, 32, 33, 45...47: .time
    case 22: .dateAndTime
    default: nil
    }
  }

  /// Returns the form of a format such as `dd/mm/yyyy hh:mm`; text in quotes and brackets is
  /// ignored.
  private static func form(_ code: String) -> Form? {
    let plain = code.lowercased().replacing(/\\.|"[^"]*"|\[[^hms\]]*\]/, with: "")
      .prefix { $0 != ";" }
    let isDate = plain.contains("y") || plain.contains("d")
    let isTime = plain.contains("h") || plain.contains("s")
    if plain.count > 1, plain.allSatisfy({ $0 == "0" }) { return .padded(plain.count) }
    guard !plain.contains("general"), !plain.contains("0.0"), !plain.contains("#") else {
      return nil
    }
    return isDate ? (isTime ? .dateAndTime : .date) : isTime ? .time : nil
  }
}
