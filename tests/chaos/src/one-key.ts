// Many requests for one call: all carry the same Idempotency-Key, and the gateway dies in the middle of them.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { audit, unfinished, type Violation } from './audit.js';
import { diceOf } from './dice.js';
import { DicedFaults } from './diced-faults.js';
import type { Evidence } from './evidence/evidence.js';
import type { Outcome, Run } from './experiment.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import { phones } from './people.js';
import { settled } from './settling.js';
import { tallyOf } from './tally.js';
import { startWorld } from './world.js';

const requestsPerKey = 100;
const settleMs = 90_000;
const patienceMs = 60_000;
/** About as long as the requests take. */
const killWithinMs = 600;
const noFault = { name: 'ok', target: 'sip', mode: 'ok', share: 0 } as const;

const Placed = z.object({ data: z.object({ id: z.string() }) });

/** Busy, dead, or at work on the same key: nothing has been said yet. */
const isPassing = (status: number): boolean => status === 409 || status === 429 || status >= 500;

/** Asks under the key until there is an answer. Resolves with the call's id. */
const ask = async ({ api, apiKey }: GatewayProcess, key: string, body: object): Promise<string> => {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const response = await fetch(`${api}/outbound-calls/quick`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    const answer: unknown = await response?.json().catch(() => undefined);
    if (response?.status === 201) return Placed.parse(answer).data.id;
    if (response !== undefined && !isPassing(response.status))
      throw new Error(`a quick call was refused with ${response.status}: ${JSON.stringify(answer)}`);
    if (Date.now() > deadline)
      throw new Error(`no answer for a quick call: ${response?.status} ${JSON.stringify(answer)}`);
    await pause(200);
  }
};

const idFaults = (evidence: Evidence, answered: readonly ReadonlySet<string>[]): Violation[] => [
  ...answered.flatMap((ids) =>
    ids.size === 1 ? [] : [{ rule: `one key, ${ids.size} calls`, about: [...ids].join() }],
  ),
  ...(evidence.streams.size === answered.length
    ? []
    : [{ rule: `${answered.length} keys, ${evidence.streams.size} calls`, about: 'all' }]),
];

const body = {
  agentId: randomUUID(),
  phoneNumber: `+14155551${phones.hangsUp.padStart(3, '0')}`,
  fromNumber: '+14155550142',
  ringingTimeoutSeconds: 10,
};

interface KeySizes {
  readonly keys: number;
  readonly kill: boolean;
}

/** Key after key. Resolves with the ids that each of them was answered with. */
const askForAll = async (
  run: Run,
  gateway: GatewayProcess,
  { keys, kill }: KeySizes,
): Promise<ReadonlySet<string>[]> => {
  const dice = diceOf(`${run.seed}/one-key`);
  const answered: ReadonlySet<string>[] = [];
  for (let made = 0; made < keys; made += 1) {
    const key = randomUUID();
    const asking = Promise.all(Array.from({ length: requestsPerKey }, () => ask(gateway, key, body)));
    asking.catch(() => undefined);
    if (kill) {
      await pause(dice.below(killWithinMs));
      await gateway.kill();
      await gateway.start();
    }
    answered.push(new Set(await asking));
    run.onStep?.(made + 1, keys);
  }
  return answered;
};

export const runOneKey = async (run: Run, { keys, kill }: KeySizes): Promise<Outcome> => {
  const faults = new DicedFaults(noFault, diceOf(run.seed));
  const world = await startWorld(run.engines, 'one-key', faults);
  let gateway: GatewayProcess | undefined;
  try {
    const answered = await run.turns.during(async () => {
      world.startDialer();
      gateway = await startGateway(run.engines, world);
      return askForAll(run, gateway, { keys, kill });
    });
    const isSettled = await settled(world, { calls: keys }, settleMs);
    const evidence = await world.evidence();
    const wrong = [...audit(evidence), ...(isSettled ? [] : unfinished(evidence))];
    const kills = kill ? keys : 0;
    return {
      name: 'one key',
      tally: tallyOf(evidence),
      violations: [...wrong, ...idFaults(evidence, answered)],
      seen: kill ? { 'gateway killed': kills } : {},
      note: `${keys} keys, ${requestsPerKey} requests each, ${kills} times with the gateway killed`,
    };
  } finally {
    await gateway?.kill();
    await world.stop();
  }
};
