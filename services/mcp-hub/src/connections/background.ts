// Refreshes connections in the background: at intervals, after a server said that its tools have changed, and again after a
// failure. Servers that hang take some of the places; the others are refreshed meanwhile.
import { FairSlots } from '@parlance/jobs';
import { type RunningPart, startRounds } from '@parlance/observability';
import { leaseDue, type RefreshParts, refreshLeased } from './refresh.js';

const everyMs = 1_000;
const atOnce = 16;

/** Starts at once. */
export const startRefreshes = (parts: RefreshParts): RunningPart => {
  const slots = new FairSlots(atOnce);
  const rounds = startRounds({
    ...{ name: 'refreshes of MCP connections', everyMs, activity: parts.db.activity, logger: parts.logger },
    round: async () => {
      parts.sessions.sweep();
      if (slots.free === 0) return;
      for (const leased of await leaseDue(parts.db, slots))
        slots.run(leased.connection.organization_id, () =>
          refreshLeased(parts, leased)
            // The lease ends by itself, after which the refresh is tried again.
            .catch((err: unknown) => parts.logger.warn({ err }, 'an MCP connection is not refreshed yet')),
        );
    },
  });
  return {
    name: rounds.name,
    ...(rounds.trouble && { trouble: rounds.trouble }),
    stop: async () => {
      await rounds.stop();
      await slots.drained();
    },
  };
};
