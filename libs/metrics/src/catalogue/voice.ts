// Spoken calls, as the platform is told of them and as the voice runtime sees its jobs.
import { instrument } from './definition.js';

/** The steps of a turn that the voice runtime measures (docs/voice-runtime.md). */
export const turnSteps = ['end_of_turn', 'recognition', 'first_token', 'first_sound', 'response'] as const;

export const turnTime = instrument({
  name: 'parlance.turn.time',
  kind: 'histogram',
  unit: 's',
  about:
    "Steps of spoken turns, as the voice runtime reports them. `response` is the time from the end of the caller's voice to the first sound of the answer.",
  place: 'service',
  labels: { 'parlance.turn.step': turnSteps },
  boundaries: [0.5, 1, 1.5, 2, 3],
});

export const modelFallbacks = instrument({
  name: 'parlance.model.fallbacks',
  kind: 'counter',
  unit: '{failure}',
  about: 'Models that failed in a spoken call, so that the next one of their list was used.',
  place: 'service',
  labels: {},
});

export const voiceCalls = instrument({
  name: 'parlance.voice.calls',
  kind: 'gauge',
  unit: '{call}',
  about: 'Calls that this voice runtime holds.',
  place: 'every',
  labels: {},
});

export const voiceJobsLost = instrument({
  name: 'parlance.voice.jobs.lost',
  kind: 'counter',
  unit: '{call}',
  about: 'Calls that ended because the process that held them was gone.',
  place: 'every',
  labels: {},
});
