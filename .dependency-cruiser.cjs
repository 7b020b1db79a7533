// Who may import whom. A rule is a sentence; a broken one says which.
/** From the bottom up; an import never points up. Folders beside each other are one floor. */
const floors = [
  ['libs'],
  ['packages', 'gateway', 'services', 'console', 'runtime'],
  ['tools'],
  ['sandbox'],
  ['tests', 'examples'],
];
const all = floors.flat().join('|');
const outside = (folder) => `^(${all})/(?!${folder})`;
/** Everything of ours but some packages, and Node's own modules, which a browser does not have. */
const othersThan = (...packages) => `^(${all})/(?!(${packages.join('|')})/)|^node:`;
/** Tests, and helpers that are compiled with them. */
const test = '\\.spec\\.tsx?$|/testing/|/conformance/';

/** The folders of the dialer from the bottom up. The order is total, so no two of them need each other. */
const dialerFolders = [
  'domain',
  'rules',
  'repositories',
  'limits',
  'recipients',
  'personal-data',
  'read-models',
  'suppressions',
  'ledger',
  'attempt',
  'dispatch',
  'campaigns',
  'import',
  'integration',
  'erasure',
  'monitoring',
  'operations',
  'api',
];
const dialer = '^services/outbound-dialer/src/';

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
      to: { path: othersThan('errors', 'contracts', 'json') },
    },
    ...floors.slice(0, -1).map((folders, index) => ({
      name: `imports-point-down-from-${folders.at(0)}`,
      severity: 'error',
      comment: `What lies above ${folders.join(', ')} may need it, and it needs nothing above: ADR 35.`,
      from: { path: `^(${folders.join('|')})/`, pathNot: test },
      to: {
        path: `^(${floors
          .slice(index + 1)
          .flat()
          .join('|')})/`,
      },
    })),
    {
      name: 'fakes-import-their-kit-and-the-contracts',
      severity: 'error',
      comment:
        'A fake speaks the wire protocol of its engine; our code would share its own mistakes with it.',
      from: { path: '^sandbox/fakes/([^/]+)/src/', pathNot: test },
      to: {
        path: '^(libs/(?!contracts/)|packages|gateway|services|tools|tests|sandbox/(?!fakes/(kit|$1)/))',
      },
    },
    {
      name: 'only-tests-import-test-helpers',
      severity: 'error',
      comment: 'src/testing is for the tests of its own package.',
      from: { path: '^(libs|packages|gateway|services|runtime|tools|sandbox)/', pathNot: test },
      to: { path: '/src/.*testing/|/src/testing/' },
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
    ...dialerFolders.map((folder, index) => ({
      name: `the-dialer-imports-point-down-from-${folder}`,
      severity: 'error',
      comment: 'A request goes down from api to domain, and what lies below knows nothing of it: ADR 70.',
      from: { path: `${dialer}${folder}/`, pathNot: test },
      to: { path: `${dialer}((${[...dialerFolders.slice(index + 1), 'testing'].join('|')})/|[^/]+\\.ts$)` },
    })),
    {
      name: 'the-dialer-has-no-other-folders',
      severity: 'error',
      comment: 'A new folder takes its place in the order of dialerFolders.',
      from: {},
      to: { path: `${dialer}(?!(${[...dialerFolders, 'testing'].join('|')})/)[^/]+/` },
    },
    {
      name: 'the-dialer-decides-without-io',
      severity: 'error',
      comment: 'The domain and the rules are functions of events and facts.',
      from: { path: `${dialer}(domain|rules)/`, pathNot: `${test}|/rules/time-zones\\.ts$` },
      to: { path: '^node:|^libs/(?!(contracts|errors|event-sourcing)/)' },
    },
    {
      name: 'deciders-are-pure',
      severity: 'error',
      comment: 'A decider and its events do no I/O and know no clock.',
      from: { path: '^services/[^/]+/src/.*/(call|outbound-call|campaign)(-events)?\\.ts$' },
      to: { path: '^node:|^node_modules/', pathNot: '^node_modules/zod/' },
    },
    {
      name: 'one-folder-knows-the-event-store-client',
      severity: 'error',
      comment: 'Another engine is another driver beside it: libs/event-sourcing/src/store/driver.ts.',
      from: {
        path: '^(libs|packages|gateway|services|tools|sandbox/(start|engines))/',
        pathNot: `^libs/event-sourcing/src/eventstoredb/|${test}`,
      },
      to: { path: '^node_modules/@eventstore/db-client/' },
    },
    {
      name: 'the-widget-stands-alone',
      severity: 'error',
      comment: 'It runs in pages of other sites, and is published as a package without the others.',
      from: { path: '^packages/widget/src', pathNot: '\\.spec\\.ts$' },
      to: { path: othersThan('widget') },
    },
    {
      name: 'the-client-stands-alone',
      severity: 'error',
      comment:
        'It runs in browsers and in programs of others, and is published as a package without the others.',
      from: { path: '^packages/client/src', pathNot: '\\.spec\\.ts$|/src/testing/' },
      to: { path: othersThan('client') },
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
      from: { path: '^(libs/(?!event-sourcing)|services|gateway)', pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/@eventstore' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The packages of these examples are their own, and may not be installed.
    exclude: {
      path: '(^|/)dist/|(^|/)node_modules/\\.bin|^examples/generated-clients/|^runtime/voice/src/livekit/',
    },
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['parlance-source', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
    tsPreCompilationDeps: true,
  },
};
