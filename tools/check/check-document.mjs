// npm run check: does the interface document keep the rules that generators and readers of such documents expect? The rules are
// Redocly's strict set, and some that it leaves off. Run directly, it prints the problems.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { buildOpenApi } from '../../gateway/dist/index.js';

const ofOurChoice = [
  'component-name-unique',
  'no-duplicated-tag-names',
  'no-mixed-number-range-constraints',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
  'operation-singular-tag',
  'operation-tag-defined',
  'parameter-description',
  'paths-kebab-case',
  'response-contains-header',
];
const options = {
  'response-contains-header': {
    severity: 'error',
    names: Object.fromEntries(
      ['2xx', '4xx'].map((statuses) => [statuses, ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Reset']]),
    ),
  },
};

// The places that the rules do not fit. Each exception has to be needed.
const exceptions = [
  {
    rule: 'no-ambiguous-paths',
    pointer: /^#\/paths\/~1(outbound-calls~1\{outboundId\}|agents~1(internal|number)-config|tools)~1/,
    why: 'The original interface has both paths. Ids are UUIDs, so no id reads like the word beside it.',
  },
  {
    rule: 'response-contains-header',
    pointer: /^#\/webhooks\//,
    why: 'Receivers of others answer a webhook, so the answer has none of the headers of the platform.',
  },
  {
    rule: 'response-contains-header',
    pointer: /^#\/paths\/~1(health|ready|caller)\//,
    why: 'Probes have no rate limit, and /caller is asked before each operation over MCP, which is counted itself.',
  },
  {
    rule: 'no-unused-components',
    pointer: /^#\/components\/schemas\/WebhookMessage$/,
    why: 'The union of the messages to webhooks: clients type received messages by it, and no operation carries it.',
  },
];

const rules = Object.fromEntries(ofOurChoice.map((rule) => [rule, options[rule] ?? 'error']));
const config = await createConfig({ extends: ['recommended-strict'], rules });
const source = JSON.stringify(buildOpenApi());
const found = (await lintFromString({ source, absoluteRef: 'docs/openapi.json', config })).map(
  ({ ruleId, message, location }) => ({ ruleId, message, pointer: location[0]?.pointer ?? '' }),
);

// The bounds that Spectral and vacuum require of every schema. Their rulesets for this document are next to this file.
const demands = [
  ['string', ['maxLength', 'enum', 'const']],
  ['string', ['format', 'pattern', 'enum', 'const']],
  ['integer', ['format']],
  ['integer', ['minimum', 'exclusiveMinimum']],
  ['integer', ['maximum', 'exclusiveMaximum']],
  ['array', ['maxItems']],
];
const isObject = (value) => typeof value === 'object' && value !== null;
const judge = (piece, pointer) => {
  if (!isObject(piece)) return;
  const missing = demands.filter(
    ([type, words]) => [piece.type].flat().includes(type) && !words.some((word) => word in piece),
  );
  for (const [type, words] of missing)
    found.push({ ruleId: 'bounds', pointer, message: `a schema of type ${type} has ${words.join(' or ')}` });
  if (/^#\/components\/\w+\/\w+$/.test(pointer) && piece.description === undefined)
    found.push({ ruleId: 'descriptions', pointer, message: 'a component has a description' });
  for (const [key, inner] of Object.entries(piece))
    if (!/^examples?$|^x-/.test(key)) judge(inner, `${pointer}/${key.replaceAll('/', '~1')}`);
};
judge(JSON.parse(source), '#');

const used = new Set();
const exceptionFor = ({ ruleId, pointer }) =>
  exceptions.find((exception) => exception.rule === ruleId && exception.pointer.test(pointer));
let problems = 0;
for (const problem of found) {
  const exception = exceptionFor(problem);
  if (exception !== undefined) {
    used.add(exception);
    continue;
  }
  problems += 1;
  console.log(`${problem.ruleId} at ${problem.pointer}: ${problem.message}`);
}
for (const { rule, pointer } of exceptions.filter((exception) => !used.has(exception))) {
  problems += 1;
  console.log(`the exception of ${rule} at ${pointer} is not needed any more: remove it`);
}
process.exitCode = problems === 0 ? 0 : 1;
