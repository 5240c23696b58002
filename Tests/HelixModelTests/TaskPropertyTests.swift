import Testing

@testable import HelixModel

/// The fields of tasks that are a line in ``TaskProperty/all``.
@Suite struct TaskPropertyTests {
    private func property(_ kind: TaskProperty.Kind) -> TaskProperty {
        TaskProperty("field", plural: "fields", kind: kind, "A field.") {
            $0.notes
        } set: {
            $0.notes = $1
        }
    }

    private static let values: [(TaskProperty.Kind, String, String?)] = [
        (.text, "any words", "any words"), (.person, "Ana", "Ana"), (.number(0...100), "05", "5"),
        (.number(0...100), "101", nil), (.number(0...100), "-1", nil), (.number(0...100), "many", nil),
        (.number(-3...3), "-2", "-2"), (.day, "2026-12-01", "2026-12-01"), (.day, "2026-13-01", nil),
        (.day, "soon", nil),
    ]

    @Test(arguments: values)
    func aValueThatIsNoneOfItsKindIsNotStored(_ kind: TaskProperty.Kind, _ text: String, _ stored: String?) {
        let property = property(kind)
        #expect(property.normalized(text) == stored)
        var task = TodoTask(title: "a", column: EntityID(stored: ""), rank: "", createdAt: Instant(0))
        property.set(&task, text)
        #expect(property.get(task) == stored)
        property.set(&task, nil)
        #expect(property.get(task) == nil)
    }
}
