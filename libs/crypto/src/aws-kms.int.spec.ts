import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkedKekId, type KekEnv, type KmsEnv, Secret, StartRefusal } from '@parlance/config';
import { awsKms } from './kms/aws-kms.js';
import { type AwsKmsServer, startAwsKms } from './kms/testing/aws-kms-server.js';
import { keyManagementOf, unwrapKeks, wrapKek } from './unwrap-keks.js';

const credentials = ['AKIATEST', randomBytes(30).toString('hex')] as const;
const token = new Secret(credentials.join(':'));
const key = randomBytes(32).toString('base64');

let server: AwsKmsServer;
beforeAll(async () => {
  server = await startAwsKms(['alias/parlance', 'alias/other'], new Map([credentials]));
});
afterAll(() => server.close());
beforeEach(() => {
  server.troubles.length = 0;
  server.targets.length = 0;
});

const kms = (changes: { readonly url?: string; readonly token?: Secret } = {}) =>
  awsKms({ url: server.url, token, wait: async () => undefined, ...changes });
const env = (KEK: string, change: Partial<KekEnv> = {}): KekEnv & KmsEnv => ({
  KEK_ID: 'kek-1',
  KEK: new Secret(KEK),
  KMS_URL: server.url,
  KMS_TOKEN: token,
  ...change,
});

describe('AWS KMS', () => {
  it('wraps the key-encryption key, and unwraps it and the key before when a process starts', async () => {
    const service = keyManagementOf(env(key));
    const wrapped = await wrapKek(service, 'kek-1', new Secret(key));
    expect(wrapped).toMatch(/^kms:[A-Za-z0-9+/]+=*$/);
    expect(wrapped).not.toContain(key);
    const other = await wrapKek(service, 'kek-0', new Secret(key));
    const started = await unwrapKeks(env(wrapped, { KEK_OTHERS: new Map([['kek-0', new Secret(other)]]) }));
    expect(started.KEK.reveal()).toBe(key);
    expect(started.KEK_OTHERS?.get('kek-0')?.reveal()).toBe(key);
    expect(new Set(server.targets)).toEqual(new Set(['TrentService.Encrypt', 'TrentService.Decrypt']));
  });

  it('unwraps a key under no other name, and with no other key, than it was wrapped', async () => {
    const wrapped = await wrapKek(kms(), 'another-name', new Secret(key));
    await expect(unwrapKeks(env(wrapped))).rejects.toThrow(
      /refuses to decrypt.*status 400: InvalidCiphertextException.*KEK_ID/,
    );
    const foreign = await wrapKek(
      kms({ url: server.url.replace('alias/parlance', 'alias/other') }),
      'kek-1',
      new Secret(key),
    );
    await expect(unwrapKeks(env(foreign))).rejects.toThrow(/InvalidCiphertextException/);
  });

  it('does not get around the check value in the name of a key', async () => {
    const id = checkedKekId('kek', key);
    const wrapped = await wrapKek(kms(), id, new Secret(randomBytes(32).toString('base64')));
    await expect(unwrapKeks(env(wrapped, { KEK_ID: id }))).rejects.toThrow('does not fit the check value');
  });

  it('gets further requests while it is throttled or unavailable', async () => {
    const wrapped = await kms().wrap(Buffer.from(key, 'base64'), 'context');
    server.troubles.push(
      [400, 'ThrottlingException'],
      [500, 'KMSInternalException'],
      [503, 'ServiceUnavailable'],
    );
    expect((await kms().unwrap(wrapped, 'context')).toString('base64')).toBe(key);
    server.troubles.push(...Array<readonly [number, string]>(6).fill([500, 'KMSInternalException']));
    await expect(kms().wrap(Buffer.from('x'), 'y')).rejects.toThrow(
      /does not answer \(status 500: KMSInternalException\)/,
    );
    const nobody = kms({ url: 'aws+http://127.0.0.1:1/alias/parlance?region=eu-central-1' });
    await expect(nobody.wrap(Buffer.from('x'), 'y')).rejects.toThrow(/does not answer \(.*ECONNREFUSED/);
  });

  it.each([
    ['another secret', `AKIATEST:${randomBytes(30).toString('hex')}`, 'InvalidSignatureException'],
    ['another access key', `AKIAOTHER:${credentials[1]}`, 'UnrecognizedClientException'],
  ])(
    'refuses %s at the first request, with a reason that names neither the credential nor the account',
    async (_, wrong, reason) => {
      const refusal = await kms({ token: new Secret(wrong) })
        .wrap(Buffer.from('x'), 'y')
        .catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StartRefusal);
      expect(String(refusal)).toContain(`status 400: ${reason}`);
      expect(String(refusal)).not.toMatch(/AKIA|123456789012/);
      expect(String(refusal)).not.toContain(wrong.split(':')[1]);
      expect(server.targets).toHaveLength(1);
    },
  );

  it('refuses a key that does not exist, and a credential in another form', async () => {
    const absent = kms({ url: server.url.replace('alias/parlance', 'alias/absent') });
    await expect(absent.wrap(Buffer.from('x'), 'y')).rejects.toThrow(
      /with the key alias\/absent \(status 400: NotFoundException\)/,
    );
    await expect(
      kms({ token: new Secret('hvs.a-token-of-vault') }).wrap(Buffer.from('x'), 'y'),
    ).rejects.toThrow('KMS_TOKEN is <access key id>:<secret access key>');
  });
});
