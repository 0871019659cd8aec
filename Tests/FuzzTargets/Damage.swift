/// Damage to a good file: the fuzzer's bytes say where and what, since bytes of its own would never
/// pass the first checks of a format with checksums or pages.
enum Damage {
  /// Applies damages until the input ends.
  ///
  /// Each is two bytes of place, one of kind and length, then its bytes. The low three bits of the
  /// kind choose: 0 to 4 replace bytes, 5 flips one bit, 6 cuts the file off, 7 repeats a page
  /// elsewhere. Places beyond the end wrap around.
  static func apply(_ input: inout FuzzInput, to file: [UInt8], pageSize: Int) -> [UInt8] {
    var bytes = file
    while !input.isEmpty, !bytes.isEmpty {
      let place = input.word() % bytes.count
      let kind = input.byte()
      let count = 1 + Int(kind >> 3)
      switch kind & 7 {
      case 5: bytes[place] ^= 1 << (kind >> 5)
      case 6: bytes.removeSubrange(place...)
      case 7:
        let page = place / pageSize * pageSize
        let other = input.word() % bytes.count / pageSize * pageSize
        let length = min(pageSize, bytes.count - page, bytes.count - other)
        bytes.replaceSubrange(other..<other + length, with: Array(bytes[page..<page + length]))
      default:
        let replacement = input.take(min(count, bytes.count - place))
        bytes.replaceSubrange(place..<place + replacement.count, with: replacement)
      }
    }
    return bytes
  }
}
