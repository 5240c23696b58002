import HelixModel

extension TextFence {
    /// The value with each text in it fenced.
    func fenced(_ value: JSONValue?) -> JSONValue? {
        switch value {
        case .string(let text)?: .string(fenced(text))
        case .array(let elements)?: .array(elements.compactMap(fenced))
        case .object(let object)?: .object(fenced(object))
        default: value
        }
    }

    private func fenced(_ object: JSONObject) -> JSONObject {
        var fenced = JSONObject()
        for field in object.fields { fenced.set(field.name, self.fenced(field.value)) }
        return fenced
    }
}
