// Every instrument of the platform. docs/metrics.md is written from it, and boards and rules are held to it.

import * as calls from './calls.js';
import type { InstrumentDefinition } from './definition.js';
import * as events from './events.js';
import * as process from './process.js';
import * as requests from './requests.js';
import * as runtime from './runtime.js';
import { modelFallbacks, turnTime, voiceCalls, voiceJobsLost } from './voice.js';
import * as work from './work.js';

export interface Chapter {
  readonly title: string;
  readonly instruments: readonly InstrumentDefinition[];
}

export const chapters: readonly Chapter[] = [
  { title: 'Requests', instruments: Object.values(requests) },
  { title: 'Calls', instruments: Object.values(calls) },
  { title: 'Spoken calls', instruments: [turnTime, modelFallbacks, voiceCalls, voiceJobsLost] },
  { title: 'Events between services', instruments: Object.values(events) },
  { title: 'Work beside calls', instruments: Object.values(work) },
  { title: 'The process', instruments: Object.values(process) },
  { title: 'The runtime', instruments: Object.values(runtime) },
];

export const catalogue: readonly InstrumentDefinition[] = chapters.flatMap(({ instruments }) => instruments);

/** Most sets of labels that each instrument may have in a process, by its name: the limits of the SDK. */
export const setLimits: ReadonlyMap<string, number> = new Map(
  catalogue.flatMap(({ name, mostSets }) => (mostSets === undefined ? [] : [[name, mostSets] as const])),
);
