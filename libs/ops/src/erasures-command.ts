// npm run ops -- erasures apply: erases again what a restored backup has brought back, before the services start.
import type { OperatorCommand } from './command.js';
import type { EventSourcedService } from './event-sourced-service.js';
import { UsageError } from './failures.js';
import { text, type Values } from './values.js';

const help = `npm run ops -- erasures apply [options]

Applies the log of erasures to the databases: what was erased after a backup was made is erased again in its restored copy. Run it
after a restore, while the engines run and the services do not. Services also do this by themselves when they start.

  --since <time>     apply all that was logged since this time, also what the database says it has applied; needed where
                     not all stores were restored, or not to the same time: give the time of the oldest one
  --data-dir <path>  data folder of npm start (default: .parlance)
  --help             show this help

Exit status: 0 done, 1 failed (the log or a store cannot be reached), 2 wrong usage.
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

/** @param others services without streams */
export const erasuresCommand = (others: readonly ErasingService[] = []): OperatorCommand => ({
  summary: 'erase again, after a restore, what was erased since the backup',
  help,
  options: { since: { type: 'string' } },
  run: async ({ positionals, values, place: { services, output, variablesOf } }) => {
    if (positionals.length !== 1 || positionals[0] !== 'apply')
      throw new UsageError('There is one thing to do with erasures: apply.');
    const since = sinceOf(values);
    for (const service of [...others, ...services]) {
      if (service.erasures === undefined) continue;
      const applied = await service.erasures.apply(variablesOf(service), since);
      output.write(`${service.service}: ${applied} erasures applied\n`);
    }
    return true;
  },
});
