// The statements, messages and requests of the whole platform during some work.
import { countMessages } from './broker-messages.js';
import type { Counts } from './counts.js';
import type { MeasuredPlatform } from './measured-platform.js';
import type { RequestCounts } from './request-counts.js';
import { type CountedStatement, countStatements } from './statement-log.js';

export interface WorkCounts {
  readonly counts: Counts;
  readonly statements: readonly CountedStatement[];
}

const byApplication = (statements: readonly CountedStatement[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { application, count } of statements) counts[application] = (counts[application] ?? 0) + count;
  return counts;
};

/** Counting costs processor time, above all in Postgres and NATS, so the work is not to be measured meanwhile. */
export const countWork = async (
  { adminUrl, natsUrl, postgresLog }: Pick<MeasuredPlatform, 'adminUrl' | 'natsUrl' | 'postgresLog'>,
  requests: RequestCounts,
  work: () => Promise<void>,
): Promise<WorkCounts> => {
  const counted = await requests.count(() =>
    countStatements(adminUrl, postgresLog, () => countMessages(natsUrl, work)),
  );
  const { statements, result } = counted.result;
  return {
    counts: {
      ...counted.requests,
      'SQL statements': byApplication(statements),
      'NATS messages': Object.fromEntries(result.messages),
    },
    statements,
  };
};
