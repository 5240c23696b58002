import HelixModel

extension TextFence {
    /// The value with each text in it fenced.
    func fenced(_ value: JSONValue?) -> JSONValue? {
        switch value {
        case .string(let text)?: .string(fenced(text))
        case .array(let elements)?: .array(elements.compactMap(fenced))
        default: value
        }
    }
}
