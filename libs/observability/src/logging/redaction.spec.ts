import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import { createLogger, type Logger } from './logger.js';
import { scrub } from './scrub.js';

const random = 'Zx9Qw7LmPq3vT8nRk2Hy';
const secrets = {
  apiKey: `parl_live_${random}`,
  webhookSecret: `whsec_${random}+/==`,
  modelKey: `sk-proj-${random}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${random}`,
  pem: `-----BEGIN PRIVATE KEY-----\n${random}\n${random}\n-----END PRIVATE KEY-----`,
};
type Encoding = (text: string) => string;
const percentAll: Encoding = (text) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicodeAll: Encoding = (text) =>
  [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const encodings: Readonly<Record<string, Encoding>> = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 inside other text': (text) => Buffer.from(`user:${text}`).toString('base64url'),
  'url-encoded': encodeURIComponent,
  'percent-encoded': percentAll,
  hex: (text) => Buffer.from(text).toString('hex'),
  'JSON-escaped': (text) => JSON.stringify(JSON.stringify({ note: text })),
  'unicode-escaped': unicodeAll,
};

const capture = (write: (logger: Logger) => void): string => {
  const lines: string[] = [];
  write(
    createLogger({ service: 'test', level: 'trace', destination: { write: (line) => lines.push(line) } }),
  );
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  return lines.join('');
};

const everyEncoding = (text: string): string[] => Object.values(encodings).map((encode) => encode(text));
const cases = Object.entries(secrets).flatMap(([name, secret]) =>
  Object.entries(encodings).map(([encoding, encode]) => ({ name, encoding, secret, shown: encode(secret) })),
);

describe('a secret with a recognisable shape', () => {
  it.each(cases)('never reaches the log: $name, $encoding', ({ secret, shown }) => {
    const outer = new Error(`request with ${shown} failed`, {
      cause: new Error('inner', { cause: new Error(shown) }),
    });
    const output = capture((logger) => {
      logger.info(`value ${shown}.`);
      logger.info({ note: shown, list: [{ deep: { deeper: `x=${shown}&y` } }] }, 'fields');
      logger.child({ bound: shown }).warn('bound');
      logger.error({ err: outer }, 'error under err');
      logger.error({ failure: outer, [shown]: 1 }, 'error under another name');
      logger.error(new AggregateError([outer], shown));
      logger.error(
        { err: new AppError('PROVIDER_ERROR', { details: { shown }, cause: shown }) },
        'app error',
      );
      logger.info('formatted %s %j', shown, { shown });
    });
    for (const form of [random, shown, ...everyEncoding(secret), ...everyEncoding(random)]) {
      expect(output).not.toContain(form);
      expect(output).not.toContain(JSON.stringify(form).slice(1, -1));
    }
  });
});

const canary = 'c4n4ry-without-any-shape';
const secretFields = [
  ...[
    'authorization',
    'Authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'x-api-key',
    'X_INTERNAL_KEY',
  ],
  ...[
    'webhook-signature',
    'x-twilio-signature',
    'telnyx-signature-ed25519',
    'secret',
    'clientSecret',
    'value',
  ],
  ...[
    'token',
    'endToken',
    'access_token',
    'password',
    'apiKey',
    'LIVEKIT_API_SECRET',
    'CURSOR_KEY',
    'privateKey',
  ],
  ...[
    'uploadUrl',
    'headers',
    'quoteId',
    'pii',
    'transcript',
    'systemPrompt',
    'firstMessage',
    'dynamicVariables',
  ],
];

describe('a field that is secret by name', () => {
  it.each(secretFields)('never shows its value: %s', (name) => {
    const output = capture((logger) => {
      logger.info({ [name]: canary }, 'text');
      logger.info({ [name]: { nested: [canary] } }, 'object');
      logger.info({ a: [{ b: { c: { d: { [name]: canary } } } }] }, 'nested');
      logger.child({ [name]: canary }).info('child');
      logger
        .child({ [name]: { x: canary } })
        .child({ deep: { [name]: canary } })
        .info('grandchild');
      logger.error({ err: Object.assign(new Error('x'), { [name]: canary }) }, 'field of an error');
      logger.error({ err: new AppError('CONFLICT', { details: { [name]: canary } }) }, 'details');
    });
    expect(output).not.toContain(canary);
    expect(output).toContain('[redacted]');
  });

  it('keeps whether something is there', () => {
    expect(JSON.parse(capture((logger) => logger.info({ token: null, secret: true })))).toMatchObject({
      token: null,
      secret: true,
    });
  });
});

