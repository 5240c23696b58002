import HelixModel

extension TextFence {
    /// The value with each text in it fenced, or only those that meet a condition.
    func fenced(_ value: JSONValue?, if isMeant: (String) -> Bool = { _ in true }) -> JSONValue? {
        switch value {
        case .string(let text)?: .string(isMeant(text) ? fenced(text) : text)
        case .array(let elements)?: .array(elements.compactMap { fenced($0, if: isMeant) })
        case .object(let object)?: .object(fenced(object, if: isMeant))
        default: value
        }
    }

    private func fenced(_ object: JSONObject, if isMeant: (String) -> Bool) -> JSONObject {
        var fenced = JSONObject()
        for field in object.fields { fenced.set(field.name, self.fenced(field.value, if: isMeant)) }
        return fenced
    }
}
