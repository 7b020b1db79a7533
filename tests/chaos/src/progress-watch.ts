// Reads a campaign's progress again and again while it goes on: every reading has to sum, and an ended recipient stays
// ended.
import { setTimeout as pause } from 'node:timers/promises';
import type { Violation } from './audit.js';
import type { Campaign, People } from './people.js';

type Progress = Campaign['progress'];

const everyMs = 150;

const endedOf = (progress: Progress): Readonly<Record<string, number>> => {
  const { completed, voicemail, noAnswer, busy, failed, skipped } = progress;
  return { completed, voicemail, noAnswer, busy, failed, skipped };
};

/** The contradictions between two successive readings. */
export const progressFaults = (before: Progress | undefined, now: Progress): string[] => {
  const ended = endedOf(now);
  const { pending, queued, inProgress, cancelled } = now;
  const sum = Object.values(ended).reduce((all, one) => all + one, pending + queued + inProgress + cancelled);
  const faults = sum === now.total ? [] : [`the progress sums to ${sum} of ${now.total}`];
  for (const [state, recipients] of Object.entries(before === undefined ? {} : endedOf(before)))
    if ((ended[state] ?? 0) < recipients) faults.push(`fewer are ${state} than before`);
  return faults;
};

export interface ProgressWatch {
  /** Resolves when so many attempts have been begun, or when time is over. */
  attempts(atLeast: number, timeoutMs: number): Promise<void>;
  /** Resolves with the faults that the readings showed. */
  stop(): Promise<Violation[]>;
}

/** Begins at once. */
export const watchProgress = (people: Pick<People, 'campaign'>, campaignId: string): ProgressWatch => {
  const violations: Violation[] = [];
  let isStopping = false;
  let before: Progress | undefined;
  const run = async (): Promise<void> => {
    while (!isStopping) {
      const { progress } = await people.campaign(campaignId);
      for (const rule of progressFaults(before, progress)) violations.push({ rule, about: campaignId });
      before = progress;
      await pause(everyMs);
    }
  };
  const running = run();
  running.catch(() => undefined);
  return {
    attempts: async (atLeast, timeoutMs) => {
      const deadline = Date.now() + timeoutMs;
      while ((before?.attempts ?? 0) < atLeast && Date.now() < deadline) await pause(everyMs / 3);
    },
    stop: async () => {
      isStopping = true;
      await running;
      return violations;
    },
  };
};
