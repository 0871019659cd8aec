/// A chooser of one of the samples under a pixel of a tile: the greatest, the smallest or the most
/// frequent.
struct SampleChooser {
  private let kernel: ResamplingKernel
  private var votes = VoteBox()
  private var chosen: UInt32?

  /// The votes for blank, from any blank sample or from outside the border.
  private var blankVotes = 0.0
  private var blankCameFirst = false

  init(kernel: ResamplingKernel) {
    self.kernel = kernel
  }

  mutating func begin() {
    chosen = nil
    blankVotes = 0
    blankCameFirst = false
    if kernel == .mode { votes.begin() }
  }

  /// - Parameter vote: the area of the sample under the pixel.
  @inline(__always)
  mutating func add(_ sample: UInt32, vote: Double, _ reader: some TexelReader) {
    if reader.isBlank(sample) {
      if chosen == nil { blankCameFirst = true }
      blankVotes += vote
      return
    }
    if kernel == .mode {
      chosen = sample
      votes.add(sample, vote)
      return
    }
    guard let before = chosen else {
      chosen = sample
      return
    }
    if before != sample {
      chosen = kernel == .max ? reader.greater(before, sample) : reader.lesser(before, sample)
    }
  }

  /// Returns the colour of the chosen sample.
  ///
  /// - Parameter outside: the area of the pixel that lies outside of the image.
  func color(_ reader: some TexelReader, outside: Double) -> UInt32 {
    guard kernel == .mode else { return chosen.map { reader.color(of: $0) } ?? 0 }
    guard let (winner, share) = votes.winner else { return 0 }
    let blank = blankVotes + outside
    if blank > share || (blank == share && blankCameFirst) { return 0 }
    return reader.color(of: winner)
  }
}
