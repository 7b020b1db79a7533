// Waits until every call has come to its end, or until it should have.
import { setTimeout as pause } from 'node:timers/promises';
import { patiently } from './patience.js';
import type { World } from './world.js';

const everyMs = 500;

/** True when `calls` calls have ended and nothing has to be hung up any more; false when time is over before. */
export const settled = async (
  { db }: Pick<World, 'db'>,
  calls: number,
  timeoutMs: number,
): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const { rows } = await patiently(() =>
      db.query<{ ended: number }>(
        `select count(*)::int as ended from outbound_calls where phase = 'ended' and not hang_up`,
      ),
    );
    if ((rows[0]?.ended ?? 0) >= calls) return true;
    await pause(everyMs);
  }
  return false;
};
