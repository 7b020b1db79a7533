// The events of the element. All but `error` bubble and leave the shadow of other elements. A bubbling `error` would look
// like an error of the page's scripts.
import type { EndReason } from '../conversation/phase.js';
import type { Line } from '../conversation/transcript.js';
import type { Mode } from '../wire/shapes.js';

export interface CallStart {
  readonly sessionId: string;
  readonly mode: Mode;
}

export interface CallEnd {
  readonly sessionId: string;
  readonly reason: EndReason;
  readonly seconds: number;
}

export interface CallError {
  /** Code of the platform, or of the element, such as MICROPHONE_BLOCKED. */
  readonly code: string;
  /** English, for developers. */
  readonly message: string;
}

export interface VoiceAgentEvents {
  readonly 'call-start': CustomEvent<CallStart>;
  readonly transcript: CustomEvent<Line>;
  /** Once for each `call-start`. */
  readonly ended: CustomEvent<CallEnd>;
  readonly error: CustomEvent<CallError>;
}
