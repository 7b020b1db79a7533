// The state of a knowledge source, as a badge.
import type { KnowledgeSource } from '@parlance/client';
import { sourceStrings as strings } from '../strings/source-words.js';
import { StatusBadge, type Tone } from './status.js';
import { Moment } from './values.js';

const tones: Readonly<Record<KnowledgeSource['status'], Tone>> = {
  pending: 'neutral',
  processing: 'accent',
  reprocessing: 'accent',
  ready: 'good',
  failed: 'bad',
};

const Waiting = ({
  waiting: { error, tries, maxTries, nextTryAt },
}: {
  readonly waiting: NonNullable<KnowledgeSource['waiting']>;
}) => (
  <span className="text-xs text-danger">
    {strings.waiting(tries, maxTries)} {error.message}
    <span className="block text-ink-soft">
      {strings.nextTry} <Moment at={nextTryAt} />
    </span>
  </span>
);

export const SourceStatus = ({ source }: { readonly source: KnowledgeSource }) => (
  <span className="inline-flex flex-col gap-0.5">
    <span>
      <StatusBadge tone={tones[source.status]}>{strings.states[source.status]}</StatusBadge>
    </span>
    {source.error !== null && (
      <span className="text-xs text-danger">
        {strings.errors[source.error.code]}
        <span className="block text-ink-soft">{source.error.message}</span>
      </span>
    )}
    {source.waiting && <Waiting waiting={source.waiting} />}
    {source.warnings?.map(({ message, url }) => (
      <span key={`${url} ${message}`} className="text-xs text-ink-soft">
        {url !== null && <span className="block">{url}</span>}
        {message}
      </span>
    ))}
    {source.progress !== null && (
      <span className="text-xs text-ink-soft">
        {strings.progress(source.progress.pagesDone, source.progress.pagesFound)}
      </span>
    )}
  </span>
);

/** Something will change by itself soon. */
export const isBeingRead = ({ status }: KnowledgeSource): boolean =>
  status === 'pending' || status === 'processing' || status === 'reprocessing';
