import { describe, expect, it } from '@jest/globals';
import { AgentConfigurationBody } from '@parlance/contracts';
import { UrlRules } from '@parlance/egress';
import { defaults, voiceCatalog } from '../catalog/voice-catalog.js';
import { type Configuration, toDocument } from './configuration-document.js';
import { checkConfiguration } from './configuration-rules.js';
import { secretReferences } from './secret-references.js';

const secretId = '018f0000-0000-7000-8000-000000000001';
const configuration = (change: object = {}): Configuration =>
  AgentConfigurationBody.parse({ ...defaults, firstMessage: 'Hello', systemPrompt: 'Be kind.', ...change });
const check =
  (change: object, allowedInside: readonly string[] = []) =>
  () =>
    checkConfiguration(configuration(change), {
      catalog: voiceCatalog,
      urls: new UrlRules({ allowPrivate: allowedInside }),
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
  it.each(['initiation_webhook', 'post_call_webhook'])('names %s when its address is refused', (field) => {
    for (const url of ['https://169.254.169.254/', 'http://example.com/', 'https://localhost/', 'no url']) {
      const details = { path: `body.${field}.url` };
      expect(check({ [field]: { url } })).toThrow(
        expect.objectContaining({ code: 'URL_NOT_ALLOWED', details }),
      );
    }
    expect(check({ [field]: { url: 'https://example.com/hook' } })).not.toThrow();
  });

  it('allows addresses inside that the operator names', () => {
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
