import Features
import Raster
import Testing

@testable import Styling

@Suite("A stable hash")
struct StableHashTests {
  private func hash(_ body: (inout StableHash) -> Void) -> StableHash {
    var hash = StableHash()
    body(&hash)
    return hash
  }

  @Test("a stable hash is the same in every process")
  func isStable() {
    let words = hash {
      $0.combine(UInt64(1))
      $0.combine(-1)
      $0.combine(0.5)
      $0.combine("Grüße aus Zürich")
    }
    // Recorded once; the seed of Swift's own hashing differs in every process.
    #expect(words.high == Self.recorded.high)
    #expect(words.low == Self.recorded.low)
  }

  static let recorded: (high: UInt64, low: UInt64) = (
    13_626_585_563_335_758_023, 15_917_392_693_616_107_874
  )

  @Test("a stable hash depends on order, length and sign, but not on the sign of zero")
  func distinguishes() {
    #expect(
      hash {
        $0.combine(1)
        $0.combine(2)
      }
        != hash {
          $0.combine(2)
          $0.combine(1)
        })
    #expect(hash { $0.combine(0) } != hash { _ in })
    #expect(hash { $0.combine(-0.0) } == hash { $0.combine(0.0) })
    #expect(hash { $0.combine(-1.5) } != hash { $0.combine(1.5) })
    // The boundary between two texts counts.
    #expect(
      hash {
        $0.combine("ab")
        $0.combine("c")
      }
        != hash {
          $0.combine("a")
          $0.combine("bc")
        })
    #expect(hash { $0.combine("a") } != hash { $0.combine("a\0") })
  }

  @Test("the hash of a text is that of its bytes, of any number", arguments: 0...17)
  func bytes(count: Int) {
    let text = String("Grüße aus Zürich".unicodeScalars.prefix(count))
    let bytes = Array(text.utf8)
    let hashed = hash { hash in bytes.withUnsafeBytes { hash.combine($0) } }
    #expect(hashed == hash { $0.combine(text) })
    // The bytes of the last word count, and their place.
    let other = Array(bytes.dropLast() + [0])
    if bytes.last != nil {
      #expect(hash { hash in other.withUnsafeBytes { hash.combine($0) } } != hashed)
    }
  }

  @Test("a stable hash distinguishes a hundred thousand neighbours")
  func spreads() {
    var highs = Set<UInt64>()
    var lows = Set<UInt64>()
    for word in 0..<100_000 {
      let hash = hash { $0.combine(word) }
      highs.insert(hash.high)
      lows.insert(hash.low)
    }
    #expect(highs.count == 100_000)
    #expect(lows.count == 100_000)
  }

  @Test("a stable hash covers everything that a look's pixels depend on")
  func looks() {
    let circle = CircleLook(radius: 5, color: .black, strokeWidth: 1, strokeColor: .white)
    let text = TextLook(text: "12", style: TextStyle(fontStack: ["A"], size: 12), color: .black)
    var looks: [Look] = [.circle(circle), .text(text)]
    func vary(_ change: (inout CircleLook) -> Void) {
      var other = circle
      change(&other)
      looks.append(.circle(other))
    }
    func vary(_ change: (inout TextLook) -> Void) {
      var other = text
      change(&other)
      looks.append(.text(other))
    }
    vary { (look: inout CircleLook) in look.radius = 6 }
    vary { (look: inout CircleLook) in look.blur = 1 }
    vary { (look: inout CircleLook) in look.color = .white }
    vary { (look: inout CircleLook) in look.strokeWidth = 2 }
    vary { (look: inout CircleLook) in look.strokeColor = .black }
    vary { (look: inout CircleLook) in look.translateX = 1 }
    vary { (look: inout CircleLook) in look.translateY = 1 }
    vary { (look: inout TextLook) in look.text = "13" }
    vary { (look: inout TextLook) in look.style.size = 13 }
    vary { (look: inout TextLook) in look.style.fontStack = ["B"] }
    vary { (look: inout TextLook) in look.style.letterSpacing = 1 }
    vary { (look: inout TextLook) in look.style.lineHeight = 2 }
    vary { (look: inout TextLook) in look.style.maxWidth = 3 }
    vary { (look: inout TextLook) in look.style.justify = .left }
    vary { (look: inout TextLook) in look.style.anchor = .topLeft }
    vary { (look: inout TextLook) in look.style.offsetX = 1 }
    vary { (look: inout TextLook) in look.style.offsetY = 1 }
    vary { (look: inout TextLook) in look.style.rotate = 90 }
    vary { (look: inout TextLook) in look.style.writingMode = .vertical }
    vary { (look: inout TextLook) in look.style.writingMode = .stacked }
    vary { (look: inout TextLook) in look.color = .white }
    vary { (look: inout TextLook) in look.haloColor = .white }
    vary { (look: inout TextLook) in look.haloWidth = 1 }
    vary { (look: inout TextLook) in look.haloBlur = 1 }
    vary { (look: inout TextLook) in look.translateX = 1 }
    vary { (look: inout TextLook) in look.translateY = 1 }
    vary { (look: inout TextLook) in look.sections.append(TextSection("")) }
    vary { (look: inout TextLook) in look.sections[0].scale = 2 }
    vary { (look: inout TextLook) in look.sections[0].fontStack = ["B"] }
    vary { (look: inout TextLook) in look.sections[0].color = .white }
    vary { (look: inout TextLook) in look.sections[0].verticalAlign = .top }
    vary { (look: inout TextLook) in look.poses = [GlyphPose(x: 0, y: 0)] }
    vary { (look: inout TextLook) in look.poses = [GlyphPose(x: 1, y: 0)] }
    vary { (look: inout TextLook) in look.poses = [GlyphPose(x: 0, y: 0, cosine: 0, sine: 1)] }
    #expect(Set(looks.map(\.contentHash)).count == looks.count)
    #expect(Set(looks).count == looks.count)
  }
}
