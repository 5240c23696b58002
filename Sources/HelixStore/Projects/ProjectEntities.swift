import HelixModel

extension EntityDescriptor {
    /// Projects.
    static let project = EntityDescriptor(
        .project, JournaledTable(.project, "project", ProjectRecord.layout.journaled), isAddressed: true,
        isLinkable: true, isCounted: true, replicaOrder: 3,
        search: .scanning(
            .project, order: 5, word: "project", aspects: [.project], columns: ["name", "customer", "notes"],
            orderedBy: "name"),
        rules: JournalRules(words: ["budget_time": .duration, "created_at": .moment()]))

    /// Materials of projects.
    static let material = EntityDescriptor(
        .material, JournaledTable(.material, "material", MaterialRecord.layout.journaled), isAddressed: true,
        isLinkable: true, replicaOrder: 9,
        search: .scanning(.material, order: 9, word: "material", columns: ["name", "supplier"], orderedBy: "n DESC"),
        rules: JournalRules(
            words: ["project": .title(.project), "receipt": .title(.file), "created_at": .moment()]))

    /// Files of projects.
    static let file = EntityDescriptor(
        .file, JournaledTable(.file, "attachment", ["project", "name", "role", "sha256", "size", "created_at"]),
        isAddressed: true, isLinkable: true, isCounted: true, replicaOrder: 4,
        search: .scanning(.file, order: 8, word: "file", columns: ["name"], orderedBy: "n DESC"),
        rules: JournalRules(words: ["project": .title(.project), "created_at": .moment()]))
}
