import Features
import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Unpacking

@Suite("Sheets of spreadsheets as tables of text") struct SpreadsheetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct NoSpreadsheet: Error {}

  private func text(_ bytes: [UInt8], _ sheet: String? = nil) throws -> String {
    try folder.write(bytes: bytes, to: "book")
    var wanted = PackedInput.Wanted()
    (wanted.readsSheets, wanted.member) = (true, sheet)
    guard
      let input = PackedInput(
        .file(FilePath(folder.path("book"))), name: "book.xlsx", wanted: wanted,
        PackedInput.Surroundings(folder: FilePath(folder.url.path)))
    else { throw NoSpreadsheet() }
    let unpacked = try input.unpacked()
    let count = try FileStatus(of: unpacked.file).size
    var bytes = [UInt8](repeating: 0, count: count)
    _ = try bytes.withUnsafeMutableBytes { try unpacked.file.read(fromAbsoluteOffset: 0, into: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private let sheet = SheetSample.Sheet(
    "A & B",
    [
      [], ["", "Shops of May"], [], ["", "name", "Breite", "day"],
      ["", "Zoë, \"the\" <b>", "46.899999999999999", "date:45000"], ["", "", "-3"],
    ])

  @Test("rows are lines from the first column that has a cell, numbers short and dates as ISO 8601")
  func rows() throws {
    let lines =
      "\nShops of May,,\n\nname,Breite,day\n\"Zoë, \"\"the\"\" <b>\",46.9,2023-03-15\n,-3,\n"
    #expect(try text(SheetSample.workbook([sheet])) == lines)
    var document = sheet
    document.rows[4][3] = "2023-03-15"
    #expect(try text(SheetSample.document([document])) == lines)
  }

  @Test("a title in a column before the table is no column of it")
  func titles() throws {
    let sheet = SheetSample.Sheet(
      "A", [["Shops of May"], ["", "name", "x"], ["", "a", "1"], ["", "b", "2"]])
    for book in [SheetSample.workbook, SheetSample.document] {
      #expect(try text(book([sheet])) == "\nname,x\na,1\nb,2\n")
    }
  }

  @Test("one of several sheets is named, hidden ones too, and none is guessed")
  func sheets() throws {
    var hidden = SheetSample.Sheet("notes", [["x"], ["7"]])
    hidden.isHidden = true
    let other = SheetSample.Sheet("C", [["y"], ["8"]])
    for book in [SheetSample.workbook, SheetSample.document] {
      #expect(try text(book([other, hidden])) == "y\n8\n")
      #expect(try text(book([other, hidden]), "notes") == "x\n7\n")
      let error = #expect(throws: SourceError.self) { try text(book([sheet, hidden, other])) }
      #expect(error?.message.contains("A & B, C. Name one: 'data: book.xlsx/A & B'") == true)
      #expect(throws: SourceError.self) { try text(book([other]), "D") }
    }
  }

  @Test("what is broken or cut off is an error or less text, and never a trap")
  func damaged() throws {
    for book in [SheetSample.workbook([sheet]), SheetSample.document([sheet])] {
      var random = SplitMix64(seed: 7)
      for _ in 0..<200 {
        var bytes = book
        for _ in 0..<3 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
        _ = try? text(bytes)
      }
    }
  }

  @Test(
    "tags, entities, comments and texts as they are come out of XML",
    arguments: [
      ("<a x='1'>b&amp;&#233;<!-- <c> --><![CDATA[<d>&amp;]]></a>", "b&é<d>&amp;"),
      ("<?xml?><!DOCTYPE a><a>&unknown;</a", "&unknown;"), ("", ""), ("<", ""), ("<a x=\"", ""),
    ])
  func scanner(xml: String, expected: String) {
    Array(xml.utf8).withUnsafeBytes { bytes in
      var scanner = XMLScanner(bytes)
      var text: [UInt8] = []
      while let event = scanner.next() {
        if event == .text { scanner.appendText(to: &text) }
        if event == .start, xml.contains("x='1'") { #expect(scanner.attribute("x") == "1") }
      }
      #expect(String(decoding: text, as: UTF8.self) == expected)
    }
  }
}
