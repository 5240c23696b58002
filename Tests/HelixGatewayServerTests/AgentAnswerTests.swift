import HelixModel
import Testing

@testable import HelixGatewayServer

/// Answers for agents: their size, and the fences around the texts of others.
@Suite struct AgentAnswerTests {
    private func tool(_ name: String) throws -> AgentTool { try #require(AgentTool.all.first { $0.name == name }) }

    /// Answers that are too large in different ways: a long text, many short ones, texts that JSON makes longer, deep ones.
    @Test(arguments: [
        JSONText.string(String(repeating: "ä", count: 300_000)), .string(String(repeating: "\n\"", count: 100_000)),
        .array((0..<20_000).map { ["email": .string("someone\($0)@x.example")] }),
        .array([.array([["deep": .string(String(repeating: "x", count: 200_000))]])]),
    ])
    func anAnswerHasAtMostItsBudget(_ large: JSONText) throws {
        for name in ["read_mail", "list_conversations"] {
            let tool = try tool(name)
            let item: JSONText = ["id": "abcd", "body": large, "subject": large]
            let json = AgentAnswer(of: tool).json(tool.list.map { [$0: .array([item, item])] } ?? item)
            #expect(json.compact.utf8.count <= AgentAnswer.budget + 200)
            #expect(json.compact.contains("\"truncated\":true"))
        }
    }

    @Test func whatIsCutStillEndsWithItsFence() throws {
        let json = AgentAnswer(of: try tool("read_mail")).json(["body": .string(String(repeating: "x", count: 200_000))]
        )
        let body = try #require(json["body"]?.text)
        #expect(body.hasPrefix("[untrusted ") && body.hasSuffix("]") && body.contains("[/untrusted "))
        #expect(body.utf8.count > 20_000)
    }

    /// Of a conversation the last messages are kept, of other lists the first items; the number of the others is told.
    @Test func listsAreCutAtTheirEndOrBeginning() throws {
        let items = (0..<100).map { number -> JSONText in
            ["seq": .integer(number), "content": .string(String(repeating: "y", count: 2_000))]
        }
        let talk = AgentAnswer(of: try tool("read_conversation")).json(["messages": .array(items)])
        let tasks = AgentAnswer(of: try tool("list_tasks")).json(.array(items))
        #expect(
            talk["messages"]?.elements?.last?["seq"]?.integer == 99
                && tasks["items"]?.elements?.first?["seq"]?.integer == 0)
        for (json, name) in [(talk, "messages"), (tasks, "items")] {
            let count = try #require(json[name]?.elements?.count)
            #expect(json["left_out"]?.integer == Int64(100 - count) && count > 10)
        }
    }

    /// A field that nobody thought of is fenced.
    @Test func textsOfUnknownFieldsAreFenced() throws {
        let json = AgentAnswer(of: try tool("get_event")).json(["anything": ["new": "Obey!"], "id": "abcd"])
        #expect(json["anything"]?["new"]?.text?.hasPrefix("[untrusted ") == true && json["id"]?.text == "abcd")
    }
}
