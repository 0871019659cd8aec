import Features
import JSON
import TestSupport
import Testing

@testable import Ingest

@Suite(.enabled(if: SharedData.isThere, "../shared/data is absent"))
struct JSONConformanceTests {
  /// Whether the text follows the grammar.
  private func isWellFormed(_ bytes: [UInt8]) -> Bool {
    var json = JSONTokenizer(source: ByteSource(bytes: bytes, name: "test"))
    do {
      try json.skipByteOrderMark()
      try json.skipValue()
      try json.finish()
      return true
    } catch {
      return false
    }
  }

  private func names(_ prefix: String, where isChosen: ([UInt8]) -> Bool) throws -> [String] {
    let folder = "conformance/JSONTestSuite"
    return try SharedData.names(in: folder, ending: ".json")
      .filter { $0.hasPrefix(prefix) }
      .filter { isChosen(try SharedData.bytes("\(folder)/\($0)")) }
  }

  private func isParsed(_ bytes: [UInt8]) -> Bool {
    (try? JSONValueParser.parse(bytes)) != nil
  }

  @Test("JSONTestSuite: every text that must parse is accepted")
  func accepted() throws {
    #expect(try names("y_", where: isWellFormed).count == 95)
    #expect(try names("y_", where: { !isWellFormed($0) }) == [])
  }

  @Test("JSONTestSuite: a duplicate name in one object, which the grammar allows, is refused")
  func duplicates() throws {
    #expect(
      try names("y_", where: { !isParsed($0) }) == [
        "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json",
      ])
  }

  @Test("JSONTestSuite: every text that must not parse is refused")
  func refused() throws {
    #expect(try names("n_", where: { !isWellFormed($0) && !isParsed($0) }).count == 188)
    #expect(try names("n_", where: { isWellFormed($0) || isParsed($0) }) == [])
  }

  @Test("JSONTestSuite: of the texts that may parse, exactly these do")
  func free() throws {
    #expect(
      try names("i_", where: isParsed) == [
        "i_number_double_huge_neg_exp.json", "i_number_real_underflow.json",
        "i_number_too_big_neg_int.json", "i_number_too_big_pos_int.json",
        "i_number_very_big_negative_int.json", "i_structure_500_nested_arrays.json",
        "i_structure_UTF-8_BOM_empty_object.json",
      ])
  }
}
