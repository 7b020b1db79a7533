// Streamed answers on the wire. The first reply is an ordinary one: a refusal, or the subject on which the service hears
// the reader. Then frames follow, numbered from 1. Both sides say every two seconds that they are still there.
import type { WireError } from '@parlance/errors';

/** The data of the first reply. */
export interface Opening {
  /** The subject on which the service hears its reader. */
  readonly control: string;
}

/** A message from the service to its reader. A frame without a number says that the service is still at work. */
export type Frame =
  | { readonly seq: number; readonly event: string; readonly data: unknown }
  | { readonly seq: number; readonly error: WireError }
  | { readonly seq: number; readonly end: true }
  | { readonly beat: true };

/** A message from the reader to the service: the number of the last frame that was read, or that the reader has gone. */
export type Word = { readonly read: number } | { readonly gone: true };

/** So many frames may be on their way. The service waits until the reader has read some of them. */
export const windowFrames = 32;
export const beatMs = 2_000;
/** A side that was silent for so long is gone. */
export const silenceMs = 8_000;
