// Hears of numbers that were bought or given back, and charges another month of the owned ones.
import { eventConsumers } from '@parlance/contracts';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import { type ConsumerOptions, type Database, startConsumer } from '@parlance/postgres';
import { type AskSettings, settingsOf } from '../limits/organization-settings.js';
import { chargeMonth, dueNumbers, hearOfNumber } from './paid-numbers.js';

export interface NumberRoundsParts {
  readonly db: Database;
  readonly nats: ConsumerOptions<never>['nats'];
  readonly askSettings: AskSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

const everyMs = 30_000;
/** Numbers in one go. */
const batch = 100;

/** Starts at once. */
export const startNumberConsumer = ({ nats, db, logger, clock }: NumberRoundsParts): RunningPart =>
  startConsumer({
    ...{ nats, db, logger, ...eventConsumers['outbound-dialer'].numbers },
    handle: (tx, { organizationId, data: { numberId, status, version } }) =>
      hearOfNumber(tx, { organizationId, numberId, status, version }, clock.now()),
  });

/** Charges every month that is due, also several months of one number. @returns the count of charged months */
export const chargeDue = async (parts: NumberRoundsParts, stopping: AbortSignal): Promise<number> => {
  const { db, askSettings, clock, logger } = parts;
  let [charged, inRound] = [0, 0];
  do {
    inRound = 0;
    for (const due of await dueNumbers(db, clock.now(), batch)) {
      if (stopping.aborted) break;
      // A number that cannot be charged now does not hold up the others.
      try {
        const now = clock.now();
        const { dayZone } = await settingsOf(db, askSettings, due.organizationId, now);
        if (await db.transaction((tx) => chargeMonth(tx, due, { dayZone, now }))) inRound += 1;
      } catch (err) {
        logger.warn({ numberId: due.numberId, err }, 'the month of a number has to wait');
      }
    }
    charged += inRound;
  } while (inRound > 0 && !stopping.aborted);
  return charged;
};

export const startMonthlyCharges = (parts: NumberRoundsParts): RunningPart =>
  startRounds({
    name: 'monthly charges of numbers',
    everyMs,
    logger: parts.logger,
    round: async (stopping) => {
      await chargeDue(parts, stopping);
    },
  });
