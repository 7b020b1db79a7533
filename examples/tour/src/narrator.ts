// The narrators of the tour: a terminal with a bar that moves, and a silent one.
import { SingleBar } from 'cli-progress';
import { type Look, overIn } from './campaign.js';

export interface Narrator {
  readonly say: (text: string) => void;
  /** A campaign begins; each look at it is told, and its end. */
  readonly watch: () => { readonly onLook: (look: Look) => void; readonly stop: () => void };
}

export const terminal: Narrator = {
  say: (text) => console.log(text),
  watch: () => {
    const bar = new SingleBar({
      format: 'Campaign [{bar}] {value}/{total} over  {status}, on the phone: {talking}',
      noTTYOutput: true,
      notTTYSchedule: 5_000,
    });
    bar.start(0, 0, { status: 'validating', talking: 0 });
    return {
      onLook: ({ campaign: { progress, status }, talking }) => {
        bar.setTotal(progress.total);
        bar.update(overIn(progress), { status, talking: talking.length });
      },
      stop: () => bar.stop(),
    };
  },
};

export const silent: Narrator = {
  say: () => undefined,
  watch: () => ({ onLook: () => undefined, stop: () => undefined }),
};
