// The language model or the rules that answer a conversation, and the models that were replaced.
import type { Transcript } from '@parlance/client';
import { Link } from '@tanstack/react-router';
import { answerStrings as strings } from '../strings/answers.js';
import type { Turn } from './answer-times.js';
import { StatusBadge } from './status.js';

type Fallback = NonNullable<Transcript['fallbacks']>[number];

export const fallbackText = ({ kind, from, to, reason }: Fallback): string =>
  strings.replaced(strings.kinds[kind], from, to, strings.reasons[reason] ?? reason);

/** Nothing before the first answer, and where the runtime does not report it. */
export const AnsweringModel = ({ turns }: { readonly turns: readonly Turn[] }) => {
  const last = turns.findLast(({ role, model }) => role === 'agent' && model !== undefined);
  const fallbacks = [...new Set(turns.flatMap((turn) => turn.fallbacks ?? []).map(fallbackText))];
  if (last === undefined && fallbacks.length === 0) return null;
  const isByRules = last?.model === null;
  return (
    <div className="flex flex-col items-start gap-1 text-xs text-ink-soft">
      {last !== undefined && (
        <StatusBadge tone={isByRules ? 'attention' : 'good'}>
          {isByRules ? strings.rules : strings.model(last.model ?? '')}
        </StatusBadge>
      )}
      {isByRules && (
        <p>
          {strings.rulesText}{' '}
          <Link to="/models" className="link">
            {strings.toModels}
          </Link>
        </p>
      )}
      {fallbacks.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
};
