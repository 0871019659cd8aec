import Files

/// Pixels as numbers of one band, NaN where there is none: channel 0 sums the numbers, channel 1 their
/// weights.
struct NumberTexels: TexelReader {
  let values: UnsafeBufferPointer<Float>
  let ramp: ColorRamp

  /// The file in which they lie.
  let file: MappedScratch

  @inline(__always) func light(_ index: Int) -> SIMD4<Float> {
    let value = values[index]
    return value.isNaN ? .zero : SIMD4(value, 1, 0, 0)
  }
  @inline(__always) func color(ofSum sum: SIMD4<Float>, hasLobes: Bool) -> UInt32 {
    guard sum.y > 1 / 1024 else { return 0 }
    return Channels.packedBounded(ramp.color(of: sum.x / sum.y) * min(sum.y, 1))
  }
  @inline(__always) func sample(_ index: Int) -> UInt32 { values[index].bitPattern }
  @inline(__always) func isBlank(_ sample: UInt32) -> Bool { Float(bitPattern: sample).isNaN }
  func color(of sample: UInt32) -> UInt32 {
    isBlank(sample) ? 0 : Channels.packedBounded(ramp.color(of: Float(bitPattern: sample)))
  }
  func greater(_ first: UInt32, _ second: UInt32) -> UInt32 {
    Float(bitPattern: first) < Float(bitPattern: second) ? second : first
  }
  func lesser(_ first: UInt32, _ second: UInt32) -> UInt32 {
    Float(bitPattern: second) < Float(bitPattern: first) ? second : first
  }
  func didRead(_ count: Int) { file.didRead(count * 4) }
}
