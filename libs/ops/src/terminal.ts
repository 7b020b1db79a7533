// Commands show their progress in this way: a bar on a terminal, a line now and then elsewhere.
import { SingleBar } from 'cli-progress';

/** The stream that a command writes to; `process.stdout`, mostly. */
export type Output = NodeJS.WritableStream;

export interface ProgressBar {
  /** @param share from 0 to 1 */
  show(share: number, text: string): void;
  /** Leaves nothing of the bar behind. */
  end(): void;
}

const whole = 1_000;

export const progressBar = (output: Output): ProgressBar => {
  const bar = new SingleBar({
    stream: output,
    format: '  [{bar}] {percentage}%  {text}',
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
  });
  let isStarted = false;
  return {
    show: (share, text) => {
      const value = Math.round(Math.min(1, Math.max(0, share)) * whole);
      if (isStarted) bar.update(value, { text });
      else bar.start(whole, value, { text });
      isStarted = true;
    },
    end: () => {
      if (isStarted) bar.stop();
      isStarted = false;
    },
  };
};
