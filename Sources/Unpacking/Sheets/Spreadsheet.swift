import Features
import Files
import SystemPackage

/// A spreadsheet, `.xlsx` or `.ods`: a zip file whose sheets are read as tables of text.
///
/// A sheet becomes CSV with a line for each row, so that line numbers are those of the sheet.
/// Numbers are written with a point, times as ISO 8601; a formula has its last value, and an error
/// is empty.
struct Spreadsheet {
  private let directory: ZipDirectory
  private let file: FileDescriptor
  private let unpacker: Unpacker

  private static let workbook = "xl/workbook.xml"
  private static let content = "content.xml"

  /// - Returns: `nil` for a zip file that is no spreadsheet.
  init?(_ directory: ZipDirectory, _ file: FileDescriptor, _ unpacker: Unpacker) {
    guard Self.isSpreadsheet(directory.members.map(\.name)) else { return nil }
    self.directory = directory
    self.file = file
    self.unpacker = unpacker
  }

  /// Whether the members of a zip file include those of a spreadsheet.
  static func isSpreadsheet(_ names: [String]) -> Bool {
    names.contains(workbook)
      || names.contains(content) && names.contains("mimetype")
        && names.contains("META-INF/manifest.xml")
  }

  private var isWorkbook: Bool { !directory.members(named: Self.workbook).isEmpty }

  // MARK: Sheets

  /// A sheet, with the member that holds it or its number in the document.
  private struct Sheet {
    let name: String
    let isHidden: Bool
    var member = ""
    var number = 0
  }

  /// The names of the sheets that are shown, in their order.
  func names() throws -> [String] { try sheets().filter { !$0.isHidden }.map(\.name) }

  private func sheets() throws -> [Sheet] {
    isWorkbook ? try workbookSheets() : try documentSheets()
  }

  private func workbookSheets() throws -> [Sheet] {
    var targets: [String: String] = [:]
    try scan("xl/_rels/workbook.xml.rels") { scanner in
      guard scanner.isNamed("Relationship"), let id = scanner.attribute("Id"),
        let target = scanner.attribute("Target")
      else { return }
      targets[id] = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/\(target)"
    }
    var sheets: [Sheet] = []
    try scan(Self.workbook) { scanner in
      guard scanner.isNamed("sheet"), let name = scanner.attribute("name"),
        let id = scanner.attribute("id"), let member = targets[id]
      else { return }
      let isHidden = scanner.attribute("state").map { $0 != "visible" } ?? false
      sheets.append(Sheet(name: name, isHidden: isHidden, member: member))
    }
    return sheets
  }

  private func documentSheets() throws -> [Sheet] {
    var sheets: [Sheet] = []
    var hidden: Set<String> = []
    var style = ""
    try scan(Self.content) { scanner in
      if scanner.isNamed("style") { style = scanner.attribute("name") ?? "" }
      if scanner.isNamed("table-properties"), scanner.attribute("display") == "false" {
        hidden.insert(style)
      }
      guard scanner.isNamed("table"), let name = scanner.attribute("name") else { return }
      let isHidden = scanner.attribute("style-name").map(hidden.contains) ?? false
      sheets.append(Sheet(name: name, isHidden: isHidden, number: sheets.count))
    }
    return sheets
  }

  // MARK: Rows

  /// Writes a sheet as CSV.
  ///
  /// - Parameters:
  ///   - name: the name of the sheet; `nil` for the only one that is shown.
  ///   - packedBytes: the size of the spreadsheet, for the limit on what it unpacks to.
  func write(
    _ name: String?, packedBytes: Int, into target: FileDescriptor, file: String
  ) throws {
    let sheet = try sheet(name, file: file)
    guard isWorkbook else {
      let content = try member(Self.content)
      let reader = DocumentReader(try Self.table(sheet.number, of: content.bytes))
      return try unpacker.writing(to: target, packedBytes: packedBytes) {
        output throws(UnpackFault) in
        try Self.write(reader, to: output)
      }
    }
    let rows = try member(sheet.member)
    let strings = try member("xl/sharedStrings.xml", isOptional: true)
    let styles = try member("xl/styles.xml", isOptional: true)
    var countsFrom1904 = false
    try scan(Self.workbook) { scanner in
      guard scanner.isNamed("workbookPr") else { return }
      countsFrom1904 = ["1", "true"].contains(scanner.attribute("date1904"))
    }
    let reader = WorkbookReader(
      rows.bytes, strings: SharedStrings(strings.bytes), styles: WorkbookStyles(styles.bytes),
      countsFrom1904: countsFrom1904)
    try unpacker.writing(to: target, packedBytes: packedBytes) { output throws(UnpackFault) in
      try Self.write(reader, to: output)
    }
  }

