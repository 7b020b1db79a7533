// Records both directions of a line where the agent's configuration wants it.
import {
  type Abilities,
  type FinishedCall,
  Recorder,
  type RuntimeConfiguration,
} from '@parlance/fake-livekit';
import { heardRate } from './heard.js';
import type { Line } from './line.js';

/** Undefined where the agent records nothing. */
export const recorderFor = (config: RuntimeConfiguration): Recorder | undefined =>
  config.recording.enabled ? new Recorder() : undefined;

/** The line, of which the recorder gets all that the agent says, as far as it was said. */
export const recorded = <L extends Pick<Line, 'say'>>(
  line: L,
  recorder: Recorder | undefined,
  answeredAt: Date,
): L => {
  if (recorder === undefined) return line;
  const say: Line['say'] = async (sound, until) => {
    const begun = Date.now();
    await line.say(sound, until).finally(() => {
      recorder.add('agent', sound, begun - answeredAt.getTime(), Date.now() - begun);
    });
  };
  return { ...line, say };
};

/** Takes the samples of the other party as they come. */
export const recordHeard =
  (recorder: Recorder | undefined, answeredAt: Date) =>
  (samples: Int16Array): void =>
    recorder?.hear(samples, heardRate, Date.now() - answeredAt.getTime());

/** A call without its recording is better than no call: a failure is told, and the hand-over names no recording. */
export const upload = async (
  recorder: Recorder | undefined,
  abilities: Abilities | undefined,
  failed: (error: unknown) => void,
): Promise<FinishedCall['recording']> => {
  const file = recorder?.finish();
  if (file === undefined || abilities === undefined) return null;
  return abilities.upload(file).catch((error: unknown) => {
    failed(error);
    return null;
  });
};
