// What every route is given.
import type { AudioScript } from './audio-script.js';
import type { OpenAiFaults } from './faults.js';
import type { ChatScript } from './script.js';

export interface Context {
  readonly faults: OpenAiFaults;
  readonly chat: ChatScript;
  readonly audio: AudioScript;
  /** Undefined: every model exists. */
  readonly models: readonly string[] | undefined;
  readonly nextId: (prefix: string) => string;
}
