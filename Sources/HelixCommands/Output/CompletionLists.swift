import Foundation
import HelixModel
import HelixStore

/// What the shell completes live. A list that cannot be made is empty: completion never fails aloud.
enum CompletionLists {
    @Sendable static func zones(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ZoneDatabase.names().filter { $0.lowercased().hasPrefix(prefix.lowercased()) }
    }

    @Sendable static func calendars(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        names(of: try? open()?.calendars()).filter { $0.lowercased().hasPrefix(prefix.lowercased()) }
    }

    @Sendable static func eventIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let store = try? open() else { return [] }
        if !prefix.isEmpty {
            let found = (try? store.candidates(EntityPrefix(prefix), kinds: [.event], limit: 50)) ?? []
            let short = (try? store.shortIDs(found.map(\.id))) ?? [:]
            return found.compactMap { short[$0.id] }
        }
        // Nothing typed yet: what is around now is what people mean.
        let zone = ZoneDatabase.local(ProcessInfo.processInfo.environment["TZ"])
        let range = TimeRange(start: store.now - 86_400, end: store.now + 14 * 86_400)
        let near = (try? store.occurrences(in: range, zone: zone)) ?? []
        let ids = Array(Set(near.map(\.event))).prefix(100)
        let short = (try? store.shortIDs(ids)) ?? [:]
        return short.values.sorted()
    }

    @Sendable static func changeSets(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let all = (try? open()?.history(limit: 50)) ?? []
        return all.map { String($0.id.text.prefix(6)) }.filter { $0.hasPrefix(prefix) }
    }

    @Sendable static func settings(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ConfigurationKey.allCases.map(\.rawValue).filter { $0.hasPrefix(prefix) }
    }

    private static func names(of calendars: [CalendarRecord]?) -> [String] { calendars?.map(\.name) ?? [] }

    /// The store, if there is one: completion makes none.
    private static func open() throws -> Store? {
        let context = try CommandContext(output: OutputOptions.parse([]))
        guard FileManager.default.fileExists(atPath: context.paths.store) else { return nil }
        return try context.store()
    }
}
