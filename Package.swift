// swift-tools-version: 6.1
import PackageDescription

// The commit that `helix --version` names; the Makefile sets it.
let commit = Context.environment["HELIX_COMMIT"].flatMap { $0.allSatisfy(\.isHexDigit) && !$0.isEmpty ? $0 : nil }

// Optimized for the tests, too: they read some 100,000 phrases, and 100,000 damaged inputs of each format.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

// For size where nothing loops for long: a smaller program starts sooner.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

// The headers of libraries that are opened at run time, in Debian's places.
let xmlHeaders: [CSetting] = [.unsafeFlags(["-I/usr/include/libxml2"])]
let glibHeaders: [CSetting] = [
    .unsafeFlags(
        [
            "/usr/include/gmime-3.0", "/usr/include/gdk-pixbuf-2.0", "/usr/include/glib-2.0",
            "/usr/lib/x86_64-linux-gnu/glib-2.0/include", "/usr/lib/aarch64-linux-gnu/glib-2.0/include",
        ].map { "-I" + $0 })
]

// The headers of cairo and Pango, in Debian's places.
let cairoHeaders: [CSetting] = [
    .unsafeFlags(
        [
            "/usr/include/cairo", "/usr/include/pango-1.0", "/usr/include/harfbuzz", "/usr/include/glib-2.0",
            "/usr/lib/x86_64-linux-gnu/glib-2.0/include", "/usr/lib/aarch64-linux-gnu/glib-2.0/include",
        ].map { "-I" + $0 })
]