  private func sheet(_ name: String?, file: String) throws -> Sheet {
    let all = try sheets()
    let shown = all.filter { !$0.isHidden }
    if let name {
      if let sheet = all.first(where: { $0.name == name }) { return sheet }
      throw UnpackFault(
        "has no sheet '\(name)'. Name one of its sheets: \(Self.list(shown))", .configuration
      ).error(in: file)
    }
    guard let first = shown.first else { throw UnpackFault("has no sheet").error(in: file) }
    guard shown.count == 1 else {
      throw UnpackFault(
        "has several sheets: \(Self.list(shown)). Name one: 'data: \(file)/\(first.name)'",
        .configuration
      ).error(in: file)
    }
    return first
  }

  private static func list(_ sheets: [Sheet]) -> String {
    sheets.prefix(12).map(\.name.withoutControls).joined(separator: ", ")
      + (sheets.count > 12 ? " …" : "")
  }

  /// Writes all rows, with the columns from the first to the last that have a cell. A single cell
  /// above them counts as a title.
  private static func write(
    _ reader: some SheetReader, to output: ScratchOutput
  ) throws(UnpackFault) {
    var row = SheetRow()
    var columns = 0..<0
    var (rows, counts) = (0, [Int: Int]())
    var survey = reader
    while survey.read(into: &row) {
      guard let first = row.cells.first?.column, let last = row.cells.last?.column else { continue }
      columns =
        columns.isEmpty
        ? first..<(last + 1)
        : min(columns.lowerBound, first)..<max(columns.upperBound, last + 1)
      rows += 1
      for cell in row.cells { counts[cell.column, default: 0] += 1 }
    }
    while rows > 2, columns.count > 1, counts[columns.lowerBound, default: 0] <= 1 {
      columns = columns.lowerBound + 1..<columns.upperBound
    }
    var (reader, line, number) = (reader, [UInt8](), 0)
    while reader.read(into: &row) {
      line.removeAll(keepingCapacity: true)
      while number < row.number {
        line.append(UInt8(ascii: "\n"))
        number += 1
      }
      row.write(columns: columns, to: &line)
      number += 1
      try output.add(line)
    }
  }

  // MARK: Members

  private func member(_ name: String, isOptional: Bool = false) throws -> SheetMember {
    guard let member = directory.members(named: name).first else {
      if isOptional { return SheetMember() }
      throw UnpackFault("is a damaged spreadsheet: it has no '\(name)'; save it again")
    }
    guard member.unpackedBytes > 0 else { return SheetMember() }
    let unpacked = try UnpackedFile(in: unpacker.folder, hasName: true)
    try unpacker.unpack(member, of: directory, file, into: unpacked.file)
    return try SheetMember(unpacked, bytes: member.unpackedBytes)
  }

  /// Calls a body with each tag that begins an element of a member.
  private func scan(_ name: String, _ body: (XMLScanner) -> Void) throws {
    let member = try member(name)
    var scanner = XMLScanner(member.bytes)
    while let event = scanner.next() {
      if event == .start { body(scanner) }
    }
  }

  /// Returns the content of a document from the tag of a sheet on.
  private static func table(
    _ number: Int, of content: UnsafeRawBufferPointer
  ) throws -> UnsafeRawBufferPointer {
    var scanner = XMLScanner(content)
    var count = 0
    while true {
      let start = scanner.offset
      guard let event = scanner.next() else {
        throw UnpackFault("is a damaged spreadsheet: a sheet is missing; save it again")
      }
      guard event == .start, scanner.isNamed("table"), scanner.attribute("name") != nil else {
        continue
      }
      if count == number { return UnsafeRawBufferPointer(rebasing: content[start...]) }
      count += 1
    }
  }
}

/// A member of a spreadsheet in memory, as long as this value lives.
private struct SheetMember {
  private var mapped: MappedScratch?

  init() {}

  init(_ file: UnpackedFile, bytes: Int) throws {
    guard let path = file.path else { return }
    mapped = try MappedScratch(path, bytes: bytes)
  }

  var bytes: UnsafeRawBufferPointer {
    mapped?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

extension ScratchOutput {
  /// Adds bytes.
  fileprivate func add(_ bytes: [UInt8]) throws(UnpackFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = min(rest.count, room.count)
      room.copyBytes(from: rest.prefix(count))
      rest = rest.dropFirst(count)
      try add(count)
    }
  }
}
