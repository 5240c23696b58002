import FoundationEssentials
import HelixModel

extension CompletionClient {
    /// The vectors of texts, by the protocol of OpenAI's `/embeddings`; in the order of the texts.
    /// - Throws: ``HelixError``; of code `protocol` if the answer has not one vector for each text.
    public func embeddings(of texts: [String]) throws -> [[Float]] {
        let body: JSONText = ["model": .string(try modelName()), "input": .strings(texts), "encoding_format": "float"]
        let url = base.appendingPathComponent("embeddings")
        let answer: HTTPClient.Answer
        do {
            answer = try http(url, patience: 120).request(
                "POST", url, headers: ["Content-Type: application/json", "Accept: application/json"],
                body: Array(body.compact.utf8)
            ).answer
        } catch let error as HelixError where error.code == .authentication {
            throw problem(HTTPClient.Answer(status: 401, fields: [:], body: []))
        }
        guard answer.isGood else { throw problem(answer) }
        let wrong = HelixError(.protocol, "\(label) did not return a vector for each text")
        guard let list = (try? JSONText(answer.body))?["data"]?.elements, list.count == texts.count else { throw wrong }
        var vectors = [[Float]](repeating: [], count: texts.count)
        for (place, item) in list.enumerated() {
            let index = item["index"]?.integer.map { Int(clamping: $0) } ?? place
            let values = (item["embedding"]?.elements ?? []).compactMap { $0.double.map { Float($0) } }
            guard vectors.indices.contains(index), !values.isEmpty,
                values.count == item["embedding"]?.elements?.count, vectors[index].isEmpty
            else { throw wrong }
            vectors[index] = values
        }
        return vectors
    }
}
