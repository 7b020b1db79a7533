import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createLogger } from '@parlance/observability';
import { livekitClients } from './livekit-rooms.js';
import { findTelephonyTrouble, startTelephonyWatch } from './telephony-watch.js';

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly msg: string;
}

const absentTrunk: Answer = { status: 404, code: 'not_found', msg: 'requested sip trunk does not exist' };
const unreadable: Answer = {
  ...{ status: 400, code: 'invalid_argument' },
  msg: 'twirp error unknown: invalid request URI: invalid port in hostname: "none"',
};
const noService: Answer = {
  ...{ status: 503, code: 'unavailable', msg: 'twirp error unknown: no response from servers' },
};
const badRoute: Answer = { status: 404, code: 'bad_route', msg: 'no handler for path' };

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

/** LiveKit, as far as the two probes go. */
const answering = async (answers: { change: Answer; dial: Answer }) => {
  server = createServer((request, response) => {
    const { status, code, msg } = request.url?.endsWith('CreateSIPParticipant')
      ? answers.dial
      : answers.change;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ code, msg }));
  });
  const started = server;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const address = started.address();
  return {
    LIVEKIT_URL: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: new Secret('s'.repeat(32)),
    VOICE_AGENT_NAME: 'parlance-voice',
  };
};

describe('whether telephones can be called', () => {
  it.each([
    [undefined, absentTrunk, unreadable],
    ['no_sip_service', absentTrunk, noService],
    ['too_old', badRoute, noService],
    ['too_old', { ...badRoute, status: 501, code: 'unimplemented' }, unreadable],
    // A newer server that words its refusal otherwise is no trouble.
    [undefined, absentTrunk, { status: 422, code: 'address_unreadable', msg: 'no such address' }],
  ])('is told as %s', async (trouble, change, dial) => {
    const { sip } = livekitClients(await answering({ change, dial }));
    expect(await findTelephonyTrouble(sip)).toBe(trouble);
  });

  it('shows as the trouble of a part until it is over', async () => {
    const answers = { change: absentTrunk, dial: noService };
    const env = await answering(answers);
    const logger = createLogger({ service: 'test', level: 'silent' });
    const watch = startTelephonyWatch(env, { logger, everyMs: 10 });
    const until = async (trouble: string | undefined): Promise<void> => {
      const deadline = Date.now() + 30_000;
      while (watch.trouble?.() !== trouble && Date.now() < deadline)
        await new Promise((resolve) => setImmediate(resolve));
      expect(watch.trouble?.()).toBe(trouble);
    };
    await until('no SIP service takes calls');
    answers.dial = unreadable;
    await until(undefined);
    await watch.stop();
  });
});
