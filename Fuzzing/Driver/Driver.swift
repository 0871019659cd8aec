import FuzzTargets
import Platform

/// The target that `QUADRILLE_FUZZ_TARGET` names.
///
/// One program for all of them: each of its own would be the same 100 MB, linked fifteen times.
private let target: FuzzTarget = {
  let name = getenv("QUADRILLE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    give(up: "set QUADRILLE_FUZZ_TARGET to one of \(names)")
  }
  return target
}()

/// What libFuzzer calls with bytes that it made up.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    _ = try target.check(UnsafeRawBufferPointer(start: start, count: count))
  } catch {
    give(up: "\(target.name): \(error)")
  }
  return 0
}
