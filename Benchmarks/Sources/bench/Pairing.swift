/// Side by side: ours, the peer's, ours, the peer's …, so that both see the same machine.
struct Pairing {
  let workshop: Workshop
  let runs: Int

  /// Measures all peers that are there.
  ///
  /// - Returns: a table as Markdown, `nil` without peers. Ratios are taken pair by pair: over 1
  ///   says how many times faster ours is.
  func run() throws -> String? {
    var table = MarkdownTable([
      "Job", "Quadrille", "Peer", "Faster", "Less CPU", "Memory, Quadrille", "Memory, peer",
    ])
    let (peers, skipped) = try Peer.available(in: workshop)
    for line in skipped { workshop.tell("peer left out; set \(line)") }
    for peer in peers {
      do {
        table.rows.append(try row(peer))
      } catch let error as BenchError {
        // A peer that is not well must not cost the results of the others.
        workshop.tell("peer left out; \(peer.name): \(error)")
      }
    }
    return table.rows.isEmpty ? nil : table.text
  }

  private func row(_ peer: Peer) throws -> [String] {
    workshop.tell("\(peer.job): \(peer.name), pairs: \(runs)")
    var pairs: [(ours: Peer.Figure, theirs: Peer.Figure)] = []
    for _ in 0..<runs {
      pairs.append((try peer.measureOurs(in: workshop), try peer.measurePeer(in: workshop)))
    }
    let cpu = pairs.compactMap { pair -> Double? in
      guard let ours = pair.ours.cpu, let theirs = pair.theirs.cpu else { return nil }
      return theirs / ours
    }
    return [
      "\(peer.job): \(peer.name)",
      Wording.seconds(pairs.series(\.ours.wall)),
      Wording.seconds(pairs.series(\.theirs.wall)),
      Wording.ratio(pairs.series { $0.theirs.wall / $0.ours.wall }),
      cpu.isEmpty ? "" : Wording.ratio(Series(values: cpu)),
      Wording.bytes(pairs.series { Double($0.ours.peakBytes) }.largest),
      Wording.bytes(pairs.series { Double($0.theirs.peakBytes) }.largest),
    ]
  }
}
