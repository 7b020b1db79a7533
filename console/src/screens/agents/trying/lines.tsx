// The lines of a conversation with an agent that is tried: both sides, and the tools that the agent used.
import type { Transcript as Turn } from '@parlance/client';
import { useEffect, useRef } from 'react';
import { JsonView } from '../../../components/code.js';
import { cx } from '../../../components/cx.js';
import { StatusBadge } from '../../../components/status.js';
import { agentPageStrings } from '../../../strings/agent.js';

const strings = agentPageStrings.try;

/** One line of the page; `key` is good for React. */
export type Line =
  | {
      readonly key: string;
      readonly kind: 'agent' | 'user';
      readonly text: string;
      /** Of a line that was cut off: the words that were heard. */
      readonly heard?: string;
    }
  | { readonly key: string; readonly kind: 'tool'; readonly tool: NonNullable<Turn['toolCall']> };

const LineOf = ({ line }: { readonly line: Line }) => {
  if (line.kind === 'tool') {
    const { name, status, durationMs, arguments: given, result } = line.tool;
    return (
      <li className="rounded-md border border-line px-3 py-2">
        <details>
          <summary>
            {strings.usedTool(name)}{' '}
            <StatusBadge tone={status === 'ok' ? 'good' : 'bad'}>{strings.toolStates[status]}</StatusBadge>{' '}
            <span className="text-xs text-ink-soft tabular-nums">{durationMs} ms</span>
          </summary>
          <JsonView name={name} value={{ arguments: given, result }} />
        </details>
      </li>
    );
  }
  const isOwn = line.kind === 'user';
  return (
    <li className={cx('max-w-[85%] rounded-lg px-3 py-2', isOwn ? 'self-end bg-accent-soft' : 'bg-sunken')}>
      <span className="block text-xs text-ink-soft">{isOwn ? strings.you : strings.agentSays}</span>
      <span dir="auto" className="break-words whitespace-pre-wrap">
        {line.text}
      </span>
      {line.heard !== undefined && (
        <span dir="auto" className="block text-xs text-ink-soft">
          {strings.interrupted(line.heard)}
        </span>
      )}
    </li>
  );
};

export const Lines = ({
  lines,
  name,
  isAnswering,
}: {
  readonly lines: readonly Line[];
  readonly name: string;
  readonly isAnswering: boolean;
}) => {
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line is scrolled to
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [lines]);
  return (
    <div
      role="log"
      aria-label={name}
      aria-busy={isAnswering}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with keys
      tabIndex={0}
      className="max-h-96 overflow-y-auto"
    >
      <ul className="flex flex-col items-start gap-2">
        {lines.map((line) => (
          <LineOf key={line.key} line={line} />
        ))}
      </ul>
      <div ref={end} />
    </div>
  );
};
