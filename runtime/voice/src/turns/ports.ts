// What turns are decided for and about: the mouth, the conversation, and the voice of the caller.
import type { ConversationEvent } from '@parlance/conversation';

export interface Spoken {
  /** The words that were heard. */
  readonly spokenText: string;
  readonly interrupted: boolean;
  /** Set when no provider of speech is left. */
  readonly error?: Error;
}

/** One utterance of the agent. */
export interface Utterance {
  /** The time of its first sound; undefined when it ended without one. */
  readonly started: Promise<number | undefined>;
  readonly done: Promise<Spoken>;
  /** Milliseconds of audio that are left to play; undefined while the text still grows. */
  remainingMs(): number | undefined;
  interrupt(): void;
}

export interface Mouth {
  say(text: AsyncIterable<string>): Utterance;
  /** Silence at once; what is left plays after `resume`. */
  pause(): void;
  resume(): void;
}

export interface ConversationPort {
  /** The language model that answers first; null where rules answer. */
  readonly model: string | null;
  /** Nothing but the end of the call follows. */
  readonly isOver: boolean;
  opening(): string | Promise<string>;
  answer(text: string, options: { readonly signal: AbortSignal }): AsyncIterable<ConversationEvent>;
  heard(heard: { readonly spokenText: string; readonly interrupted: boolean }): void;
}

export type EndedReason =
  | 'agent_hangup'
  | 'user_hangup'
  | 'silence_timeout'
  | 'max_duration_reached'
  | 'error_stt'
  | 'error_tts'
  | 'error_llm'
  | 'error_runtime';

export interface Ending {
  readonly reason: string;
  readonly at: Date;
}

/** Voice that ended. */
export interface VoiceSegment {
  readonly voiceMs: number;
  /** Silence since its end. */
  readonly silenceMs: number;
  /** The words in it; empty for a noise. Rejects when no recognizer is left. */
  readonly words: Promise<string>;
  /** How sure a model is that the turn is over, from 0 to 1; undefined without one, and when it failed. */
  readonly finished?: Promise<number | undefined>;
}

/** What was heard of a turn, or typed. */
export interface Heard {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly voiceEndedAt: number | undefined;
  readonly recognitionMs: number | undefined;
}
