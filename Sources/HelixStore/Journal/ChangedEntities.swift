import HelixModel
import HelixSQLite

extension Store {
    /// The entities that a change set changed, in its order.
    /// - Throws: ``HelixError``.
    public func changedEntities(_ changeSet: EntityID, limit: Int) throws -> [EntityID] {
        try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT entity FROM change
                    WHERE change_set = (SELECT n FROM change_set WHERE id = ?) ORDER BY ordinal LIMIT ?
                    """, arguments: [changeSet.text, limit]
            ).map(EntityID.init(stored:))
        }
    }
}
