import HelixTerminal
import Testing

/// Progress tells the amount, the rate and the end.
@Suite struct ProgressMeterTests {
    @Test func amountsAndRatesAreTold() {
        let meter = ProgressMeter(.items("messages"), start: 100)
        #expect(meter.text(10, of: 8000, now: 100.5) == "10 of 8000 messages, 0 %")
        #expect(meter.text(2000, of: 8000, now: 102) == "2000 of 8000 messages, 25 %, 1000/s, 6 s left")
        #expect(meter.text(8000, of: 8000, now: 104) == "8000 of 8000 messages, 100 %, 2000/s, 0 s left")
        #expect(meter.text(500, of: nil, now: 105) == "500 messages, 100/s")
        #expect(meter.text(500, of: nil, share: 0.5, now: 700) == "500 messages, 50 %, 1/s, 10 min left")
    }

    @Test func bytesAreMegabytes() {
        let meter = ProgressMeter(.bytes, start: 0)
        #expect(meter.text(12_300_000, of: 400_000_000, now: 2) == "12.3 of 400 MB, 3 %, 6.2 MB/s, 2 min left")
        #expect(meter.text(0, of: 400_000_000, now: 2) == "0.0 of 400 MB, 0 %, 0.0 MB/s")
        #expect(meter.text(4_000_000, of: 900_000_000, now: 60) == "4.0 of 900 MB, 0 %, 0.1 MB/s, 3 h 44 min left")
    }
}
