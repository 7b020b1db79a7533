// One run: quiet time under load, then each leg replaces every copy of every process, then the last call ends.
import { setTimeout as pause } from 'node:timers/promises';
import type { Findings, Span } from './findings.js';
import { Calls } from './load/calls.js';
import { Conversations } from './load/conversations.js';
import { Acknowledged, mixture } from './load/errands.js';
import { McpClients } from './load/mcp-clients.js';
import { SteadyRate } from './load/steady-rate.js';
import { makeTenants } from './load/tenant.js';
import { processorWaitMs } from './pressure.js';
import type { Build } from './processes/build.js';
import type { Replacement } from './processes/deployment.js';
import type { World } from './processes/world.js';
import { always, auditCalls, auditWrites, errorLines, ownCpuSeconds, usesOf } from './settle.js';

export interface RunOptions {
  /** Requests a second. */
  readonly rate: number;
  /** Calls in progress. */
  readonly calls: number;
  /** Visitors who write, and programs that use MCP. */
  readonly visitors: number;
  readonly mcpClients: number;
  /** Time in which the rate grows. */
  readonly warmUpSeconds: number;
  /** Time under load before the first replacement, for comparison. */
  readonly quietSeconds: number;
  /** Each leg replaces all copies by copies of this build. */
  readonly legs: readonly Build[];
  /** Time for which a new copy serves before the old one leaves. */
  readonly settleSeconds: number;
  /** Processes that are replaced at the same time. */
  readonly atOnce: number;
  readonly onProgress: (step: string) => void;
}

const startLoad = async (world: World, options: RunOptions) => {
  const { platform, db, practice } = world;
  const { rate: perSecond, warmUpSeconds, calls: wanted, visitors, mcpClients } = options;
  const tenants = await makeTenants(platform, { practice, calls: wanted });
  const acknowledged = new Acknowledged();
  const requests = new SteadyRate(platform, mixture(tenants, acknowledged), {
    perSecond,
    warmUpMs: warmUpSeconds * 1_000,
  });
  const conversations = new Conversations(platform, tenants.reader);
  const mcp = new McpClients(platform, tenants.reader);
  const calls = new Calls({ tenant: tenants.reader, calls: wanted, db });
  calls.start();
  conversations.start(visitors);
  await mcp.start(mcpClients);
  requests.start();
  const stop = async (): Promise<void> => {
    await Promise.all([requests.stop(), conversations.stop(), mcp.stop(), calls.stop()]);
  };
  return { tenants, acknowledged, requests, conversations, mcp, calls, stop };
};

const replaceAll = async (
  { deployments }: World,
  build: Build,
  { settleSeconds, atOnce, onProgress }: RunOptions,
): Promise<readonly Replacement[]> => {
  const waiting = [...deployments];
  const done: Replacement[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      for (let left = next.copies.length; left > 0; left -= 1) {
        const replaced = await next.replaceOldest(build, settleSeconds);
        done.push(replaced);
        const { readySeconds, leaving } = replaced;
        onProgress(
          `${replaced.process}: a new copy was ready after ${readySeconds.toFixed(1)} s, the old one gone after ${leaving.seconds.toFixed(1)} s`,
        );
      }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return done;
};

const timed = async <T>(
  name: string,
  work: () => Promise<T>,
): Promise<{ readonly span: Span; readonly result: T }> => {
  const [from, waitedBefore] = [performance.now(), processorWaitMs()];
  const result = await work();
  const [to, waitedAfter] = [performance.now(), processorWaitMs()];
  const waited =
    waitedBefore === undefined || waitedAfter === undefined
      ? undefined
      : (waitedAfter - waitedBefore) / (to - from);
  return { span: { name, from, to, waited }, result };
};

/** @throws Error when a new copy does not become ready */
export const run = async (world: World, options: RunOptions): Promise<Findings> => {
  const { warmUpSeconds, quietSeconds, legs, onProgress, calls: wanted } = options;
  const presence = always();
  const load = await startLoad(world, options);
  const spans: Span[] = [];
  const replacements: Replacement[] = [];
  onProgress(`the load grows for ${warmUpSeconds} s`);
  spans.push((await timed('warm-up', () => pause(warmUpSeconds * 1_000))).span);
  onProgress(`under load for ${quietSeconds} s, without a replacement`);
  spans.push((await timed('quiet', () => pause(quietSeconds * 1_000))).span);
  for (const build of legs) {
    onProgress(`replacing every copy by one of ${build.name}`);
    const { span, result } = await timed(`to ${build.name}`, () => replaceAll(world, build, options));
    spans.push(span);
    replacements.push(...result);
  }
  onProgress('waiting for the last calls');
  await load.stop();
  const audited = await auditCalls(world, presence);
  const { deployments } = world;
  return {
    ...{ spans, replacements },
    samples: [...load.requests.samples, ...load.mcp.samples],
    answers: load.conversations.answers,
    conversations: load.conversations.conversations,
    fallen: deployments.flatMap(({ process, copies }) =>
      copies.filter(({ hasFallen }) => hasFallen).map(() => process),
    ),
    refused: [...load.conversations.refused, ...load.calls.refused],
    calls: { wanted, looks: load.calls.looks, ...audited },
    writes: await auditWrites(load.tenants, load.acknowledged),
    errors: await errorLines(deployments),
    processes: usesOf(deployments),
    loadCpuSeconds: ownCpuSeconds(),
  };
};
