// `npm start -- --real-media` for a test of telephony: the notes of the telephones, and programs that die in the middle of calls.
// A scripted agent speaks, which holds a dozen calls in one process.
import { join } from 'node:path';
import { findLiveKit, type LiveKitProgram, recordedProcess } from '@parlance/engines';
import { readCalls } from '@parlance/fake-kit';
import { findTelephones } from '@parlance/telephones';
import { withoutLimits } from './accounts.js';
import { type RunningPlatform, runPlatform } from './running-platform.js';

/** Says so in one line where not everything for real calls is installed. */
export const hasRealMedia = (): boolean => {
  if (findLiveKit() !== undefined && findTelephones() !== undefined) return true;
  process.stderr.write(
    'livekit-server, livekit-sip, redis-server, sipp: not all installed, no real call is made\n',
  );
  return false;
};

export const runOnRealMedia = (flags: readonly string[] = []): Promise<RunningPlatform> => {
  const rates = { RATE_LIMIT_COST_PER_MINUTE: '1000', RATE_LIMIT_READ_PER_MINUTE: '100000' };
  return runPlatform({ ...rates, ...withoutLimits }, ['--real-media', '--scripted-agent', ...flags]);
};

/** Of one attempt. */
export interface Heard {
  readonly dials: number;
  readonly rings: number;
}

/** The dials and rings of each attempt, by the name of its room. */
export const heardByTelephones = async ({ dataDir }: RunningPlatform): Promise<Map<string, Heard>> => {
  const rooms = new Map<string, { dials: number; rings: number }>();
  for await (const { kind, room } of readCalls(join(dataDir, 'ledger.jsonl'))) {
    const counts = rooms.get(room) ?? { dials: 0, rings: 0 };
    rooms.set(room, counts);
    counts[kind === 'dial' ? 'dials' : 'rings'] += 1;
  }
  return rooms;
};

/** kill -9 of one of LiveKit's programs, or of the second dialer. The platform starts it again. */
export const killProgram = ({ dataDir }: RunningPlatform, program: LiveKitProgram | 'dialer'): void => {
  const file = program === 'dialer' ? 'dialer-2.pid' : join('livekit-server', `${program}.pid`);
  const pid = recordedProcess(join(dataDir, file));
  if (pid === undefined) throw new Error(`${program} does not run`);
  process.kill(pid, 'SIGKILL');
};
