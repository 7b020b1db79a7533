// The recording of a call. Its link ends after some minutes: a new one takes its place without the listener losing the spot.
import type { CallLog } from '@parlance/client';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Notice } from '../../components/status.js';
import { Moment } from '../../components/values.js';
import { invalidate } from '../../data/queries.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';
import { durationText } from '../../strings/format.js';
import { aheadMs, type Link, linkIn, msLeftOf } from './recording-link.js';

type Told = CallLog['recording'];

const msOfSecond = 1_000;
/** The link that plays. Each reading of the call brings another one, and a player that got it would start anew. */
const useLink = (told: Told): readonly [Link | undefined, drop: () => void] => {
  const [held, setHeld] = useState<Link>();
  const newest = linkIn(told);
  const isStale = held !== undefined && (newest === undefined || newest.endsAt - held.endsAt > aheadMs);
  const isEnding = held !== undefined && msLeftOf(held) <= 0;
  if (held === undefined ? newest !== undefined : isStale && (newest === undefined || isEnding))
    setHeld(newest);
  useEffect(() => {
    if (held === undefined) return undefined;
    const timer = setTimeout(() => void invalidate('calls.get'), msLeftOf(held));
    return () => clearTimeout(timer);
  }, [held]);
  return [held, () => setHeld(undefined)];
};

interface PlayerProps {
  readonly link: Link;
  readonly player: RefObject<HTMLAudioElement | null>;
  /** Told while the recording plays. @param ms from its beginning */
  readonly onTime: (ms: number) => void;
  readonly onFailed: () => void;
}

const Player = ({ link, player, onTime, onFailed }: PlayerProps) => {
  const spot = useRef({ seconds: 0, isPlaying: false });
  const note = (element: HTMLAudioElement): void => {
    spot.current = { seconds: element.currentTime, isPlaying: !element.paused };
  };
  return (
    // biome-ignore lint/a11y/useMediaCaption: the transcript beside it has the words
    <audio
      ref={player}
      controls
      preload="metadata"
      src={link.url}
      aria-label={strings.recordingOf}
      className="w-full"
      onLoadedMetadata={({ currentTarget }) => {
        const { seconds, isPlaying } = spot.current;
        if (seconds > 0) currentTarget.currentTime = seconds;
        if (isPlaying) void currentTarget.play();
      }}
      onPlay={({ currentTarget }) => note(currentTarget)}
      onPause={({ currentTarget }) => note(currentTarget)}
      onTimeUpdate={({ currentTarget }) => {
        // A player that is given another link tells the beginning of it first.
        if (currentTarget.readyState === HTMLMediaElement.HAVE_NOTHING) return;
        note(currentTarget);
        onTime(currentTarget.currentTime * msOfSecond);
      }}
      onError={onFailed}
    />
  );
};

/** Why there is nothing to listen to. */
const Reason = ({ told: { durationSeconds, deletedAt } }: { readonly told: Told }) => {
  if (deletedAt !== null)
    return (
      <p className="text-ink-soft">
        {strings.recordingDeleted} <Moment at={deletedAt} />
      </p>
    );
  const text =
    durationSeconds === null
      ? strings.recordingNone
      : strings.recordingOutOfReach(durationText(durationSeconds * msOfSecond));
  return <p className="text-ink-soft">{text}</p>;
};

export const Recording = ({
  recording,
  player,
  onTime,
}: {
  readonly recording: Told;
  readonly player: RefObject<HTMLAudioElement | null>;
  readonly onTime: (ms: number) => void;
}) => {
  const [link, drop] = useLink(recording);
  const [hasFailed, setHasFailed] = useState(false);
  const retry = async (): Promise<void> => {
    await invalidate('calls.get');
    drop();
    setHasFailed(false);
  };
  return (
    <Card title={strings.recording}>
      {link === undefined && <Reason told={recording} />}
      {link !== undefined && !hasFailed && (
        <Player link={link} player={player} onTime={onTime} onFailed={() => setHasFailed(true)} />
      )}
      {link !== undefined && hasFailed && (
        <div className="flex flex-col items-start gap-3">
          <Notice tone="attention">{strings.recordingFailed}</Notice>
          <Button kind="secondary" onClick={() => void retry()}>
            {strings.recordingRetry}
          </Button>
        </div>
      )}
    </Card>
  );
};
