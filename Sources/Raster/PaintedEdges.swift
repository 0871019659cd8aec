/// The edges that were painted into a plane since it was last empty, as far as they are remembered.
///
/// Neighbouring polygons share their borders, and their united outlines would paint each shared one
/// twice, with the same values.
struct PaintedEdges: ~Copyable {
  /// An edge from its lower end to its upper one, whatever its direction; ends are ordered by their
  /// packed coordinates.
  struct Edge: Equatable {
    var lower: UInt64 = 0
    var upper: UInt64 = 0

    /// The number of the shape that it belongs to; 0 for none.
    var shape: UInt64 = 0
  }

  /// 1,024 slots of 24 bytes stay in the fastest cache beside the pixels of an edge; a later edge
  /// takes the slot of an earlier one.
  private static let slotBits = 10

  private let slots = UnsafeMutablePointer<Edge>.allocate(capacity: 1 << slotBits)
  private var shape: UInt64 = 1

  init() {
    slots.initialize(repeating: Edge(), count: 1 << PaintedEdges.slotBits)
  }

  deinit {
    slots.deallocate()
  }

  /// The memory as long as nothing is forgotten.
  var memory: Memory { Memory(slots: slots, shape: shape) }

  /// Forgets all edges, because the plane is empty again.
  mutating func forget() {
    shape += 1
  }

  /// Access to the edges of one shape; the owner must outlive it.
  struct Memory {
    fileprivate let slots: UnsafeMutablePointer<Edge>
    fileprivate let shape: UInt64

    /// Returns whether an edge is known, in either direction, and remembers it.
    @inline(__always)
    func knows(_ edge: StrokeEdge) -> Bool {
      let from = Memory.packed(edge.x, edge.y)
      let to = Memory.packed(edge.x &+ edge.dx, edge.y &+ edge.dy)
      let wanted = Edge(lower: min(from, to), upper: max(from, to), shape: shape)
      let hash = (wanted.lower &* 0x9E37_79B9_7F4A_7C15) ^ wanted.upper
      let slot =
        slots + Int((hash &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - PaintedEdges.slotBits))
      if slot.pointee == wanted { return true }
      slot.pointee = wanted
      return false
    }

    @inline(__always)
    private static func packed(_ x: Int, _ y: Int) -> UInt64 {
      UInt64(UInt32(truncatingIfNeeded: x)) << 32 | UInt64(UInt32(truncatingIfNeeded: y))
    }
  }
}
