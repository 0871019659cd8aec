/// Spreadsheets for tests, made without other programs.
package enum SheetSample {
  /// A sheet: rows of cells, which are empty, numbers, texts, or days since 1899-12-30 after `date:`.
  package struct Sheet {
    package var name: String
    package var rows: [[String]]
    package var isHidden = false

    package init(_ name: String, _ rows: [[String]]) {
      self.name = name
      self.rows = rows
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  private static func isNumber(_ text: String) -> Bool {
    Double(text) != nil && (!text.hasPrefix("0") || text.hasPrefix("0.") || text == "0")
  }

  // MARK: Office Open XML

  /// Returns an `.xlsx` file, whose texts are shared and whose rows have their numbers.
  package static func workbook(_ sheets: [Sheet]) -> [UInt8] {
    var strings: [String] = []
    var members: [PackedSample.Member] = []
    func add(_ name: String, _ text: String) {
      members.append(PackedSample.Member(name, Array((#"<?xml version="1.0"?>"# + text).utf8)))
    }
    add("[Content_Types].xml", "<Types/>")
    let list = sheets.enumerated().map { place, sheet in
      #"<sheet name="\#(escaped(sheet.name))" sheetId="\#(place + 1)" r:id="rId\#(place + 1)""#
        + (sheet.isHidden ? #" state="hidden"/>"# : "/>")
    }
    add("xl/workbook.xml", "<workbook><sheets>\(list.joined())</sheets></workbook>")
    let links = sheets.indices.map {
      #"<Relationship Id="rId\#($0 + 1)" Target="worksheets/sheet\#($0 + 1).xml"/>"#
    }
    add("xl/_rels/workbook.xml.rels", "<Relationships>\(links.joined())</Relationships>")
    add(
      "xl/styles.xml",
      #"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/></numFmts>"#
        + #"<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>"#)
    for (place, sheet) in sheets.enumerated() {
      let rows = sheet.rows.enumerated().filter { !$0.element.isEmpty }.map { number, row in
        let cells = row.enumerated().filter { !$0.element.isEmpty }.map { column, text -> String in
          let place = #"r="\#(letters(column))\#(number + 1)""#
          if text.hasPrefix("date:") {
            return #"<c \#(place) s="1"><v>\#(text.dropFirst(5))</v></c>"#
          }
          if isNumber(text) { return "<c \(place)><v>\(text)</v></c>" }
          strings.append(text)
          return #"<c \#(place) t="s"><v>\#(strings.count - 1)</v></c>"#
        }
        return #"<row r="\#(number + 1)">\#(cells.joined())</row>"#
      }
      add(
        "xl/worksheets/sheet\(place + 1).xml",
        "<worksheet><sheetData>\(rows.joined())</sheetData></worksheet>")
    }
    let texts = strings.map { "<si><t>\(escaped($0))</t><rPh><t>read aloud</t></rPh></si>" }
    add("xl/sharedStrings.xml", "<sst>\(texts.joined())</sst>")
    return PackedSample.zip(members)
  }

  private static func letters(_ column: Int) -> String {
    let last = String(UnicodeScalar(UInt8(65 + column % 26)))
    return column < 26 ? last : letters(column / 26 - 1) + last
  }

  // MARK: OpenDocument

  /// Returns an `.ods` file, in which cells that are alike are repeated, and a million rows end it.
  package static func document(_ sheets: [Sheet]) -> [UInt8] {
    let tables = sheets.map { sheet in
      let rows = sheet.rows.map { row in
        let cells = row.map { text in
          text.isEmpty
            ? "<table:table-cell/>"
            : isNumber(text)
              ? #"<table:table-cell office:value-type="float" office:value="\#(text)"><text:p>\#(text.replacing(".", with: ","))</text:p></table:table-cell>"#
              : #"<table:table-cell office:value-type="string"><office:annotation><text:p>a remark</text:p></office:annotation><text:p>\#(escaped(text))</text:p></table:table-cell>"#
        }
        return "<table:table-row>\(cells.joined())"
          + #"<table:table-cell table:number-columns-repeated="16000"/></table:table-row>"#
      }
      let style = sheet.isHidden ? "ta2" : "ta1"
      return #"<table:table table:name="\#(escaped(sheet.name))" table:style-name="\#(style)">"#
        + rows.joined()
        + #"<table:table-row table:number-rows-repeated="1000000"><table:table-cell/></table:table-row>"#
        + "</table:table>"
    }
    let styles =
      #"<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>"#
    let content =
      "<office:document-content><office:automatic-styles>\(styles)</office:automatic-styles>"
      + "<office:body><office:spreadsheet>\(tables.joined())</office:spreadsheet></office:body>"
      + "</office:document-content>"
    return PackedSample.zip([
      .init("mimetype", Array("application/vnd.oasis.opendocument.spreadsheet".utf8)),
      .init("content.xml", Array(content.utf8)), .init("META-INF/manifest.xml", Array("<m/>".utf8)),
    ])
  }
}
