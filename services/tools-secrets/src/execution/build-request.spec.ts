import { describe, expect, it } from '@jest/globals';
import type { ToolParameter } from '@parlance/contracts';
import { ToolInput } from '@parlance/contracts';
import fc from 'fast-check';
import { fillUrl, parseUrlTemplate } from '../tools/url-template.js';
import { buildRequest } from './build-request.js';

const parameter = (name: string, place: ToolParameter['in'], change: object = {}): ToolParameter => ({
  ...{ name, in: place, type: 'string', description: '', required: true, source: 'model' },
  ...change,
});
const toolOf = (url: string, parameters: ToolParameter[], request: object = {}) =>
  ToolInput.parse({ name: 't', description: 'd', request: { method: 'POST', url, ...request }, parameters });
const fillings = { values: () => undefined, secretById: () => '', header: () => '' };
const text = fc.string({ unit: 'binary' });

describe('a value in an address', () => {
  const template = parseUrlTemplate('https://api.example.com/a/{id}/b-{id}?fixed=1&q={q}#part');

  it('arrives unchanged and moves no other part, for every text', () => {
    fc.assert(
      fc.property(text, text, text, (id, q, more) => {
        if (template === undefined) throw new Error('no template');
        fc.pre(!['', '.', '..'].includes(id));
        const values = new Map([['id', id]]).set('q', q);
        const url = new URL(fillUrl(template, values, () => undefined, [['more', more]]));
        expect(url.origin).toBe('https://api.example.com');
        expect(url.username + url.password + url.hash).toBe('');
        const segments = url.pathname.split('/').slice(1).map(decodeURIComponent);
        expect(segments).toEqual(['a', id, 'b', `b-${id}`].toSpliced(2, 1));
        expect([...url.searchParams]).toEqual([
          ['fixed', '1'],
          ['q', q],
          ['more', more],
        ]);
      }),
    );
  });

  it.each(['..', '.', ''])('cannot be a segment that means another place: %j', (id) => {
    const tool = toolOf('https://api.example.com/a/{id}/c', [parameter('id', 'path')]);
    expect(() => buildRequest(tool, new Map([['id', id]]), fillings)).toThrow('the path');
  });

  it('cannot complete a segment of two dots together with the text before it', () => {
    const tool = toolOf('https://api.example.com/a/%2e{id}/c', [parameter('id', 'path')]);
    expect(() => buildRequest(tool, new Map([['id', '.']]), fillings)).toThrow('the path');
  });

  it.each([
    'https://{host}/a',
    'https://api.example.com:{port}/',
    'https://{user}@example.com/',
    '{scheme}://example.com/',
    'https://example.com/a?{name}=1',
    'https://example.com/a#{part}',
    'https://example.com/{a b}',
    'https://example.com/{{system.}',
    'https://exa\tmple.com/{id}',
    'https://example.com\\{id}',
    'ftp://example.com/{id}',
  ])('has no place in %s', (url) => {
    expect(parseUrlTemplate(url)).toBeUndefined();
  });
});

describe('a value in a body', () => {
  it('reaches the other system unchanged, as JSON and as a form', () => {
    const parameters = [parameter('a', 'body'), parameter('b', 'body', { type: 'object' })];
    fc.assert(
      fc.property(text, fc.dictionary(fc.string(), fc.string()), (a, b) => {
        const url = 'https://example.com/';
        const given = new Map<string, string | Record<string, string>>([['a', a]]).set('b', b);
        const request = { bodyTemplate: { fixed: '{{name}}' } };
        const values = { ...fillings, values: () => '{{secrets.X}}' };
        const json = buildRequest(toolOf(url, parameters, request), given, values);
        expect(JSON.parse(json.body ?? '')).toEqual(
          JSON.parse(JSON.stringify({ fixed: '{{secrets.X}}', a, b })),
        );
        const form = toolOf(url, parameters, { contentType: 'application/x-www-form-urlencoded' });
        const sent = new URLSearchParams(buildRequest(form, given, fillings).body ?? '');
        expect([...sent]).toEqual([
          ['a', a],
          ['b', JSON.stringify(b)],
        ]);
      }),
    );
  });
});

describe('a preset', () => {
  it('has the type of its parameter, or makes no request', () => {
    const preset = (change: object) =>
      parameter('n', 'body', { source: 'preset', value: '{{n}}', ...change });
    const build = (change: object, value: string | undefined) =>
      buildRequest(toolOf('https://example.com/', [preset(change)]), new Map(), {
        ...fillings,
        values: () => value,
      });
    expect(build({ type: 'integer' }, '12').body).toBe('{"n":12}');
    expect(build({ type: 'string' }, '12').body).toBe('{"n":"12"}');
    expect(build({ type: 'integer', required: false }, undefined).body).toBeNull();
    expect(() => build({ type: 'integer' }, 'twelve')).toThrow('of its type');
  });
});

describe('a header', () => {
  it('keeps no line break of a value in it', () => {
    const tool = toolOf('https://example.com/', [], { headers: { 'X-Name': 'a {{name}}' } });
    const { headers } = buildRequest(tool, new Map(), { ...fillings, values: () => 'b\r\nHost: evil' });
    expect(headers['x-name']).toBe('a bHost: evil');
  });
});
