// How commands show that something is going on: a bar on a terminal, a line now and then elsewhere.

/** The part of `process.stdout` that is used. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  /** From 0 to 1. */
  readonly done: number;
  readonly text: string;
}

export interface ProgressBar {
  show(progress: Progress): void;
  /** Ends the line of the bar. */
  end(): void;
}

const barWidth = 30;
const redrawMs = 100;
const lineEveryMs = 5_000;

const percent = (done: number): string => `${Math.floor(done * 100)} %`.padStart(5);

/** @param now milliseconds that only grow */
export const progressBar = (output: Output, now: () => number = () => performance.now()): ProgressBar => {
  const isTerminal = output.isTTY === true;
  let shownAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    show: ({ done, text }) => {
      if (now() - shownAt < (isTerminal ? redrawMs : lineEveryMs)) return;
      shownAt = now();
      const share = Math.min(1, Math.max(0, done));
      if (!isTerminal) {
        output.write(`${percent(share)}  ${text}\n`);
        return;
      }
      const full = Math.round(share * barWidth);
      const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
      output.write(`\r\x1b[K${`  ${bar} ${percent(share)}  ${text}`.slice(0, (output.columns ?? 100) - 1)}`);
      isOpen = true;
    },
    end: () => {
      if (isOpen) output.write('\r\x1b[K');
      isOpen = false;
    },
  };
};
