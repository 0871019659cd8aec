import Foundation
import Synchronization
import Testing

@testable import Preview

@Suite("The work that clients of the preview wait for")
struct ClientQueueTests {
  /// Numbers in the order in which threads note them.
  private final class Notes: Sendable {
    private let numbers = Mutex<[Int]>([])
    func append(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0 } }
    func wait(for count: Int) {
      while all.count < count { usleep(1000) }
    }
  }

  /// Asks for work on a thread of its own, and notes its number, or −1 for work that is refused.
  private func ask(
    _ queue: ClientQueue, _ number: Int, for client: PreviewClient, _ done: Notes, _ answered: Notes
  ) {
    Thread.detachNewThread {
      let value = try? queue.done(for: client) {
        done.append(number)
        return number
      }
      answered.append(value ?? -1)
    }
  }

  private func wait(until isTrue: () -> Bool) {
    while !isTrue() { usleep(1000) }
  }

  @Test("work is done in the order in which it was asked for, and none for clients that are gone")
  func order() {
    let (queue, done, answered) = (ClientQueue(), Notes(), Notes())
    for number in 0..<6 {
      let isThere = number != 2 && number != 4
      ask(
        queue, number, for: PreviewClient(name: "\(number)", isThere: { isThere }), done, answered)
      wait { queue.waiting == number + 1 }
    }
    for _ in 0..<6 { queue.serveNext() }
    answered.wait(for: 6)
    #expect(done.all == [0, 1, 3, 5])
    #expect(answered.all.sorted() == [-1, -1, 0, 1, 3, 5])
  }

  @Test("a client with too much work is refused, others and its other requests are not")
  func limit() throws {
    let (queue, done, answered) = (ClientQueue(), Notes(), Notes())
    let client = PreviewClient(name: "many")
    for number in 0..<ClientQueue.limit { ask(queue, number, for: client, done, answered) }
    wait { queue.waiting == ClientQueue.limit }
    #expect(throws: BusyPreview.self) { try queue.done(for: client) { 1 } }
    ask(queue, 100, for: PreviewClient(name: "few"), done, answered)
    wait { queue.waiting == ClientQueue.limit + 1 }
    for _ in 0...ClientQueue.limit { queue.serveNext() }
    answered.wait(for: ClientQueue.limit + 1)
    #expect(done.all.contains(100))
    // The place is free again.
    ask(queue, 101, for: client, done, answered)
    queue.serveNext()
    answered.wait(for: ClientQueue.limit + 2)
    #expect(done.all.last == 101)
  }

  @Test("work of a client that went away makes room for its new work")
  func gone() {
    let (queue, done, answered) = (ClientQueue(), Notes(), Notes())
    for number in 0..<ClientQueue.limit {
      ask(queue, number, for: PreviewClient(name: "a", isThere: { false }), done, answered)
    }
    wait { queue.waiting == ClientQueue.limit }
    ask(queue, 100, for: PreviewClient(name: "a"), done, answered)
    answered.wait(for: ClientQueue.limit)
    for _ in 0...ClientQueue.limit { queue.serveNext() }
    answered.wait(for: ClientQueue.limit + 1)
    #expect(done.all == [100])
  }

  @Test("a client that may not wait is refused at once")
  func hurried() {
    #expect(throws: BusyPreview.self) {
      try ClientQueue().done(for: PreviewClient(mayWait: false)) { 1 }
    }
  }
}
