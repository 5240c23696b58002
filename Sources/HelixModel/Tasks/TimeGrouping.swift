/// By what time is summed.
public enum TimeGrouping: String, Sendable, CaseIterable {
    case day
    case project
    case task
    case tag
    case customer
}
