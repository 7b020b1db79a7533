import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { AgentConfigurationBody, placeholderProblem } from '@parlance/contracts';
import { CannotOpen, Keyring } from '@parlance/crypto';
import { UrlRules } from '@parlance/egress';
import { defaults, voiceCatalog } from '@parlance/models';
import { openHeader } from '@parlance/webhooks';
import { z } from 'zod';
import { type Configuration, toDocument } from './configuration-document.js';
import { checkConfiguration } from './configuration-rules.js';
import { withWarnings } from './placeholder-rules.js';
import { forbiddenReferences, mentionsOf } from './secret-references.js';
import { type StoredDocument, sealStored, shown, toStored } from './stored-webhooks.js';

const secretId = '018f0000-0000-7000-8000-000000000001';
const configuration = (change: object = {}): Configuration =>
  AgentConfigurationBody.parse({ ...defaults, firstMessage: 'Hello', systemPrompt: 'Be kind.', ...change });
const check =
  (change: object, allowedInside: readonly string[] = [], before?: object) =>
  () =>
    checkConfiguration(configuration(change), {
      catalog: voiceCatalog,
      urls: new UrlRules({ allowPrivate: allowedInside }),
      before: before && toDocument(configuration(before)),
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
    ['initiation_webhook.url', { initiation_webhook: { url: `${url}?key={{secrets.T}}` } }],
    ['post_call_webhook.body.a', { post_call_webhook: { url, body: { a: '{{secrets.{{x}}}}' } } }],
    ['post_call_webhook.headers.a', { post_call_webhook: { url, headers: { a: '{{secrets.lower}}' } } }],
  ])('are found in %s and refused', (path, change) => {
    expect(forbiddenReferences(configuration(change))).toEqual([path]);
    expect(check(change)).toThrow(
      expect.objectContaining({ code: 'SECRET_REFERENCE_NOT_ALLOWED', details: { paths: [`body.${path}`] } }),
    );
  });

  it('are taken in headers and bodies of webhooks, and are all counted', () => {
    const other = '018f0000-0000-7000-8000-000000000002';
    const signing = '018f0000-0000-7000-8000-000000000003';
    const change = {
      initiation_webhook: {
        url,
        headers: { Authorization: { secretId }, 'X-Key': 'Bearer {{ secrets.A }}' },
      },
      post_call_webhook: {
        ...{ url, signingSecretId: signing },
        body: { a: { b: ['"{{secrets.B | none}}{{secrets.A}}"', { secretId: other }] } },
      },
    };
    expect(check(change)).not.toThrow();
    expect(mentionsOf(configuration(change))).toEqual({ ids: [secretId, other, signing], names: ['A', 'B'] });
  });

  it('are not seen where somebody only talks about secrets', () => {
    expect(
      forbiddenReferences(configuration({ systemPrompt: 'Keep {{secret_name}} and secrets.X to yourself.' })),
    ).toEqual([]);
  });
});

describe('placeholders that no variable can fill', () => {
  const url = 'https://example.com/hook';
  const written = '{{first-name}}';
  const issueAt = (path: string) =>
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: `body.${path}`, code: 'custom', message: placeholderProblem(written) }] },
    });

  it.each([
    ['firstMessage', { firstMessage: `Hi ${written}` }],
    ['systemPrompt', { systemPrompt: `You talk to ${written}` }],
    ['voicemail.message', { voicemail: { action: 'leave_message', message: written } }],
    ['recording.announcement', { recording: { announcement: written } }],
    ['initiation_webhook.headers.x-a', { initiation_webhook: { url, headers: { 'x-a': written } } }],
    ['post_call_webhook.body.a.0', { post_call_webhook: { url, body: { a: [written] } } }],
  ])('are refused in %s, and kept where the version before has them', (path, change) => {
    expect(check(change)).toThrow(issueAt(path));
    expect(check(change, [], { systemPrompt: `Once ${written}` })).not.toThrow();
    expect(check(change, [], { systemPrompt: '{{other-one}}' })).toThrow(issueAt(path));
  });

  it('are shown as warnings in a version that has them, and what was read can be saved', () => {
    const ids = { agentId: 'a', version: 1, createdAt: '', updatedAt: '' };
    const read = withWarnings({ ...toDocument(configuration({ firstMessage: written })), ...ids });
    expect(read.warnings).toEqual([{ path: 'firstMessage', message: placeholderProblem(written) }]);
    const { agentId, version, createdAt, updatedAt, ...document } = read;
    expect(toDocument(AgentConfigurationBody.parse(document))).not.toHaveProperty('warnings');
    expect(withWarnings({ ...toDocument(configuration()), ...ids })).not.toHaveProperty('warnings');
  });
});

