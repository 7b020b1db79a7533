import { describe, expect, it } from '@jest/globals';
import { AgentConfigurationBody } from '@parlance/contracts';
import { defaults, voiceCatalog } from '../catalog/voice-catalog.js';
import { type Configuration, toDocument } from './configuration-document.js';
import { checkConfiguration } from './configuration-rules.js';
import { secretReferences } from './secret-references.js';
import { isAllowedWebhookUrl } from './webhook-url.js';

const secretId = '018f0000-0000-7000-8000-000000000001';
const configuration = (change: object = {}): Configuration =>
  AgentConfigurationBody.parse({ ...defaults, firstMessage: 'Hello', systemPrompt: 'Be kind.', ...change });
const check =
  (change: object, allowedInside: readonly string[] = []) =>
  () =>
    checkConfiguration(configuration(change), { catalog: voiceCatalog, allowedInside });

describe('the address of a webhook', () => {
  it.each([
    'https://example.com/hook',
    'https://example.com:8443/hook?a=b',
    'https://93.184.216.34/hook',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'https://xn--bcher-kva.example.org/',
  ])('may be %s', (url) => {
    expect(isAllowedWebhookUrl(url)).toBe(true);
  });

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'https://user:password@example.com/',
    'https://example.com:22/',
    'https://localhost/',
    'https://localhost./',
    'https://LOCALHOST:8443/',
    'https://api.localhost/',
    'https://nats/',
    'https://db.internal/',
    'https://metadata.google.internal./',
    'https://printer.local/',
    'https://router.home.arpa/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/',
    'https://192.0.2.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://①②⑦.⓪.⓪.①/',
    'https:///example.com@127.0.0.1/',
    'https://{{secrets.HOST}}/',
    'not a url',
    '',
  ])('may not be %s', (url) => {
    expect(isAllowedWebhookUrl(url)).toBe(false);
  });

  it('may be inside, and plain http, for the hosts that the operator names', () => {
    expect(isAllowedWebhookUrl('http://localhost:9000/hook', ['localhost'])).toBe(true);
    expect(isAllowedWebhookUrl('https://localhost/hook', ['localhost'])).toBe(true);
    expect(isAllowedWebhookUrl('http://127.0.0.1/hook', ['localhost'])).toBe(false);
    expect(isAllowedWebhookUrl('http://me@localhost/hook', ['localhost'])).toBe(false);
  });
});

describe('references to secrets', () => {
  const url = 'https://example.com/hook';
  it.each([
    ['firstMessage', { firstMessage: 'Hi {{secrets.NAME}}' }],
    ['systemPrompt', { systemPrompt: 'The key is {{ secrets.KEY | none }}' }],
    ['voicemail.message', { voicemail: { action: 'leave_message', message: '{{secrets.KEY}}' } }],
    [
      'data_needed.0.description',
      { data_needed: [{ id: 'a', type: 'string', description: '{{secrets.X}}' }] },
    ],
    ['variables.a', { variables: { a: '{{secrets.X}}' } }],
    ['x_note', { x_note: '{{secrets.X}}' }],
    [
      'initiation_webhook.headers.Authorization',
      { initiation_webhook: { url, headers: { Authorization: { secretId } } } },
    ],
    [
      'post_call_webhook.headers.Authorization',
      { post_call_webhook: { url, headers: { Authorization: 'Bearer {{secrets.T}}' } } },
    ],
    ['post_call_webhook.body.a.b', { post_call_webhook: { url, body: { a: { b: '{{secrets.T}}' } } } }],
    ['post_call_webhook.signingSecretId', { post_call_webhook: { url, signingSecretId: secretId } }],
  ])('are found in %s and refused', (path, change) => {
    expect(secretReferences(configuration(change))).toEqual([path]);
    expect(check(change)).toThrow(
      expect.objectContaining({ code: 'SECRET_REFERENCE_NOT_ALLOWED', details: { paths: [`body.${path}`] } }),
    );
  });

  it('are not seen where somebody only talks about secrets', () => {
    expect(
      secretReferences(configuration({ systemPrompt: 'Keep {{secret_name}} and secrets.X to yourself.' })),
    ).toEqual([]);
  });
});

describe('saving a configuration', () => {
  it('names the webhook whose address is refused', () => {
    const change = { post_call_webhook: { url: 'https://169.254.169.254/' } };
    const details = { path: 'body.post_call_webhook.url' };
    expect(check(change)).toThrow(expect.objectContaining({ code: 'URL_NOT_ALLOWED', details }));
    expect(check({ post_call_webhook: { url: 'http://localhost/' } }, ['localhost'])).not.toThrow();
  });

  it('refuses models and voices that do not exist or do not fit, as a validation error', () => {
    expect(check({ voiceId: 'openai/alloy' })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: { issues: [expect.objectContaining({ path: 'body.voiceId' })] },
      }),
    );
  });

  it('stores shorthand variables in their long form and keeps the own keys of the caller together', () => {
    const document = toDocument(
      configuration({ variables: { a: 'x', b: { default: null, required: true } }, x_crm: { id: 7 } }),
    );
    expect(document.variables).toEqual({ a: { default: 'x' }, b: { default: null, required: true } });
    expect(document.extra).toEqual({ x_crm: { id: 7 } });
    expect(document).not.toHaveProperty('x_crm');
  });
});
