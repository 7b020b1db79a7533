// The frame of the view in its shadow root: where it stands on the page, and the launcher. The panel comes into it later.
import { h, setFact, setText } from './dom.js';
import { icon } from './icons.js';
import type { Look } from './model.js';

export interface Shell {
  readonly root: ShadowRoot;
  readonly frame: HTMLElement;
  /** Absent where the panel is always open. */
  readonly launcher: HTMLButtonElement | undefined;
  render(look: Look): void;
  remove(): void;
}

export interface ShellActions {
  toggle(): void;
  /** The visitor is about to open the panel. */
  prepare(): void;
}

/** Words, language and variant are fixed in a shell; another one is made when they change. */
export const createShell = (root: ShadowRoot, first: Look, { toggle, prepare }: ShellActions): Shell => {
  const { words, language, direction, variant, modes } = first;
  const text = h('span', { class: 'text' }, words.launcher);
  const facts = {
    ...{ type: 'button', class: 'launcher', part: 'launcher', 'aria-haspopup': 'dialog' },
    ...{ click: toggle, pointerenter: prepare, focus: prepare },
  };
  const picture = icon(modes.includes('voice') ? 'microphone' : 'chat');
  const launcher = variant === 'inline' ? undefined : h('button', facts, picture, text);
  const frame = h('div', { lang: language, dir: direction }, launcher);
  root.append(frame);
  return {
    ...{ root, frame, launcher },
    render: ({ words: { launcher: label }, position, phase, isOpen, isLoading }) => {
      const name = `frame ${variant} ${position}`;
      if (frame.className !== name) frame.className = name;
      setFact(frame, 'data-phase', phase);
      setFact(frame, 'data-open', isOpen);
      if (launcher === undefined) return;
      setText(text, label);
      setFact(launcher, 'aria-expanded', String(isOpen));
      setFact(launcher, 'aria-busy', isLoading ? 'true' : undefined);
    },
    remove: () => frame.remove(),
  };
};