describe('literal header values of webhooks', () => {
  const url = 'https://example.com/hook';
  const sealing = {
    keyring: new Keyring({ id: 'k', key: new Secret(randomBytes(32).toString('base64')) }),
    ...{ organizationId: 'o', agentId: 'a' },
  };
  const stored = (headers: object, previous?: StoredDocument, address = url) =>
    toStored(toDocument(configuration({ post_call_webhook: { url: address, headers } })), previous, sealing);
  const place = { kind: 'webhook', organizationId: 'o', ownerId: 'a', name: 'authorization' } as const;
  const opened = (document: StoredDocument, origin: string) => {
    const value = document.post_call_webhook?.headers.authorization;
    const sealed = z.object({ sealed: z.string(), bound: z.string().optional() }).parse(value);
    return openHeader(sealing.keyring, { ...place, origin }, sealed);
  };
  const read = (document: StoredDocument) =>
    shown({ ...document, agentId: 'a', version: 1, createdAt: '', updatedAt: '' }).post_call_webhook?.headers;

  it('are stored sealed and read as dots, while references stay as they were written', () => {
    const document = stored({
      Authorization: 'Bearer planted',
      'X-Ref': '{{secrets.A}}',
      'X-Id': { secretId },
    });
    expect(JSON.stringify(document)).not.toContain('planted');
    expect(read(document)).toEqual({
      Authorization: '•••',
      'X-Ref': '{{secrets.A}}',
      'X-Id': { secretId },
    });
  });

  it('are kept when dots are saved, however the name of the header is written', () => {
    const before = stored({ Authorization: 'Bearer planted' });
    const after = stored({ authorization: '•••' }, before);
    expect(after.post_call_webhook?.headers.authorization).toEqual(
      before.post_call_webhook?.headers.Authorization,
    );
  });

  it('open for the origin of their address, and are needed again for another one', () => {
    const before = stored({ authorization: 'Bearer planted' });
    expect(opened(before, 'https://example.com')).toBe('Bearer planted');
    expect(() => opened(before, 'https://evil.example')).toThrow(CannotOpen);
    const samePlace = stored({ authorization: '•••' }, before, 'https://EXAMPLE.com.:443/other');
    expect(opened(samePlace, 'https://example.com')).toBe('Bearer planted');
    for (const other of ['https://evil.example/hook', 'https://example.com:8443/hook', 'http://example.com/'])
      expect(() => stored({ authorization: '•••' }, before, other)).toThrow(
        expect.objectContaining({ code: 'HEADER_VALUE_NEEDED' }),
      );
  });

  it('of release 0.2.0 are bound to their origin by the next save', () => {
    const binding = JSON.stringify(['webhook header', 'o', 'a', 'authorization']);
    const sealed = sealing.keyring.seal(Buffer.from('Bearer planted'), binding);
    const document = toDocument(configuration({ post_call_webhook: { url } }));
    const old: StoredDocument = {
      ...stored({}),
      post_call_webhook: document.post_call_webhook && {
        ...document.post_call_webhook,
        headers: { authorization: { sealed } },
      },
    };
    expect(opened(old, 'https://example.com')).toBe('Bearer planted');
    const saved = stored({ authorization: '•••' }, old);
    expect(opened(saved, 'https://example.com')).toBe('Bearer planted');
    expect(() => opened(saved, 'https://evil.example')).toThrow(CannotOpen);
  });

  it('are refused as dots that stand for nothing', () => {
    const before = stored({ 'X-Id': { secretId } });
    for (const previous of [undefined, before]) {
      expect(() => stored({ 'X-Id': '•••' }, previous)).toThrow(
        expect.objectContaining({
          code: 'VALIDATION_ERROR',
          details: { issues: [expect.objectContaining({ path: 'body.post_call_webhook.headers.X-Id' })] },
        }),
      );
    }
  });

  it('of an older release are hidden from readers, and can be sealed later', () => {
    const old = toDocument(
      configuration({ post_call_webhook: { url, headers: { a: 'planted', b: '•••' } } }),
    );
    expect(read(old)).toEqual({ a: '•••', b: '•••' });
    const sealed = sealStored(old, sealing);
    expect(sealed.post_call_webhook?.headers).toEqual({
      a: { sealed: expect.any(String), bound: expect.any(String) },
      b: { sealed: expect.any(String), bound: expect.any(String) },
    });
    expect(sealStored(sealed, sealing)).toEqual(sealed);
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
