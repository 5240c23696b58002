import HelixModel
import HelixStore

/// The rows of a list of messages: each message, or conversations that can be unfolded.
struct MailRows: Sendable {
    /// A row.
    struct Row: Hashable, Sendable {
        /// The place of its message in ``MailRows/places``.
        var place: Int
        /// The number of messages that it stands for.
        var count = 1
        /// Whether one of them is unread.
        var isUnread = false
        /// Whether it lies below the row of its conversation.
        var isChild = false
    }

    /// All messages, the newest first.
    private(set) var places: [MessagePlace] = []
    /// Whether the list is whole; else it is its beginning.
    private(set) var isWhole = false
    private(set) var rows: [Row] = []
    /// Whether conversations are folded.
    var isFolded = false { didSet { arrange() } }
    /// The conversations that are unfolded.
    private var unfolded: Set<Int64> = []
    private var byThread: [Int64: [Int]] = [:]

    /// Takes the messages.
    mutating func set(_ places: [MessagePlace], isWhole: Bool) {
        (self.places, self.isWhole) = (places, isWhole)
        arrange()
    }

    /// Unfolds a conversation, or folds it.
    mutating func toggle(_ row: Int) {
        guard rows.indices.contains(row) else { return }
        let thread = places[rows[row].place].thread
        if unfolded.remove(thread) == nil { unfolded.insert(thread) }
        arrange()
    }

    private mutating func arrange() {
        byThread = [:]
        guard isFolded else {
            rows = places.indices.map { Row(place: $0, isUnread: places[$0].isUnread) }
            return
        }
        for (index, place) in places.enumerated() { byThread[place.thread, default: []].append(index) }
        rows = []
        for (index, place) in places.enumerated() {
            guard let all = byThread[place.thread], all.first == index else { continue }
            rows.append(Row(place: index, count: all.count, isUnread: all.contains { places[$0].isUnread }))
            guard unfolded.contains(place.thread) else { continue }
            for child in all.dropFirst() {
                rows.append(Row(place: child, isUnread: places[child].isUnread, isChild: true))
            }
        }
    }

    /// The message of a row.
    func place(_ row: Int) -> MessagePlace? { rows.indices.contains(row) ? places[rows[row].place] : nil }

    /// The messages that a row stands for: those of a folded conversation, or one.
    func ids(of row: Int) -> [EntityID] {
        guard let place = place(row) else { return [] }
        let isFoldedRow = rows[row].count > 1 && !unfolded.contains(place.thread)
        return isFoldedRow ? (byThread[place.thread] ?? []).map { places[$0].id } : [place.id]
    }

    /// The row of a message; that of its conversation if it is folded.
    func row(of id: EntityID) -> Int? {
        if let own = rows.firstIndex(where: { places[$0.place].id == id }) { return own }
        guard let place = places.first(where: { $0.id == id }) else { return nil }
        return rows.firstIndex { places[$0.place].thread == place.thread }
    }
}
