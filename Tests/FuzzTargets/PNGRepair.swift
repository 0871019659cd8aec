import CDeflate

/// Makes the checksums of a broken PNG right.
enum PNGRepair {
  private struct Chunk {
    var type: [UInt8]
    var data: [UInt8]
  }

  /// The file with right checksums of its chunks, as far as there are whole chunks.
  static func checked(_ file: [UInt8]) -> [UInt8] {
    let (head, chunks) = split(file)
    return head + chunks.flatMap(written)
  }

  /// The file with what its IDAT chunks hold packed as one zlib stream, in the first one's place.
  static func packed(_ file: [UInt8]) -> [UInt8] {
    let (head, chunks) = split(file)
    let pixels = chunks.filter { $0.type == Array("IDAT".utf8) }.flatMap(\.data)
    var isPacked = false
    var output = head
    for chunk in chunks {
      if chunk.type != Array("IDAT".utf8) {
        output += written(chunk)
      } else if !isPacked {
        isPacked = true
        output += written(Chunk(type: chunk.type, data: zlib(pixels)))
      }
    }
    return output
  }

  private static func split(_ file: [UInt8]) -> (head: [UInt8], chunks: [Chunk]) {
    var chunks: [Chunk] = []
    var place = 8
    while place + 8 <= file.count {
      let stated = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let count = min(stated, max(0, file.count - place - 12))
      let data = place + 8
      chunks.append(
        Chunk(type: Array(file[place + 4..<data]), data: Array(file[data..<data + count])))
      place = data + count + 4
    }
    return (Array(file.prefix(8)), chunks)
  }

  private static func written(_ chunk: Chunk) -> [UInt8] {
    let checked = chunk.type + chunk.data
    return word(UInt32(chunk.data.count)) + checked
      + word(libdeflate_crc32(0, checked, checked.count))
  }

  private static func word(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// A zlib stream of stored blocks.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = [0x78, 1]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
      output += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
    } while !rest.isEmpty
    return output + word(libdeflate_adler32(1, bytes, bytes.count))
  }
}
