import Testing

@testable import Ingest

struct GeoJSONNamesTests {
  private func slot(_ names: inout GeoJSONNames, _ name: String) -> Int? {
    var name = name
    return name.withUTF8 { names.slot(of: UnsafeRawBufferPointer($0)) }
  }

  private func append(_ names: inout GeoJSONNames, _ name: String) -> Int {
    var name = name
    return name.withUTF8 { names.append(UnsafeRawBufferPointer($0)) }
  }

  @Test("a thousand property names are found at their slots in any order, and others are not")
  func lookup() {
    var names = GeoJSONNames([])
    for index in 0..<1000 { #expect(append(&names, "name \(index)") == index) }
    for index in stride(from: 999, through: 0, by: -7) {
      #expect(slot(&names, "name \(index)") == index)
      #expect(slot(&names, "name \(index + 1000)") == nil)
    }
    names.startRecord()
    for index in 0..<1000 { #expect(slot(&names, "name \(index)") == index) }
    #expect(slot(&names, "") == nil)
  }

  @Test("truncated property names are not found and can be added again")
  func truncate() {
    var names = GeoJSONNames(["a", "", "b", "a"])
    #expect(names.names == ["a", "", "b"])
    for index in 0..<100 { _ = append(&names, "x\(index)") }
    names.truncate(to: 2)
    #expect(slot(&names, "b") == nil && slot(&names, "x50") == nil)
    #expect(slot(&names, "") == 1)
    #expect(append(&names, "x50") == 2)
    #expect(slot(&names, "x50") == 2 && slot(&names, "a") == 0)
    names.truncate(to: 0)
    #expect(slot(&names, "a") == nil && names.count == 0)
  }
}
