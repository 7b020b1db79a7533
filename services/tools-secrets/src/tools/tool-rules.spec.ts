import { describe, expect, it } from '@jest/globals';
import { ToolInput, type ToolParameter } from '@parlance/contracts';
import { UrlRules } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import { checkTool } from './tool-rules.js';

const rules = new UrlRules();
const parameter = (name: string, change: object = {}): ToolParameter => ({
  ...{ name, in: 'query', type: 'string', description: '', required: true, source: 'model' },
  ...change,
});
const bodyOf = (request: object) => ({
  ...{ name: 't', description: 'd' },
  request: { method: 'POST', url: 'https://example.com/', ...request },
});
const refusalOf = (change: object, request: object = {}): string | undefined => {
  const body = bodyOf(request);
  const parsed = ToolInput.safeParse({ ...body, ...change });
  if (!parsed.success) return 'VALIDATION_ERROR';
  try {
    checkTool(parsed.data, rules);
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
};
const at = (url: string, ...parameters: ToolParameter[]) => refusalOf({ parameters }, { url });
const inPath = { in: 'path' };

describe('an address', () => {
  it('leads outside, and its placeholders and the parameters of the path are the same', () => {
    expect(
      at('https://example.com/{a}?q={b}&c={{x}}', parameter('a', inPath), parameter('b')),
    ).toBeUndefined();
    for (const url of [
      'http://example.com/',
      'https://10.0.0.1/',
      'https://localhost/',
      'https://u:p@example.com/',
    ])
      expect([url, at(url)]).toEqual([url, 'URL_NOT_ALLOWED']);
    expect(at('https://{a}.example.com/', parameter('a', inPath))).toBe('URL_NOT_ALLOWED');
    expect(at('https://example.com/{a}')).toBe('VALIDATION_ERROR');
    expect(at('https://example.com/{a}', parameter('a'))).toBe('VALIDATION_ERROR');
    expect(at('https://example.com/', parameter('a', inPath))).toBe('VALIDATION_ERROR');
    expect(at('https://example.com/{a}', parameter('a', { ...inPath, required: false }))).toBe(
      'VALIDATION_ERROR',
    );
    expect(at('https://example.com/{a}', parameter('a', { ...inPath, type: 'array' }))).toBe(
      'VALIDATION_ERROR',
    );
  });
});

describe('a placeholder that no variable can fill', () => {
  const preset = { source: 'preset', value: '{{first-name}}' };
  it.each([
    ['request.url', {}, { url: 'https://example.com/{{first-name}}' }],
    ['request.headers.x-a', {}, { headers: { 'x-a': '{{first-name}}' } }],
    ['request.bodyTemplate.a.0', {}, { bodyTemplate: { a: ['{{first-name}}'] } }],
    ['parameters.0.value', { parameters: [parameter('a', preset)] }, {}],
  ])('is refused in %s', (path, change, request) => {
    const tool = ToolInput.parse({ ...bodyOf(request), ...change });
    expect(() => checkTool(tool, rules)).toThrow(
      expect.objectContaining({
        details: { issues: [expect.objectContaining({ path: `body.${path}` })] },
      }),
    );
  });

  it('is kept where the stored tool has it', () => {
    const tool = (name: string) =>
      ToolInput.parse(bodyOf({ headers: { 'x-a': `{{${name}}}` }, bodyTemplate: { b: `{{${name}}}` } }));
    expect(() => checkTool(tool('first-name'), rules, tool('first-name'))).not.toThrow();
    expect(() => checkTool(tool('last-name'), rules, tool('first-name'))).toThrow();
  });
});

describe('a reference to a secret', () => {
  const reference = '{{ secrets.TOKEN }}';
  it('may stand in the request, and in no field that a model or a reader is told', () => {
    const request = {
      url: `https://example.com/${reference}?k=${reference}`,
      headers: { a: `Bearer ${reference}` },
    };
    expect(refusalOf({}, { ...request, bodyTemplate: { a: [{ b: reference }] } })).toBeUndefined();
    const elsewhere = [
      { description: reference },
      { fillerMessage: reference },
      { parameters: [parameter('a', { description: reference })] },
      { parameters: [parameter('a', { source: 'preset', value: reference })] },
      { parameters: [parameter('a', { enum: [reference] })] },
      { response: { include: [reference] } },
    ];
    for (const change of elsewhere) expect(refusalOf(change)).toBe('SECRET_REFERENCE_NOT_ALLOWED');
    expect(refusalOf({}, { bodyTemplate: { [reference]: 1 } })).toBe('SECRET_REFERENCE_NOT_ALLOWED');
    expect(refusalOf({}, { headers: { a: '{{secrets.{{x}}}}' } })).toBe('SECRET_REFERENCE_NOT_ALLOWED');
  });
});

describe('the rules refuse', () => {
  const enumerated = { enum: ['a'] };
  it.each([
    ['a parameter that is a key of every object', { parameters: [parameter('__proto__')] }, {}],
    ['the constructor', { parameters: [parameter('constructor')] }, {}],
    ['names that differ only in case', { parameters: [parameter('a'), parameter('A')] }, {}],
    ['a schema that recurses', { parameters: [parameter('a', { schema: { $ref: '#' } })] }, {}],
    [
      'an enum of numbers that are none',
      { parameters: [parameter('a', { type: 'number', ...enumerated })] },
      {},
    ],
    [
      'a preset of another type',
      { parameters: [parameter('a', { type: 'integer', source: 'preset', value: 'x' })] },
      {},
    ],
    ['a line break in a header', {}, { headers: { a: 'b\r\nHost: evil' } }],
    ['a header of the message itself', {}, { headers: { 'Content-Length': '0' } }],
    ['the host as a header', {}, { headers: { HOST: 'evil' } }],
    ['one header twice', {}, { headers: { A: '1', a: '2' } }],
    ['a body with GET', {}, { method: 'GET', bodyTemplate: {} }],
    [
      'a parameter that the body has already',
      { parameters: [parameter('a', { in: 'body' })] },
      { bodyTemplate: { a: 1 } },
    ],
    [
      'a variable that is a key of every object',
      { response: { assignments: [{ variable: '__proto__', path: 'a' }] } },
      {},
    ],
    ['a tool of a megabyte', {}, { bodyTemplate: { a: 'x'.repeat(1_000_000) } }],
  ])('%s', (_, change, request) => {
    expect(refusalOf(change, request)).toBe('VALIDATION_ERROR');
  });
});
