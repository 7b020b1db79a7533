// The platform's own clients of the providers reach the given account, and report when they cannot.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { startTelnyx } from '@parlance/fake-telnyx';
import { startTwilio } from '@parlance/fake-twilio';
import { connectTelephony, type TelephonyOptions } from './index.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-telephony-'));
const accountSid = `AC${'1'.repeat(32)}`;
let options: TelephonyOptions;
let stop: () => Promise<unknown>;

beforeAll(async () => {
  const [twilio, telnyx] = await Promise.all([
    startTwilio({ dataDir: join(directory, 'twilio'), credentials: { accountSid, authToken: 'token' } }),
    startTelnyx({ dataDir: join(directory, 'telnyx'), credentials: { apiKey: 'KEY' } }),
  ]);
  options = {
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: new Secret('token'),
    TWILIO_API_URL: twilio.url,
    TELNYX_API_KEY: new Secret('KEY'),
    TELNYX_API_URL: telnyx.url,
  };
  stop = () => Promise.all([twilio.stop(), telnyx.stop()]);
});
afterAll(async () => {
  await stop();
  rmSync(directory, { recursive: true, force: true });
});

const pings = (given: TelephonyOptions) =>
  Promise.all(
    connectTelephony(given).map(async (account) => [
      account.provider,
      await account.ping().then(
        () => 'works',
        () => 'does not',
      ),
    ]),
  );

describe('an account', () => {
  it('works with its credentials', async () => {
    expect(await pings(options)).toEqual([
      ['TWILIO', 'works'],
      ['TELNYX', 'works'],
    ]);
  });

  it('does not with others', async () => {
    const wrong = { ...options, TWILIO_AUTH_TOKEN: new Secret('other'), TELNYX_API_KEY: new Secret('other') };
    expect(await pings(wrong)).toEqual([
      ['TWILIO', 'does not'],
      ['TELNYX', 'does not'],
    ]);
  });

  it('does not where nobody listens', async () => {
    const nowhere = { TWILIO_API_URL: 'http://127.0.0.1:9', TELNYX_API_URL: 'http://127.0.0.1:9/v2' };
    expect(await pings({ ...options, ...nowhere })).toEqual([
      ['TWILIO', 'does not'],
      ['TELNYX', 'does not'],
    ]);
  });

  it('is not there without credentials', () => {
    expect(connectTelephony({ TWILIO_ACCOUNT_SID: accountSid })).toEqual([]);
  });
});
