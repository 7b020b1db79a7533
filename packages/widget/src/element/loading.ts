// Loads the parts that a page view does not need. The script loads files of its own version from the platform; the
// package imports them.
import type { ConnectVoice } from '../conversation/channel.js';
import type { PanelModule } from '../panel/module.js';
import type { Texts } from '../texts/english.js';
import type { Translated } from '../texts/languages.js';

export interface Loading {
  panel(server: string): Promise<PanelModule>;
  voice(server: string): Promise<ConnectVoice>;
  texts(language: Translated, server: string): Promise<Texts>;
  /** Origin of the platform where the page names none. */
  readonly server: string | undefined;
}
