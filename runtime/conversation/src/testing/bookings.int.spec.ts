import { expect, it } from '@jest/globals';
import { bookings, hold, type Outcome } from './simulated-caller.js';

const tableOf = (outcomes: readonly Outcome[]): string => {
  const agents = [...new Set(outcomes.map(({ booking }) => booking.agent))];
  const rows = agents.map((agent) => {
    const own = outcomes.filter(({ booking }) => booking.agent === agent);
    const complete = own.filter(({ causes }) => causes.length === 0).length;
    const turns = own.reduce((sum, outcome) => sum + outcome.turns, 0) / own.length;
    return `${agent.padEnd(12)} ${String(complete).padStart(3)} of ${own.length}   ${turns.toFixed(1)} turns`;
  });
  const failures = outcomes.flatMap(({ booking, causes }, index) =>
    causes.map(({ cause, detail }) => `${cause}: ${detail} (booking ${index + 1}, ${booking.agent})`),
  );
  return ['bookings by rules', ...rows, '', 'failures by cause', ...failures.toSorted()].join('\n');
};

it('completes 80 % or more of 50 bookings by simulated callers', async () => {
  expect(bookings).toHaveLength(50);
  const outcomes: Outcome[] = [];
  for (const booking of bookings) outcomes.push(await hold(booking));
  process.stdout.write(`${tableOf(outcomes)}\n`);
  const complete = outcomes.filter(({ causes }) => causes.length === 0).length;
  expect(complete).toBeGreaterThanOrEqual(40);
});
