import ArgumentParser

/// `helix time`
struct Time: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time", abstract: "Track time.",
        subcommands: [
            TimeStart.self, TimeStop.self, TimeStatus.self, TimeSwitch.self, TimeResume.self, TimeCancel.self,
            TimeBreak.self, TimeAdd.self, TimeEdit.self, TimeSplit.self, TimeJoin.self, TimeMove.self,
            TimeDelete.self, TimeLog.self, TimeGaps.self, TimeReport.self, TimeChart.self, TimePropose.self,
            TimeImport.self, TimeExport.self,
        ])
}
