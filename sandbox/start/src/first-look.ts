// The first report of the gateway after a start: which parts of the platform fail, and why.
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

const Checks = z.record(
  z.string(),
  z.object({ status: z.enum(['up', 'down', 'skipped']), message: z.string().nullable() }),
);
const Answer = z.union([
  z.object({ data: z.object({ checks: Checks }) }).transform(({ data }) => data.checks),
  z
    .object({ error: z.object({ details: z.object({ checks: Checks }) }) })
    .transform(({ error }) => error.details.checks),
]);

/** Something that does not work, and why. */
export type Fault = readonly [name: string, reason: string];

const everyMs = 100;
/** Parts that wait for each other at the start have found each other by then. */
const patienceMs = 3_000;

/** The dependencies that the services look at; until a service has reported, they are not known. */
const looked = ['eventStore', 'readModel', 'queue'] as const;

const ask = async (url: string): Promise<z.output<typeof Answer>> =>
  Answer.parse(await (await fetch(`${url}/api/v1/ready`)).json());

/** Parts that cannot work on a media server for browsers alone; its line in the summary says so. */
const ofTelephones = new Set(['part:telephony-numbers/outbound-trunks', 'part:outbound-dialer/telephones']);

/** Resolves with nothing as soon as everything works, or after a few seconds with the parts that fail. */
export const firstLook = async (url: string, hasTelephones: boolean): Promise<readonly Fault[]> => {
  const until = performance.now() + patienceMs;
  for (;;) {
    const checks = await ask(url);
    const isKnown = looked.every((name) => checks[name]?.status !== 'skipped');
    const faults = Object.entries(checks).flatMap(([name, { status, message }]) =>
      status === 'down' && (hasTelephones || !ofTelephones.has(name))
        ? [[name, message ?? 'does not work'] as const]
        : [],
    );
    if ((isKnown && faults.length === 0) || performance.now() > until) return faults;
    await delay(everyMs);
  }
};

/** The first lines say whether the platform works, because a person does not look any further than "ready". */
export const headline = (url: string, seconds: string, faults: readonly Fault[]): readonly string[] =>
  faults.length === 0
    ? [`  Parlance is ready at ${url} (${seconds} s)`, '']
    : [
        `  Parlance runs at ${url} (${seconds} s), but not all of it works:`,
        '',
        ...faults.map(([name, reason]) => `    ${name}: ${reason}`),
        '',
        `  The current state: ${url}/api/v1/ready. The logs are in the data folder.`,
        '',
      ];
