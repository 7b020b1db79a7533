// The transcript, turn by turn. Where there is a recording, each turn plays it from its own beginning.
import type { CallLog, Transcript as Turn } from '@parlance/client';
import { Play } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { AnswerBars } from '../../components/answer-bars.js';
import { fallbackText } from '../../components/answering-model.js';
import { Button, IconButton } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { JsonView } from '../../components/code.js';
import { cx } from '../../components/cx.js';
import { ErrorNote, StaleNote } from '../../components/error-note.js';
import { Loading, StatusBadge } from '../../components/status.js';
import { useList } from '../../data/queries.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';
import { componentStrings } from '../../strings/components.js';
import { editionOf, isOver } from './call-follow.js';
import { turnAnchor } from './proving-turns.js';

const pageSize = 100;
const msOfSecond = 1_000;

/** `1:05` from the beginning of the call. */
const clockOf = (ms: number): string => {
  const seconds = Math.floor(ms / msOfSecond);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const ToolUse = ({ call }: { readonly call: NonNullable<Turn['toolCall']> }) => (
  <details className="min-w-0">
    <summary>
      {strings.toolCall(call.name)}{' '}
      <StatusBadge tone={call.status === 'ok' ? 'good' : 'bad'}>
        {strings.toolStates[call.status]}
      </StatusBadge>
    </summary>
    <JsonView name={call.name} value={{ arguments: call.arguments, result: call.result }} />
  </details>
);

/** Empty for turns that no brain gave, and of runtimes that do not report it. */
const modelText = (model: Turn['model']): string => {
  if (model === undefined) return '';
  return model === null ? strings.byRules : strings.byModel(model);
};

const Remarks = ({ turn }: { readonly turn: Turn }) => {
  const remarks = [
    turn.interrupted ? strings.interrupted : '',
    turn.sources.length > 0 ? strings.sources(turn.sources.length) : '',
    turn.latencyMs === null ? '' : strings.latency(turn.latencyMs),
    modelText(turn.model),
    ...(turn.fallbacks ?? []).map(fallbackText),
  ].filter(Boolean);
  return remarks.length === 0 ? null : <p className="text-xs text-ink-soft">{remarks.join(' · ')}</p>;
};

const TurnLine = ({
  turn,
  isPlaying,
  onPlay,
}: {
  readonly turn: Turn;
  readonly isPlaying: boolean;
  readonly onPlay: ((ms: number) => void) | undefined;
}) => {
  const time = clockOf(turn.startMs);
  return (
    <li
      id={turnAnchor(turn.seq)}
      tabIndex={-1}
      className={cx('flex gap-3 rounded-md px-2 py-2', isPlaying && 'bg-accent-soft')}
      aria-current={isPlaying ? 'time' : undefined}
    >
      <span className="w-10 shrink-0 pt-0.5 text-right text-xs text-ink-soft tabular-nums">{time}</span>
      <div className="min-w-0 flex-1">
        <p className="text-xs font-medium text-ink-soft">{strings.roles[turn.role]}</p>
        {turn.toolCall !== null && <ToolUse call={turn.toolCall} />}
        {turn.text !== '' && turn.toolCall === null && (
          <p dir="auto" className="whitespace-pre-wrap">
            {turn.text}
          </p>
        )}
        {turn.spokenText !== null && turn.spokenText !== turn.text && (
          <p dir="auto" className="text-xs text-ink-soft">
            {strings.heard}: {turn.spokenText}
          </p>
        )}
        <Remarks turn={turn} />
      </div>
      {onPlay !== undefined && (
        <IconButton
          name={strings.goTo(time)}
          icon={<Play aria-hidden className="size-3.5" />}
          className="size-7"
          onClick={() => onPlay(turn.startMs)}
        />
      )}
    </li>
  );
};

const emptyText = (call: CallLog): string => {
  if (!isOver(call)) return strings.transcriptComing;
  return call.analysisStatus === 'pending' ? strings.transcriptPending : strings.transcriptEmpty;
};

export interface TranscriptProps {
  readonly call: CallLog;
  /** Asks again so often; undefined: not any more. */
  readonly everyMs: number | undefined;
  /** Where the recording plays, in milliseconds from its beginning. */
  readonly playsAt: number | undefined;
  readonly onPlay: ((ms: number) => void) | undefined;
}

export const Transcript = ({ call, everyMs, playsAt, onPlay }: TranscriptProps) => {
  const { rows, error, refresh, hasMore, isLoadingMore, loadMore } = useList(
    'calls.transcripts',
    { params: { callId: call.id }, query: { limit: pageSize } },
    { edition: editionOf(call), ...(everyMs === undefined ? {} : { everyMs }) },
  );
  // The transcript of the hand-over replaces the one that grew while the call lasted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new version of the call may bring other words
  useEffect(() => void refresh(), [call.updatedAt]);
  // A reader of a live call wants its newest words.
  const wantsMore = !isOver(call) && hasMore && !isLoadingMore && !error;
  const loadLatest = useRef(loadMore);
  loadLatest.current = loadMore;
  useEffect(() => {
    if (wantsMore) loadLatest.current();
  }, [wantsMore]);
  const playing = playsAt === undefined ? undefined : rows?.findLast(({ startMs }) => startMs <= playsAt);
  return (
    <Card title={strings.transcript}>
      {rows === undefined && (error ? <ErrorNote error={error} retry={() => void refresh()} /> : <Loading />)}
      {rows !== undefined && error ? <StaleNote error={error} retry={() => void refresh()} /> : null}
      {rows?.length === 0 && <p className="text-ink-soft">{emptyText(call)}</p>}
      {rows !== undefined && rows.length > 0 && (
        <ol className="-mx-2 flex flex-col" aria-live={isOver(call) ? 'off' : 'polite'}>
          {rows.map((turn) => (
            <TurnLine key={turn.seq} turn={turn} isPlaying={turn === playing} onPlay={onPlay} />
          ))}
        </ol>
      )}
      {rows !== undefined && <AnswerBars turns={rows} />}
      {hasMore && (
        <Button kind="quiet" busy={isLoadingMore} onClick={loadMore}>
          {isLoadingMore ? componentStrings.loadingMore : componentStrings.loadMore}
        </Button>
      )}
    </Card>
  );
};
