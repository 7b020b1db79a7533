// The recording of a call.
import type { CallLog } from '@parlance/client';
import type { Ref } from 'react';
import { Card } from '../../components/card.js';
import { durationText } from '../../components/format.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';

const msOfSecond = 1_000;

/** Why there is nothing to listen to. */
const reasonOf = ({ available, durationSeconds, deletedAt }: CallLog['recording']): string => {
  if (deletedAt !== null) return strings.recordingDeleted;
  if (!available) return strings.recordingNone;
  return strings.recordingKept(durationText((durationSeconds ?? 0) * msOfSecond));
};

export const Recording = ({
  recording,
  player,
  onTime,
}: {
  readonly recording: CallLog['recording'];
  readonly player: Ref<HTMLAudioElement>;
  /** Told while the recording plays. @param ms from its beginning */
  readonly onTime: (ms: number) => void;
}) => (
  <Card title={strings.recording}>
    {recording.url === null ? (
      <p className="text-ink-soft">{reasonOf(recording)}</p>
    ) : (
      // biome-ignore lint/a11y/useMediaCaption: the transcript beside it has the words
      <audio
        ref={player}
        controls
        preload="metadata"
        src={recording.url}
        aria-label={strings.recordingOf}
        className="w-full"
        onTimeUpdate={({ currentTarget }) => onTime(currentTarget.currentTime * msOfSecond)}
      />
    )}
  </Card>
);
