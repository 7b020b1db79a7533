// The states of a conversation, and which follows which. Pure: the conversation acts, this file decides where it stands.
import type { Mode } from '../wire/shapes.js';
import type { Problem } from './problems.js';

export type AgentState = 'initializing' | 'listening' | 'thinking' | 'speaking';
/** The reason why a conversation that had begun is over. */
export type EndReason = 'visitor' | 'agent' | 'time' | 'network' | 'page';

export type Phase =
  | { readonly name: 'idle' }
  | { readonly name: 'consent'; readonly mode: Mode }
  | { readonly name: 'connecting'; readonly mode: Mode }
  | {
      readonly name: 'queued';
      readonly mode: Mode;
      /** 1: next. */
      readonly position: number;
      readonly text: string | null;
    }
  | { readonly name: 'talking'; readonly agent: AgentState }
  | { readonly name: 'typing'; readonly agent: AgentState }
  | { readonly name: 'reconnecting'; readonly mode: Mode }
  | { readonly name: 'ended'; readonly reason: EndReason; readonly seconds: number }
  | { readonly name: 'failed'; readonly mode: Mode; readonly problem: Problem };

export type Happening =
  | { readonly type: 'chosen'; readonly mode: Mode; readonly needsConsent: boolean }
  | { readonly type: 'agreed' }
  | { readonly type: 'queued'; readonly position: number; readonly text: string | null }
  | { readonly type: 'admitted' }
  | { readonly type: 'connected' }
  | { readonly type: 'agent'; readonly state: AgentState }
  | { readonly type: 'lost' }
  | { readonly type: 'recovered' }
  | { readonly type: 'finished'; readonly reason: EndReason; readonly seconds: number }
  | { readonly type: 'failed'; readonly problem: Problem }
  | { readonly type: 'withdrawn' };

export const idle: Phase = { name: 'idle' };

const liveIn = (mode: Mode): Phase =>
  mode === 'voice' ? { name: 'talking', agent: 'initializing' } : { name: 'typing', agent: 'listening' };

/** The mode of a conversation that is live; undefined otherwise. */
export const liveMode = (phase: Phase): Mode | undefined => {
  switch (phase.name) {
    case 'talking':
      return 'voice';
    case 'typing':
      return 'text';
    case 'reconnecting':
      return phase.mode;
    default:
      return undefined;
  }
};

const isBeginning = ({ name }: Phase): boolean =>
  name === 'consent' || name === 'connecting' || name === 'queued';

const beginning = (phase: Phase, happening: Happening): Phase => {
  if (phase.name !== 'consent' && phase.name !== 'connecting' && phase.name !== 'queued') return phase;
  const { mode } = phase;
  switch (happening.type) {
    case 'agreed':
      return phase.name === 'consent' ? { name: 'connecting', mode } : phase;
    case 'queued':
      return phase.name === 'consent'
        ? phase
        : { name: 'queued', mode, position: happening.position, text: happening.text };
    case 'admitted':
      return phase.name === 'queued' ? { name: 'connecting', mode } : phase;
    case 'connected':
      return phase.name === 'connecting' ? liveIn(mode) : phase;
    case 'failed':
      return { name: 'failed', mode, problem: happening.problem };
    case 'withdrawn':
      return idle;
    default:
      return phase;
  }
};

const live = (phase: Phase, mode: Mode, happening: Happening): Phase => {
  switch (happening.type) {
    case 'agent':
      return phase.name === 'talking' || phase.name === 'typing'
        ? { ...phase, agent: happening.state }
        : phase;
    case 'lost':
      return { name: 'reconnecting', mode };
    case 'recovered':
      return phase.name === 'reconnecting' ? liveIn(mode) : phase;
    case 'finished':
      return { name: 'ended', reason: happening.reason, seconds: happening.seconds };
    default:
      return phase;
  }
};

/** The phase after something happened. A happening that means nothing in a phase leaves the phase as it is. */
export const next = (phase: Phase, happening: Happening): Phase => {
  const mode = liveMode(phase);
  if (mode !== undefined) return live(phase, mode, happening);
  if (isBeginning(phase)) return beginning(phase, happening);
  if (happening.type === 'chosen')
    return { name: happening.needsConsent ? 'consent' : 'connecting', mode: happening.mode };
  return happening.type === 'withdrawn' ? idle : phase;
};
