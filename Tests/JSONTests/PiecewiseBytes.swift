import JSON

/// Bytes in memory that arrive in pieces of one size.
final class PiecewiseBytes: JSONSource {
  private var rest: ArraySlice<UInt8>
  private let chunk: Int
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0

  init(_ bytes: [UInt8], chunk: Int) {
    rest = bytes[...]
    self.chunk = chunk
    memory = .allocate(byteCount: bytes.count + 8, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { memory.deallocate() }

  var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  func fill(keeping tail: Int) -> Int {
    let kept = Array(memory[(count - tail)..<count])
    let fresh = rest.prefix(chunk)
    rest = rest.dropFirst(fresh.count)
    memory.copyBytes(from: kept + fresh)
    count = tail + fresh.count
    for index in count..<min(count + 8, memory.count) { memory[index] = 0 }
    return fresh.count
  }
}