// Each target may import only what stands above it; docs/architecture.md says why.
let package = Package(
    name: "helix",
    products: [
        .executable(name: "helix", targets: ["helix"]),
        .executable(name: "helix-gateway", targets: ["helix-gateway"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
    ],
    targets: [
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "HelixSQLite", dependencies: ["CSQLite"]),
        .target(name: "CPostgres"),
        .target(name: "HelixPostgres", dependencies: ["CPostgres", "HelixSQLite"], swiftSettings: small),
        .target(name: "CUnistring"),
        .target(name: "HelixSystem", dependencies: ["CUnistring"]),
        .target(name: "HelixModel", swiftSettings: optimized),
        .target(name: "CLibical"),
        .target(name: "HelixCalendar", dependencies: ["HelixModel", "CLibical"], swiftSettings: optimized),
        .target(name: "HelixTasks", dependencies: ["HelixModel", "HelixCalendar"], swiftSettings: optimized),
        .target(name: "HelixContacts", dependencies: ["HelixModel", "HelixCalendar"], swiftSettings: small),
        .target(name: "HelixInvoices", dependencies: ["HelixModel"], swiftSettings: small),
        .target(name: "CGMime", cSettings: glibHeaders),
        .target(name: "CLibXML", cSettings: xmlHeaders),
        .target(name: "CCmark"),
        .target(name: "CIdn2"),
        .target(name: "CZlib"),
        .target(
            name: "HelixMail",
            dependencies: ["HelixModel", "HelixSystem", "CGMime", "CLibXML", "CCmark", "CIdn2", "CZlib"],
            swiftSettings: optimized),
        .target(name: "CGPGME"),
        .target(name: "HelixGnuPG", dependencies: ["HelixModel", "HelixMail", "CGPGME"], swiftSettings: optimized),
        .target(
            name: "HelixStore",
            dependencies: [
                "HelixModel", "HelixSystem", "HelixCrypto", "HelixCalendar", "HelixMail", "HelixTasks", "HelixContacts",
                "HelixInvoices", "HelixSQLite", "CFiles", "CPixbuf", "CVectors",
            ]),
        .target(name: "CFiles"),
        .target(name: "CPixbuf", cSettings: glibHeaders),
        .target(name: "CVectors"),
        .target(name: "CCrypto", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CSodium"),
        .target(name: "HelixCrypto", dependencies: ["CCrypto", "CSodium"]),
        .target(name: "CSignatures", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "HelixSignatures", dependencies: ["CSignatures", "HelixCrypto"]),
        .target(name: "CCurl"),
        .target(name: "CResolver"),
        .target(name: "CLoopback"),
        .target(
            name: "HelixNetwork",
            dependencies: [
                "HelixModel", "HelixSystem", "HelixCrypto", "CCurl", "CLibXML", "CLoopback", "CResolver", "CZlib",
            ],
            swiftSettings: optimized),
        .target(
            name: "HelixGateway",
            dependencies: ["HelixModel", "HelixSystem", "HelixCrypto", "HelixNetwork"], swiftSettings: small),
        .target(name: "HelixMCP", dependencies: ["HelixModel"], swiftSettings: small),
        .target(name: "CPAM"),
        .target(
            name: "HelixSecurity", dependencies: ["HelixModel", "HelixSystem", "HelixCrypto", "CPAM"],
            swiftSettings: small),
        .target(
            name: "HelixSync",
            dependencies: [
                "HelixModel", "HelixSystem", "HelixCrypto", "HelixCalendar", "HelixMail", "HelixTasks", "HelixContacts",
                "HelixStore", "HelixNetwork", "HelixGateway", "HelixPostgres", "HelixSecurity",
            ], swiftSettings: small),
        .target(
            name: "HelixGatewayStore",
            dependencies: [
                "HelixModel", "HelixSystem", "HelixCrypto", "HelixSQLite", "HelixPostgres",
            ]),
        .target(
            name: "HelixGatewayLogs",
            dependencies: [
                "HelixModel", "HelixSystem", "HelixCrypto", "HelixSQLite", "HelixPostgres", "HelixStore",
                "HelixGatewayStore",
            ]),
        .target(
            name: "HelixGatewayServer",
            dependencies: [
                "HelixGatewayLogs", "HelixModel", "HelixSystem", "HelixCrypto", "HelixSignatures", "HelixCalendar",
                "HelixMail", "HelixTasks", "HelixStore",
                "HelixNetwork", "HelixGateway", "HelixGatewayStore", "HelixMCP", "HelixPostgres", "HelixSync",
                "CMemory",
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .target(name: "CMemory"),
        .executableTarget(
            name: "helix-gateway",
            dependencies: [
                "HelixGatewayServer", "HelixGatewayStore", "HelixPostgres", "HelixSync", "HelixSystem",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .target(name: "CTerminal"),
        .target(name: "CLibraries", cSettings: commit.map { [.define("HELIX_COMMIT", to: "\"\($0)\"")] } ?? []),
        .target(name: "HelixTerminal", dependencies: ["CTerminal", "HelixSystem"]),
        .target(name: "CCairo", cSettings: cairoHeaders),
        .target(name: "HelixGraphics", dependencies: ["HelixModel", "HelixTerminal", "CCairo"], swiftSettings: small),
        .target(
            name: "HelixCommands",
            dependencies: [
                "HelixModel", "HelixSystem", "HelixCrypto", "HelixCalendar", "HelixMail", "HelixGnuPG", "HelixTasks",
                "HelixContacts",
                "HelixStore", "HelixNetwork", "HelixGateway", "HelixGatewayStore", "HelixGatewayLogs", "HelixMCP",
                "HelixPostgres", "HelixSecurity", "HelixSync", "HelixTerminal", "HelixGraphics", "HelixInvoices",
                "HelixSQLite",
                "CLibraries", "CMemory",
                "TOMLKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // Members of Foundation, which TOMLKit imports, are not found through it: they would link all of Foundation.
            swiftSettings: small + [.enableUpcomingFeature("MemberImportVisibility")]),
        .executableTarget(name: "helix", dependencies: ["HelixCommands"]),
        .target(name: "TestSupport", dependencies: ["HelixModel"], path: "Tests/TestSupport"),
        .testTarget(name: "HelixModelTests", dependencies: ["HelixModel", "TestSupport"]),
        .testTarget(
            name: "HelixMailTests",
            dependencies: ["HelixMail", "HelixCrypto", "TestSupport"]),
        .testTarget(name: "HelixSecurityTests", dependencies: ["HelixSecurity", "TestSupport"]),
        .testTarget(name: "HelixGnuPGTests", dependencies: ["HelixGnuPG", "HelixMail", "TestSupport"]),
        .testTarget(name: "HelixTasksTests", dependencies: ["HelixTasks", "TestSupport"]),
        .testTarget(name: "HelixInvoicesTests", dependencies: ["HelixInvoices", "HelixModel", "TestSupport"]),
        .testTarget(name: "HelixContactsTests", dependencies: ["HelixContacts", "TestSupport"]),
        .testTarget(name: "HelixNetworkTests", dependencies: ["HelixNetwork", "TestSupport"]),
        .testTarget(name: "HelixSyncTests", dependencies: ["HelixSync", "TestSupport"]),
        .testTarget(name: "HelixTerminalTests", dependencies: ["HelixTerminal", "TestSupport"]),
        .testTarget(name: "HelixGraphicsTests", dependencies: ["HelixGraphics", "HelixTerminal", "TestSupport"]),
        .testTarget(
            name: "HelixCommandsTests",
            dependencies: [
                "HelixCommands", "HelixGatewayServer", "HelixGatewayStore", "HelixModel", "HelixSQLite", "HelixStore",
                "HelixTerminal", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ], exclude: ["Screens", "Reports"]),
        .testTarget(name: "HelixCryptoTests", dependencies: ["HelixCrypto", "HelixModel", "HelixSignatures"]),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "HelixCalendar", "HelixContacts", "HelixMail", "HelixModel", "HelixNetwork", "HelixTasks",
                "TestSupport",
            ],
            path: "Tests/Fuzz"),
        .testTarget(name: "HelixMCPTests", dependencies: ["HelixMCP", "HelixModel"]),
        .testTarget(name: "HelixGatewayTests", dependencies: ["HelixGateway", "HelixModel", "TestSupport"]),
        .testTarget(
            name: "HelixGatewayStoreTests",
            dependencies: [
                "HelixCrypto", "HelixGatewayLogs", "HelixGatewayStore", "HelixModel", "HelixPostgres", "HelixStore",
                "TestSupport",
            ]),
        .testTarget(
            name: "HelixGatewayServerTests",
            dependencies: [
                "HelixGateway", "HelixGatewayServer", "HelixGatewayStore", "HelixModel", "HelixSignatures",
                "HelixStore", "TestSupport",
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        .testTarget(name: "HelixSystemTests", dependencies: ["HelixSystem", "TestSupport"]),
        .testTarget(name: "HelixSQLiteTests", dependencies: ["HelixSQLite"]),
        .testTarget(name: "HelixPostgresTests", dependencies: ["HelixPostgres", "HelixSQLite", "TestSupport"]),
        .testTarget(name: "HelixStoreTests", dependencies: ["HelixSQLite", "HelixStore", "HelixTasks", "TestSupport"]),
        .testTarget(
            name: "EndToEndTests", dependencies: ["helix", "helix-gateway", "TestSupport"]),
        .testTarget(name: "HelixCalendarTests", dependencies: ["HelixCalendar", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
