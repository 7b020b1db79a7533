// A thousand requests at once pass no limit of a widget, disturb no other widget, and leave nothing behind.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WidgetSession } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { eventually } from '@parlance/fixtures';
import { World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 120_000);
afterAll(() => world?.stop());

const [waves, inWave, concurrent, maxWaiting] = [5, 200, 5, 20];
/** Slower than this, visitors of another widget would notice. */
const noticedMs = 5_000;

const isSession = (answer: WidgetSession | AppError): answer is WidgetSession =>
  !(answer instanceof AppError);

const ask = (widgetId: string, address: string): Promise<WidgetSession | AppError> =>
  world.startSession(widgetId, {}, { address }).catch((error: AppError) => error);

/** The wait of a visitor of the widget for a session, in ms. */
const timed = async (widgetId: string, address: string): Promise<number> => {
  const startedAt = performance.now();
  const { sessionId, endToken } = await world.startSession(widgetId, {}, { address });
  const tookMs = performance.now() - startedAt;
  await world.endSession(widgetId, sessionId, endToken);
  return tookMs;
};

const middleOf = (times: readonly number[]): number =>
  Math.round([...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0);

describe('a flood of 1,000 requests at once', () => {
  it.each([
    { name: 'one address', addresses: 1, tickets: maxWaiting / 4 },
    { name: '200 addresses', addresses: 200, tickets: maxWaiting },
  ])(
    'from $name gets no more sessions and tickets than there are, and another widget does not notice',
    async ({ name, addresses, tickets }) => {
      const org = world.organization();
      const limits = { maxConcurrentSessions: concurrent };
      const flooded = await org.create({ limits, queue: { enabled: true, maxWaiting } });
      const quiet = await org.create({ limits: { maxConcurrentSessions: 100 } });
      const [roomsBefore, placesBefore] = [await world.roomNames(), [...world.neighbours.places]];
      const calm: number[] = [];
      for (let visit = 0; visit < waves; visit += 1) calm.push(await timed(quiet.id, `calm-${visit}`));
      const answers: (WidgetSession | AppError)[] = [];
      const during: number[] = [];
      for (let wave = 0; wave < waves; wave += 1) {
        const asked = Array.from({ length: inWave }, (_, index) =>
          ask(flooded.id, `address-${index % addresses}`),
        );
        during.push(await timed(quiet.id, `visitor-${wave}`));
        answers.push(...(await Promise.all(asked)));
      }
      process.stdout.write(
        `a session at another widget, alone and in a flood of 1,000 from ${name}: ` +
          `${middleOf(calm)} and ${middleOf(during)} ms; slowest ${Math.round(Math.max(...during))} ms\n`,
      );
      const sessions = answers.filter(isSession);
      const refusals = answers.filter((answer) => answer instanceof AppError);
      expect(sessions).toHaveLength(concurrent);
      expect(refusals.filter(({ details }) => Object(details).queue !== undefined)).toHaveLength(tickets);
      expect(new Set(refusals.map(({ code }) => code))).toEqual(
        new Set(['CONCURRENCY_LIMIT', 'RATE_LIMITED']),
      );
      expect(Math.max(...during)).toBeLessThan(noticedMs);
      await org.update(flooded.id, { enabled: false });
      await eventually(async () => expect(await world.roomNames()).toEqual(roomsBefore));
      await eventually(() => expect([...world.neighbours.places]).toEqual(placesBefore));
    },
    120_000,
  );
});
