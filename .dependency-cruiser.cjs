// Who may import whom. A rule is a sentence; a broken one says which.
const outside = (folder) => `^(libs|services|gateway|console|deploy|examples|bench)/(?!${folder})`;

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that need each other are one file, or need a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment: 'Every import exists.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'undeclared-dependency',
      severity: 'error',
      comment: 'A workspace declares what it imports.',
      from: {},
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        pathNot: '@jest/globals|fast-check|openapi-schema-validator',
      },
    },
    {
      name: 'errors-import-nothing-of-ours',
      severity: 'error',
      comment: 'errors is at the bottom.',
      from: { path: '^libs/errors/' },
      to: { path: outside('errors') },
    },
    {
      name: 'contracts-import-only-errors-and-json',
      severity: 'error',
      comment: 'contracts says what parts say to each other, and does no I/O.',
      from: { path: '^libs/contracts/src', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(libs/(?!errors|contracts|json)|services|gateway|deploy|examples|bench)|^node:' },
    },
    {
      name: 'libs-know-no-service',
      severity: 'error',
      comment: 'A lib serves services; it never knows one.',
      from: { path: '^libs/' },
      to: { path: '^(services|gateway|console|examples|bench)/' },
    },
    {
      name: 'only-testing-knows-the-sandbox',
      severity: 'error',
      comment: 'Production code cannot tell a stand-in from the real thing.',
      from: { path: '^(libs/(?!testing)|services|gateway)', pathNot: '\\.spec\\.ts$|/src/testing/' },
      to: { path: '^deploy/' },
    },
    {
      name: 'only-tests-import-testing',
      severity: 'error',
      comment: 'libs/testing is for tests.',
      from: {
        path: '^(libs/(?!testing)|services|gateway|examples|bench)',
        pathNot: '\\.spec\\.ts$|/src/testing/',
      },
      to: { path: '^libs/testing/' },
    },
    {
      name: 'only-tests-import-test-helpers',
      severity: 'error',
      comment: 'What lies in src/testing is for the tests of its own package.',
      from: { path: '^(libs|services|gateway)', pathNot: '\\.spec\\.ts$|/src/testing/' },
      to: { path: '^(services/[^/]+|gateway)/src/testing/' },
    },
    {
      name: 'a-service-imports-no-other-service',
      severity: 'error',
      comment: 'Services talk over NATS.',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^(services/(?!$1)|gateway)' },
    },
    {
      name: 'the-gateway-imports-no-service',
      severity: 'error',
      comment: 'The gateway knows the contract only.',
      from: { path: '^gateway/' },
      to: { path: '^services/' },
    },
    {
      name: 'deciders-are-pure',
      severity: 'error',
      comment: 'A decider and its events do no I/O and know no clock.',
      from: { path: '^services/[^/]+/src/.*/(call|outbound-call|campaign)(-events)?\\.ts$' },
      to: { path: '^node:|^node_modules/', pathNot: '^node_modules/zod/' },
    },
    {
      name: 'the-widget-stands-alone',
      severity: 'error',
      comment: 'It runs in pages of other sites, and is published as a package without the others.',
      from: { path: '^libs/widget/src', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(libs/(?!widget)|services|gateway|deploy|examples|bench)/|^node:' },
    },
    {
      name: 'the-client-stands-alone',
      severity: 'error',
      comment:
        'It runs in browsers and in programs of others, and is published as a package without the others.',
      from: { path: '^libs/client/src', pathNot: '\\.spec\\.ts$|/src/testing/' },
      to: { path: '^(libs/(?!client/)|services|gateway|deploy|examples|bench)/|^node:' },
    },
    {
      name: 'only-media-rooms-imports-livekit',
      severity: 'error',
      comment: 'One outside thing, one lib.',
      from: { path: '^(libs/(?!media-rooms)|services|gateway)', pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/livekit-server-sdk' },
    },
    {
      name: 'only-event-sourcing-imports-eventstoredb',
      severity: 'error',
      comment: 'One outside thing, one lib.',
      from: { path: '^(libs/(?!event-sourcing|testing)|services|gateway)', pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/@eventstore' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The packages of the example's program are its own, and may not be installed (ADR 63).
    exclude: { path: '(^|/)dist/|(^|/)node_modules/\\.bin|^examples/voice-runtime/src/livekit/' },
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['parlance-source', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
    tsPreCompilationDeps: true,
  },
};
