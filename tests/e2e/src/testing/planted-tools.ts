// Tools whose requests hold planted secrets in every form that a tool can have.
import { literal } from './planted-values.js';

type Ids = Readonly<Record<string, string>>;

const parameter = (name: string, place: 'query' | 'body', change: object = {}) => ({
  ...{ name, in: place, type: 'string', description: 'Which one', required: true, source: 'model' },
  ...change,
});

/** Whole, in a text, two joined, and one secret between texts. */
const headersOf = (ids: Ids) => ({
  'X-Literal': `Bearer ${literal}`,
  'X-Id': { secretId: ids.BY_ID },
  'X-Joined': '{{secrets.LEFT}}{{secrets.RIGHT}}',
  'X-Between': 'a {{ secrets.ROTATED }} b',
  'X-Lines': { secretId: ids.UNICODE },
  Authorization: 'Basic {{secrets.BASIC}}',
});

const bodyOf = (ids: Ids) => ({
  key: '{{secrets.BODY}}',
  deep: [{ er: { key: 'Bearer {{secrets.NESTED | none}}', lines: { secretId: ids.UNICODE } } }],
  json: '{"key":"{{secrets.ESCAPED}}"}',
});

const query = 'key={{secrets.ADDRESS}}&joined={{secrets.LEFT}}{{secrets.RIGHT}}';

/**
 * The tools by name. Each takes the argument `id`.
 * @param url of the system that repeats its input
 * @param refusing an address on which no process listens
 */
export const plantedTools = (url: string, refusing: string, ids: Ids) => {
  const common = { description: 'Looks something up.', parameters: [parameter('id', 'query')] };
  const [headers, bodyTemplate] = [headersOf(ids), bodyOf(ids)];
  const post = { method: 'POST', headers, bodyTemplate };
  const form = { ...post, contentType: 'application/x-www-form-urlencoded' };
  return [
    {
      ...{ ...common, name: 'a_mirror', request: { ...post, url: `${url}/mirror/json?${query}` } },
      response: {
        assignments: [{ variable: 'stolen', path: 'nested.0.deep.headers.x-id' }],
        maxChars: 100_000,
      },
    },
    { ...common, name: 'b_form', request: { ...form, url: `${url}/mirror/{{secrets.LEFT}}-form?${query}` } },
    {
      ...common,
      ...{ name: 'c_fails', onError: 'passthrough', request: { ...post, url: `${url}/echo?${query}` } },
      response: { maxChars: 100_000 },
    },
    { ...common, name: 'd_moved', request: { method: 'GET', headers, url: `${url}/moved?${query}` } },
    {
      ...{ ...common, name: 'e_garbage', onError: 'passthrough' },
      request: { ...post, url: `${url}/garbage?${query}` },
    },
    { ...common, name: 'f_nobody', request: { ...post, url: `${refusing}/{{secrets.LEFT}}?${query}` } },
    {
      ...{ ...common, name: 'g_preset', request: { ...post, url: `${url}/ok/preset` } },
      parameters: [
        parameter('id', 'query'),
        parameter('stolen', 'body', { source: 'preset', value: '{{stolen}}', required: false }),
      ],
    },
  ];
};

/** Tools that are refused when they are saved, each with its status: references in the wrong places, and bad input. */
export const refusedTools = (url: string) => {
  const common = { name: 'refused', description: 'Looks something up.' };
  const request = { method: 'POST', url: `${url}/ok` };
  const preset = (value: string) => [parameter('id', 'query', { source: 'preset', value })];
  return [
    [422, { ...common, request, parameters: preset('{{secrets.BODY}}') }],
    [422, { ...common, request, description: 'Says {{secrets.BODY}}.' }],
    [422, { ...common, request, fillerMessage: '{{secrets.BODY}}' }],
    [422, { ...common, request: { ...request, headers: { a: '{{secrets.{{name}}}}' } } }],
    [404, { ...common, request: { ...request, headers: { a: '{{secrets.NEVER_MADE}}' } } }],
    [400, { ...common, request: { ...request, headers: { a: `${literal}\r\nHost: evil` } } }],
    [400, { ...common, request: { ...request, headers: { Host: literal } } }],
    [400, { ...common, request: { ...request, headers: { a: literal, A: literal } } }],
  ] as const;
};
