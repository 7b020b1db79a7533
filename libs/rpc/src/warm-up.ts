// A copy warms up before it takes requests: it runs the most frequent reads, for no caller. Code that runs for the first
// time is slow, and the broker gives a new copy its share of all requests at once.
import type { MessageHandler } from '@nestjs/microservices';
import { type Callable, contract, isStreaming, type Operation, type ServiceName } from '@parlance/contracts';
import { platformCaller } from './callers/platform-caller.js';
import { toReply } from './wire/answer.js';
import { encodeReply } from './wire/reply.js';

const rounds = 10;
/** The longest warm-up: the copy serves afterwards, warm or not. */
const limitMs = 2_000;

const operations: readonly Operation[] = Object.values(contract);

/** Reads that need neither a path nor a filter: they change nothing. */
const readsOf = (service: ServiceName): readonly Operation[] =>
  operations.filter(
    (row) =>
      row.service === service &&
      row.method === 'GET' &&
      row.bucket === 'read' &&
      !isStreaming(row) &&
      row.params === undefined &&
      (row.query === undefined || row.query.safeParse({}).success),
  );

/** Stands behind no organization, so that nothing is found. */
const requestOf = (row: Operation) => ({
  params: {},
  query: row.query?.parse({}) ?? {},
  body: {},
  caller: platformCaller(row.service, ''),
  requestId: 'warm-up',
  deadline: 0,
  commandId: undefined,
});

export interface WarmUpOptions {
  readonly service: ServiceName;
  readonly handlerOf: (row: Callable) => MessageHandler | undefined;
  /** The answer of a handler, from a value, a promise or an observable. */
  readonly settled: (result: unknown) => Promise<unknown>;
}

const readAll = async (
  { service, handlerOf, settled }: WarmUpOptions,
  isOver: () => boolean,
): Promise<void> => {
  const reads = readsOf(service);
  for (let round = 0; round < rounds; round += 1)
    for (const row of reads) {
      if (isOver()) return;
      const result = await handlerOf(row)?.(requestOf(row));
      encodeReply(toReply(await settled(result)));
    }
};

/** Resolves when it is done, has failed or has taken two seconds: a copy that is cold can serve too. */
export const warmUp = async (options: WarmUpOptions): Promise<void> => {
  const limit = performance.now() + limitMs;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  // Without an engine, later requests are answered with an error of their own, which names the reason.
  const reading = readAll(options, () => performance.now() > limit).catch(() => undefined);
  await Promise.race([reading, patience]);
  clearTimeout(timer);
};
