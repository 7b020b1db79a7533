// npm run ops -- erasures apply: erases again what a restored backup has brought back, before the services start.
import type { AppliedErasures } from '@parlance/erasure';
import { AppError } from '@parlance/errors';
import type { OperatorCommand } from './command.js';
import type { EventSourcedService } from './event-sourced-service.js';
import { causeOf, describeFailure, UsageError } from './failures.js';
import { text, type Values } from './values.js';

const help = `npm run ops -- erasures apply [options]

Applies the log of erasures to the databases: what was erased after a backup was made is erased again in its restored copy. Run it
after a restore, while the engines run and the services do not. Services also do this by themselves when they start. What one service
cannot apply holds up no other; running the command again changes nothing that was erased.

  --since <time>     apply all that was logged since this time, also what the database says it has applied; needed where
                     not all stores were restored, or not to the same time: give the time of the oldest one
  --data-dir <path>  data folder of npm start (default: .parlance)
  --help             show this help

Exit status: 0 done, 1 something could not be applied, 2 wrong usage.
`;

/** @throws UsageError for a text that is no time */
const sinceOf = (values: Values): Date | undefined => {
  const given = text(values, 'since');
  if (given === undefined) return undefined;
  const time = new Date(given);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`--since takes a time such as 2026-11-28T00:00:00Z, not "${given}".`);
  return time;
};

/** A service with a log of erasures. */
export type ErasingService = Pick<EventSourcedService, 'service' | 'erasures'>;

interface Outcome {
  readonly service: string;
  /** Undefined where it failed. */
  readonly applied: AppliedErasures | undefined;
  /** What is wrong, and how to fix it. */
  readonly problems: readonly string[];
}

const damagedFile = (service: string, file: string): string =>
  `The file erasures/${service}/${file} is damaged, or was written by a newer release; its readable lines were applied. Restore it from ` +
  'the versions of the bucket or its second copy, or use that release, and run the command again. Delete it only if it is lost: what the ' +
  'other lines named is not erased then.';

const failure = (error: unknown): string => {
  if (!(error instanceof AppError)) return describeFailure(error);
  return `${causeOf(error)}. Start or restore that engine, and run the command again: erasing twice changes nothing.`;
};

const applyIn = async (service: string, apply: () => Promise<AppliedErasures>): Promise<Outcome> => {
  try {
    const applied = await apply();
    return { service, applied, problems: applied.damaged.map((file) => damagedFile(service, file)) };
  } catch (error) {
    return { service, applied: undefined, problems: [failure(error)] };
  }
};

const resultOf = ({ applied }: Outcome): string => {
  if (applied === undefined) return 'failed';
  return applied.damaged.length === 0 ? 'applied' : `applied, but for ${applied.damaged.length} damaged`;
};

const tableOf = (outcomes: readonly Outcome[]): string => {
  const rows = [
    ['service', 'files', 'erasures', 'result'],
    ...outcomes.map((outcome) => [
      outcome.service,
      String(outcome.applied?.files ?? '-'),
      String(outcome.applied?.erasures ?? '-'),
      resultOf(outcome),
    ]),
  ];
  const width = Math.max(...rows.map(([service = '']) => service.length));
  return rows
    .map(([service = '', files = '', erasures = '', result = '']) =>
      [service.padEnd(width), files.padStart(5), erasures.padStart(8), result].join('  '),
    )
    .join('\n');
};

/** @param others services without streams */
export const erasuresCommand = (others: readonly ErasingService[] = []): OperatorCommand => ({
  summary: 'erase again, after a restore, what was erased since the backup',
  help,
  options: { since: { type: 'string' } },
  run: async ({ positionals, values, place: { services, output, errors, variablesOf } }) => {
    if (positionals.length !== 1 || positionals[0] !== 'apply')
      throw new UsageError('There is one thing to do with erasures: apply.');
    const since = sinceOf(values);
    const outcomes: Outcome[] = [];
    for (const service of [...others, ...services]) {
      const { erasures } = service;
      if (erasures === undefined) continue;
      const variables = variablesOf(service);
      outcomes.push(await applyIn(service.service, () => erasures.apply(variables, since)));
    }
    output.write(`${tableOf(outcomes)}\n`);
    for (const { service, problems } of outcomes)
      for (const problem of problems) errors.write(`${service}: ${problem}\n`);
    return outcomes.every(({ problems }) => problems.length === 0);
  },
});
