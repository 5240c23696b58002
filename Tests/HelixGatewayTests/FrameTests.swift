import HelixModel
import Testing

@testable import HelixGateway

@Suite struct FrameTests {
    @Test func framesAreReadAsTheyAreWritten() throws {
        let frames: [GatewayFrame] = [
            .request(id: "1", method: "health", params: nil),
            .request(id: "2", method: "chat.send", params: ["message": "caf\u{e9} \u{1F6E0} \"q\" \u{0}"]),
            .response(id: "1", .success(["ok": true, "list": [1, 2, .null]])),
            .response(id: "1", .failure(GatewayError(.unavailable, "later", isRetryable: true, retryAfter: 500))),
            .event("tick", payload: ["ts": 5], sequence: 7), .event("connect.challenge", payload: [:], sequence: nil),
        ]
        for frame in frames {
            let again = try GatewayFrame(frame.bytes)
            #expect(again.bytes == frame.bytes)
        }
    }

    @Test(arguments: [
        "", "null", "[]", "{}", #"{"type":"res"}"#, #"{"type":"req","id":"1"}"#, #"{"type":"event"}"#,
        #"{"type":"hello"}"#, #"{"type":"res","id":1,"ok":true}"#, "\u{FEFF}",
    ])
    func aFrameThatIsNoneIsAProtocolError(_ text: String) {
        #expect(throws: HelixError.self) { try GatewayFrame(Array(text.utf8)) }
    }

    @Test func errorsOfOtherGatewaysAreReadWhereverTheyAre() throws {
        for json in [
            #"{"type":"res","id":"1","ok":false,"error":{"code":"INVALID_REQUEST","message":"no"}}"#,
            #"{"type":"res","id":"1","ok":false,"payload":{"error":{"code":"INVALID_REQUEST","message":"no"}}}"#,
            #"{"type":"res","id":"1","payload":{"code":"INVALID_REQUEST","summary":"no"}}"#,
        ] {
            guard case .response(_, .failure(let error)) = try GatewayFrame(Array(json.utf8)) else {
                Issue.record("\(json) is no failure")
                continue
            }
            #expect(error.code == "INVALID_REQUEST" && error.message == "no")
        }
        // A delay is neither negative nor longer than a day.
        for (text, expected) in [("-5", 0), ("99999999999999999999", nil), ("1500", 1_500), ("9000000000", 86_400_000)]
        {
            let error = GatewayError(try JSONText(Array(#"{"code":"X","message":"m","retryAfterMs":\#(text)}"#.utf8)))
            #expect(error.retryAfter == expected, "\(text)")
        }
    }

    @Test func aHelloWithoutLimitsHasTheUsualOnes() throws {
        let hello = try GatewayHello(["protocol": 3])
        #expect(hello.largestFrame == 512 << 10 && hello.tick == 30_000 && !hello.isHelix && hello.token == nil)
        for version in ["2", "5", "null", "\"4\""] {
            #expect(throws: HelixError.self, "\(version)") {
                try GatewayHello(JSONText(Array(#"{"protocol":\#(version)}"#.utf8)))
            }
        }
    }
}