describe('secrets without a name of their own', () => {
  it.each([
    `postgres://agents:${canary}@db.internal:5432/parlance`,
    `nats://${canary}@127.0.0.1:4222`,
    `login with password=${canary}&next=1`,
    `{"password":"${canary}","user":"x"}`,
    JSON.stringify({ body: JSON.stringify({ api_key: `${canary} with spaces` }) }),
    `x-api-key: ${canary}`,
    `Authorization: Bearer ${canary}1`,
    `Authorization: Basic ${Buffer.from(`user:password=${canary}`).toString('base64')}`,
    `https://s3/key?X-Amz-Signature=${canary}`,
  ])('are taken out of text: %s', (text) => {
    const output = capture((logger) => logger.error({ err: new Error(text), note: [text] }, text));
    expect(output).not.toContain(canary);
    expect(output).not.toContain(Buffer.from(canary).toString('base64').slice(0, 12));
  });

  it('bytes are not printed', () => {
    const bytes = Buffer.from(canary);
    const output = capture((logger) =>
      logger.info({ bytes, typed: new Uint8Array(bytes), list: [...bytes] }, 'bytes'),
    );
    expect(JSON.parse(output)).toMatchObject({ bytes: '[binary]', typed: '[binary]', list: '[binary]' });
  });

  it('a Secret shows as such', () => {
    expect(
      capture((logger) => logger.info({ env: { key: new Secret(canary) } }, `${new Secret(canary)}`)),
    ).not.toContain(canary);
  });
});

describe('phone numbers', () => {
  it.each([
    ['to +14155550100 now', 'to +*******0100 now'],
    ['sip:+442079460958@host', 'sip:+********0958@host'],
    ['+1 (415) 555-0100', '+*******0100'],
    ['?to=%2B14155550100', '?to=%2B*******0100'],
    ['pstn:+4930123456', 'pstn:+******3456'],
  ])('show only their last four digits: %s', (text, masked) => {
    expect(scrub(text)).toBe(masked);
  });

  it('are masked by name where they lack a plus', () => {
    const line = JSON.parse(
      capture((logger) => logger.info({ toNumber: '14155550100', call: { from_number: '+14155550100' } })),
    );
    expect(line).toMatchObject({ toNumber: '*******0100', call: { from_number: '*******0100' } });
  });
});

describe('what must stay readable', () => {
  it.each([
    '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
    '2026-11-20T10:00:00.000Z',
    '2026-11-20T10:00:00.000+01:00',
    '2026-11-20 10:00:00+0100',
    '1763632800000',
    'parlance.rpc.agents-config.agents_create',
    'call-0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'at Object.<anonymous> (/srv/app/libs/observability/src/some-long-file-name.ts:120:15)',
    'duplicate key value violates unique constraint "agents_organization_id_name_key"',
    'task-0190a1b2c3d47e5f8a9b0c1d2e3f4a5b',
    'https://api.example.com/v1/calls?limit=20&cursor=abc',
  ])('passes unchanged: %s', (text) => {
    expect(scrub(text)).toBe(text);
    expect(JSON.parse(capture((logger) => logger.info({ note: text }, text)))).toMatchObject({
      note: text,
      msg: text,
    });
  });

  it('cuts texts that would flood the log', () => {
    expect(capture((logger) => logger.info({ note: 'ab '.repeat(100_000) })).length).toBeLessThan(20_000);
  });

  it('follows the causes of an error and prints none of the fields in which drivers keep row values', () => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      constraint: 'agents_name',
      detail: canary,
    });
    const output = capture((logger) =>
      logger.error({ err: new AppError('NAME_TAKEN', { cause }) }, 'failed'),
    );
    expect(JSON.parse(output)).toMatchObject({
      err: { type: 'AppError', code: 'NAME_TAKEN', cause: { code: '23505', constraint: 'agents_name' } },
    });
    expect(output).not.toContain(canary);
  });
});
