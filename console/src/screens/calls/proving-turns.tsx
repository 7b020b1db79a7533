// Links from a result of the analysis to the turns of the transcript that prove it.
import { callDetailStrings as strings } from '../../strings/call-detail.js';

export const turnAnchor = (seq: number): string => `turn-${seq}`;

const show = (seq: number): void => {
  const turn = document.getElementById(turnAnchor(seq));
  turn?.scrollIntoView({ block: 'center' });
  turn?.focus({ preventScroll: true });
};

export const ProvingTurns = ({ turns = [] }: { readonly turns?: readonly number[] | undefined }) =>
  turns.length === 0 ? null : (
    <span className="block text-xs">
      {turns.map((seq) => (
        <button key={seq} type="button" className="mr-2 underline" onClick={() => show(seq)}>
          {strings.provingTurn(seq)}
        </button>
      ))}
    </span>
  );
