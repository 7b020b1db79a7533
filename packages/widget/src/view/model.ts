// The content of the view, and the visitor's actions in it.
import type { Devices } from '../conversation/channel.js';
import type { Phase } from '../conversation/phase.js';
import type { Transcript } from '../conversation/transcript.js';
import type { Texts } from '../texts/english.js';
import type { Mode, WidgetConfig, WidgetTheme } from '../wire/shapes.js';

/** The model of the launcher. */
export interface Look {
  readonly words: Texts;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** The modes that the widget, this installation and the page all offer. */
  readonly modes: readonly Mode[];
  readonly variant: WidgetTheme['variant'];
  readonly position: WidgetTheme['position'];
  readonly phase: Phase['name'];
  readonly isOpen: boolean;
  /** The panel was asked for and is not here yet. */
  readonly isLoading: boolean;
}

/** The model of the panel. */
export interface Model extends Omit<Look, 'phase' | 'isLoading'> {
  readonly config: WidgetConfig;
  readonly phase: Phase;
  readonly lines: Transcript;
  readonly isMuted: boolean;
  readonly isSilenced: boolean;
  readonly isNearlyOver: boolean;
  readonly volume: number;
}

export interface Actions {
  close(): void;
  choose(mode: Mode): void;
  agree(): void;
  /** Ends a conversation, gives up on one that begins, or puts one away that is over. */
  end(): void;
  say(text: string): void;
  repeat(id: string): void;
  mute(isMuted: boolean): void;
  setVolume(volume: number): void;
  devices(): Promise<Devices> | undefined;
  chooseDevice(kind: 'input' | 'output', id: string): void;
  playSound(): void;
}

/** A part of the view: built once, changed as often as the model changes. */
export interface Part {
  readonly element: HTMLElement;
  update(model: Model): void;
  /** The control that gets the focus when the part appears; absent: none. */
  readonly first?: HTMLElement | undefined;
}
