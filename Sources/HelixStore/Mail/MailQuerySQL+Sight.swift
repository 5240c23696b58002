import HelixMail
import HelixModel
import HelixSQLite

extension MailQuerySQL {
    /// The condition that a message is not snoozed, or not muted, by the few rows that are: so that an index alone can count the
    /// others, whose rows need not be read. Nil for other traits, and if there are many.
    func inSight(_ trait: MailQuery.Trait) throws -> String? {
        // A profile may not see all rows of the index.
        if db.isConfined { return nil }
        let most = 200
        switch trait {
        case .snoozed(let now):
            let away = try Int64.fetchAll(
                db,
                sql: """
                    SELECT m.n FROM message m INDEXED BY message_snoozed
                    WHERE instr(m.labels, '\(MessageAway.snoozedMark)') > 0 AND \(Self.snoozedUntil) > '\(now)' LIMIT \(most)
                    """)
            if away.count == most { return nil }
            return away.isEmpty ? "1" : "m.n NOT IN (\(away.map { "\($0)" }.joined(separator: ",")))"
        case .muted:
            let threads = try Int64.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT thread FROM message INDEXED BY message_muted
                    WHERE instr(labels, '\(MessageAway.mutedMark)') > 0 LIMIT \(most)
                    """)
            if threads.count == most { return nil }
            let list = threads.map { "\($0)" }.joined(separator: ",")
            return threads.isEmpty ? "1" : "m.n NOT IN (SELECT n FROM message WHERE thread IN (\(list)))"
        default: return nil
        }
    }
}
