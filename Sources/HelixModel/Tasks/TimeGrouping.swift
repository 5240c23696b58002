/// The key by which tracked time is grouped and summed.
public enum TimeGrouping: String, Sendable, CaseIterable {
    case day
    case project
    case task
    case tag
    case customer
}
