// Places the calls and watches them until the last one has ended.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Client } from '@parlance/client';
import type { Person } from './sheet.js';

type OutboundCall = Awaited<ReturnType<Client['outboundCalls']['get']>>['data'];

export interface Placed {
  readonly person: Person;
  readonly id: string;
}

export interface Finished extends Placed {
  readonly call: OutboundCall;
}

/** Tells how far things are: ended, all, and the names of those who are on the phone right now. */
export type OnProgress = (ended: number, total: number, talking: readonly string[]) => void;

const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const worthAnotherTry = !(error instanceof ApiError) || error.status === 429 || error.status === 503;
      if (!worthAnotherTry || attempt >= 30) throw error;
      await pause(1_000);
    }
  }
};

export const placeCalls = async (
  client: Client,
  agentId: string,
  fromNumber: string,
  people: readonly Person[],
): Promise<Placed[]> => {
  const placed: Placed[] = [];
  for (const person of people) {
    // The key makes asking again harmless: whatever happens on the way, this person is called once.
    const idempotencyKey = randomUUID();
    const body = {
      agentId,
      phoneNumber: person.phoneNumber,
      fromNumber,
      username: person.name,
      dynamicVariables: { customer_name: person.name },
      ringingTimeoutSeconds: person.ringingTimeoutSeconds,
    };
    const { data } = await patiently(() => client.outboundCalls.quick({ body }, { idempotencyKey }));
    placed.push({ person, id: data.id });
  }
  return placed;
};

/** @throws Error when calls have not ended in time */
export const watchCalls = async (
  client: Client,
  placed: readonly Placed[],
  onProgress: OnProgress,
  limitMs: number,
): Promise<Finished[]> => {
  const deadline = Date.now() + limitMs;
  const open = new Map(placed.map((entry) => [entry.id, entry]));
  const finished: Finished[] = [];
  while (open.size > 0) {
    if (Date.now() > deadline) {
      throw new Error(
        `not ended in time: ${[...open.values()].map(({ person }) => person.phoneNumber).join(', ')}`,
      );
    }
    for (const entry of [...open.values()]) {
      const { data: status } = await patiently(() =>
        client.outboundCalls.status({ params: { outboundId: entry.id } }),
      );
      if (!status.terminal) continue;
      const { data: call } = await patiently(() =>
        client.outboundCalls.get({ params: { outboundId: entry.id } }),
      );
      open.delete(entry.id);
      finished.push({ ...entry, call });
    }
    const { data: live } = await patiently(() => client.calls.live());
    const byNumber = new Map(placed.map(({ person }) => [person.phoneNumber, person.name]));
    const talking = live.flatMap(({ toNumber, status }) =>
      toNumber !== null && status === 'in_progress' ? [byNumber.get(toNumber) ?? toNumber] : [],
    );
    onProgress(finished.length, placed.length, talking);
    await pause(1_500);
  }
  return finished;
};
