import PipelineSamples
import Raster
import TestSupport
import Testing

@testable import Definition
@testable import Reports
@testable import Styling

@Suite("Fonts of labels")
struct LabelFontTests {
  private func fonts(_ labels: [(text: String, stack: [String])]) throws -> LabelFonts {
    var looks = LookTable()
    for (text, stack) in labels {
      let look = TextLook(
        sections: [TextSection(text)], style: TextStyle(fontStack: stack), color: .black)
      _ = looks.number(of: [StackedLook(layer: 0, look: .text(look))])
    }
    return try LabelFonts(of: looks, fonts: FontLibrary(searchPaths: []))
  }

  @Test("existing label fonts give no notes")
  func noNotes() throws {
    let found = try fonts([
      ("Hôtel\n\u{200D}\u{AD}5\t★", ["DejaVu Sans Bold"]), ("a", ["Nope", "DejaVu Serif"]),
    ])
    #expect(found == LabelFonts() && found.notes == [])
  }

  @Test("layers without text-font use Open Sans, without a note")
  func withoutTextFont() throws {
    let found = try fonts([("b", ["Open Sans Regular", "Arial Unicode MS Regular"])])
    #expect(found.notes == [])
  }

  @Test("missing label fonts are named with their fallback, in order and once")
  func replaced() throws {
    let found = try fonts([
      ("a", ["Other Serif", "Third"]), ("b", ["Nope Bold"]), ("c", ["Nope Bold"]),
    ])
    #expect(
      found.notes == [
        "fonts of labels are not there: for 'Nope Bold' Open Sans Bold stands in; "
          + "for 'Other Serif', 'Third' DejaVu Serif Book stands in. QUADRILLE_FONT_PATH names "
          + "folders of fonts."
      ])
  }

  @Test("at most ten missing characters of label fonts are shown, whatever the order of the labels")
  func missing() throws {
    let stack = ["DejaVu Sans"]
    let one = try fonts([("a\u{10FFFD}", stack), ("\u{10FFFD}", stack)]).notes
    #expect(
      one == [
        "a character of labels has no glyph in any font and is drawn as a box: U+10FFFD. "
          + "QUADRILLE_FONT_PATH names folders of fonts."
      ])
    let city = "東京都港区赤坂丁目番地大学"
    let labels = (0..<12).map { (text: "\($0)\(city.dropLast($0))", stack: stack) }
    let notes = try fonts(labels).notes
    #expect(try notes == fonts(labels.reversed()).notes && notes.count == 1)
    #expect(
      notes.first?.hasPrefix(
        "13 different characters of labels have no glyph in any font and are drawn as boxes: "
          + "丁 京 区 地 坂 大 学 東 港 番 … ") == true)
  }

  @Test("label font notes are in the report, the same on any number of threads", arguments: [1, 3])
  func report(threads: Int) throws {
    let sample = try BuildSample(rows: 5, tiles: "{maxzoom: 1}")
    try sample.folder.write(
      """
      version: 1
      name: sample
      sources: {places: {type: csv, data: places.csv}}
      layers:
        - {id: label, type: symbol, source: places, layout: {text-field: 東, text-font: [Nope Bold]}}
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "sample.yml")
    var options = BuildOptions()
    options.threads = threads
    let notes = try #require(try sample.build(options).first).notes
    #expect(notes.count == 2 && notes[0].contains("'Nope Bold'") && notes[1].contains(": 東."))
  }
}
