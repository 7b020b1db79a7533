// After the load: waits for the last call, and gathers the findings from the stores, the telephones and the logs.
import { readFile } from 'node:fs/promises';
import { everyRecord } from '@parlance/client';
import { eventually } from '@parlance/fixtures';
import {
  audit,
  type Evidence,
  gatherEvidence,
  heardByRoom,
  Presence,
  tallyOf,
  unfinished,
} from '@parlance/tests-chaos';
import type { CallOutcome, ErrorLine, Findings, ProcessUse } from './findings.js';
import type { Acknowledged } from './load/errands.js';
import type { Tenants } from './load/tenant.js';
import type { Deployment } from './processes/deployment.js';
import type { World } from './processes/world.js';

/** The last people still talk for a while, and an attempt in doubt waits for its deadline. */
const settleMs = 180_000;

/** Resolves when no call is in progress and no recipient waits, or when that takes too long; the audit tells the rest. */
const untilOver = async ({ db }: World): Promise<void> => {
  const openCalls = async (): Promise<void> => {
    const { rows } = await db.query<{ open: number }>(
      `select (select count(*)::int from outbound_calls where phase <> 'ended' or hang_up)
        + (select count(*)::int from campaign_recipients where state in ('pending', 'queued', 'in_progress')) as open`,
    );
    if (rows[0]?.open !== 0) throw new Error('calls are in progress');
  };
  await eventually(openCalls, { timeoutMs: settleMs, intervalMs: 500 }).catch(() => undefined);
};

/** Every dialer's place was held by another copy at each moment. */
export const always = (): Presence => {
  const presence = new Presence();
  presence.watch({ serving: Promise.resolve(), death: new Promise(() => undefined) });
  return presence;
};

const outcomesOf = (evidence: Evidence): CallOutcome[] =>
  evidence.rows.map(({ id, status }) => {
    const events = evidence.streams.get(id) ?? [];
    return { id, status, attempts: events.filter(({ type }) => type === 'AttemptStarted').length };
  });

/** The audit of all calls, once the last one is over. */
export const auditCalls = async (
  world: World,
  presence: Presence,
): Promise<Omit<Findings['calls'], 'wanted' | 'looks'>> => {
  await untilOver(world);
  const { eventStoreUrl, ledgerPath, db } = world;
  const evidence = await gatherEvidence({ eventStoreUrl, ledgerPath, db, answers: [], presence });
  const rings = [...heardByRoom(evidence).values()].map(({ rings }) => rings.length);
  return {
    outcomes: outcomesOf(evidence),
    tally: tallyOf(evidence),
    violations: [...audit(evidence), ...unfinished(evidence)],
    mostRings: Math.max(0, ...rings),
  };
};

/** Holds the agents that are there against those that were acknowledged. */
export const auditWrites = async (
  { writer }: Tenants,
  acknowledged: Acknowledged,
): Promise<Findings['writes']> => {
  const there = new Map<string, number>();
  for await (const { name } of everyRecord(writer.client.agents.list, {}))
    there.set(name, (there.get(name) ?? 0) + 1);
  const twice = [...there].flatMap(([name, times]) => (times > 1 ? [name] : []));
  const names = [...acknowledged.names];
  return {
    acknowledged: names.length,
    lost: names.filter((name) => !there.has(name)),
    doubled: [...new Set([...twice, ...acknowledged.differing])],
  };
};

const isError = /"level":"(error|fatal)"/;

const textOf = (line: string): string => {
  const { msg, err } = Object(JSON.parse(line));
  return [msg, Object(err).message].filter(Boolean).join(': ');
};

/** Lines at error level in the logs of all copies, the same ones counted together. */
export const errorLines = async (deployments: readonly Deployment[]): Promise<readonly ErrorLine[]> => {
  const found = await Promise.all(
    deployments.map(async ({ process, logFile }) => {
      const counts = new Map<string, number>();
      const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => isError.test(line));
      for (const line of lines) counts.set(textOf(line), (counts.get(textOf(line)) ?? 0) + 1);
      return [...counts].map(([text, times]) => ({ process, text, times }));
    }),
  );
  return found.flat();
};

export const usesOf = (deployments: readonly Deployment[]): readonly ProcessUse[] =>
  deployments.flatMap(({ process, everyCopy }) => {
    const used = everyCopy.flatMap((copy) => copy.footprint() ?? []);
    if (used.length === 0) return [];
    return [
      {
        process,
        copies: used.length,
        cpuSeconds: used.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
        seconds: used.reduce((sum, { seconds }) => sum + seconds, 0),
        peakMebibytes: Math.max(...used.map(({ peakMebibytes }) => peakMebibytes)),
      },
    ];
  });

/** Since this program began. */
export const ownCpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
