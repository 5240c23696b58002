import HelixModel
import Testing

@Suite("The elements of a JSON list")
struct JSONTextTests {
    @Test(
        "come with the text that they are written as",
        arguments: [
            #"{"a":1,"b":[true,null,"x y"]}"#, #"{ "a" : 1.50e3 , "b" : [ ] }"#, "{\n\t\"a b\": \"c  d\"\r\n}",
            #"{"quoted": "a \" { b", "c": "d"}"#, #"{"é": "ü 日本"}"#, "{\"delete\": \"\u{7F}\"}",
            #"{"slash":"a\/b","pair":"\ud83d\ude00"}"#, #" "a  b" "#, "12 ", "[ 1, [ 2 ] ]",
        ])
    func compact(_ text: String) throws {
        let whole = try JSONText(Array(text.utf8))
        for (list, count) in [("[\(text)]", 1), ("[ \(text), {\"x\" : 1},\(text)]", 3)] {
            var found: [(JSONText, String)] = []
            try JSONText.forEachElement(of: Array(list.utf8)) { found.append(($0, $1)) }
            #expect(found.count == count)
            #expect(found.first?.0 == whole)
            #expect(found.allSatisfy { $0.1 == $0.0.compact })
        }
    }
}
