// Ends conversations that would otherwise never end: the agent hangs up once it has talked for a moment.
import type { World } from './world.js';

const everyMs = 500;

/** Hangs up each connected call a moment after its answer. Returns a function that stops this. */
export const endConversations = ({ db, rooms, callLog }: World): (() => Promise<void>) => {
  let isStopping = false;
  const round = async (): Promise<void> => {
    const { rows } = await db.query<{ room: string }>(
      `select state -> 'current' ->> 'roomName' as room from outbound_calls where phase = 'connected'`,
    );
    for (const { room } of rows) {
      callLog.expectHangUp(room);
      await rooms.deleteRoom(room);
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopping) {
      // There are no tables before a dialer has started once, and rooms may be made to fail.
      await round().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  };
  const running = run();
  return async () => {
    isStopping = true;
    await running;
  };
};
