// The panel: its header, and the screen that fits the phase. Focus follows the visitor's way.
import type { Phase } from '../conversation/phase.js';
import { h, setFact, setText } from '../view/dom.js';
import type { Actions, Model, Part } from '../view/model.js';
import type { Shell } from '../view/shell.js';
import { consent, failed, waiting, welcome } from './beginning.js';
import { avatar, iconButton } from './controls.js';
import { announcer } from './lines.js';
import { talk } from './talk.js';

const screens = { welcome, consent, waiting, talk, failed } as const;
type Screen = keyof typeof screens;

const screenOf = (phase: Phase): Screen => {
  switch (phase.name) {
    case 'idle':
      return 'welcome';
    case 'connecting':
    case 'queued':
      return 'waiting';
    case 'consent':
    case 'failed':
      return phase.name;
    default:
      return 'talk';
  }
};

const statusOf = ({ phase, words }: Model): string => {
  switch (phase.name) {
    case 'connecting':
      return words.connecting;
    case 'reconnecting':
      return words.reconnecting;
    case 'talking':
    case 'typing':
      if (phase.agent === 'speaking') return words.speaking;
      if (phase.agent === 'thinking') return words.thinking;
      return phase.agent === 'initializing' ? words.connecting : words.listening;
    default:
      return '';
  }
};

const focusable = 'button,a[href],input,select,[tabindex="0"]';
const phone = '(max-width: 480px)';

/** Keeps Tab inside the panel where it covers the whole screen. */
const keepFocus = (panel: HTMLElement, root: ShadowRoot, event: KeyboardEvent): void => {
  if (event.key !== 'Tab' || panel.getAttribute('aria-modal') !== 'true') return;
  const all = [...panel.querySelectorAll<HTMLElement>(focusable)].filter(
    (one) => one.getClientRects().length > 0,
  );
  const edge = event.shiftKey ? all[0] : all.at(-1);
  const isAtEdge = root.activeElement === edge || root.activeElement === panel;
  if (!isAtEdge) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0])?.focus();
};

export interface Panel {
  render(model: Model): void;
}

/** Words and variant are fixed in a panel, as in its shell. */
export const createPanel = (shell: Shell, first: Model, actions: Actions): Panel => {
  const { words, config } = first;
  const { root, frame, launcher } = shell;
  const isInline = launcher === undefined;
  const status = h('p', { class: 'status', role: 'status' });
  const header = h(
    'header',
    { part: 'header' },
    avatar(config, 'small'),
    h('div', { class: 'titles' }, h('h2', { id: 'title' }, words.title), status),
    isInline ? undefined : iconButton(words.close, 'down', actions.close),
  );
  const body = h('div', { class: 'body', part: 'body' });
  const said = announcer();
  const keydown = (event: Event): void => {
    if (!(event instanceof KeyboardEvent)) return;
    if (event.key === 'Escape' && !isInline) actions.close();
    keepFocus(panel, root, event);
  };
  const panel = h(
    'section',
    {
      ...{ id: 'panel', class: 'panel', part: 'panel', tabindex: '-1', 'aria-labelledby': 'title' },
      ...{ role: isInline ? 'region' : 'dialog', hidden: true, keydown },
    },
    header,
    body,
    said.element,
  );
  frame.prepend(panel);
  if (launcher !== undefined) setFact(launcher, 'aria-controls', 'panel');
  const phones = matchMedia(phone);
  let screen: Screen | undefined;
  let part: Part | undefined;
  let phase: Phase['name'] | undefined;
  let wasOpen = isInline;

  /** True for the first render of a screen, and for another try on the same one. */
  const isNew = (wanted: Screen, now: Phase['name']): boolean =>
    wanted !== screen || (now !== phase && (now === 'failed' || phase === 'ended'));

  const show = (model: Model): void => {
    const wanted = screenOf(model.phase);
    const hadFocus = body.contains(root.activeElement);
    if (isNew(wanted, model.phase.name)) {
      part = screens[wanted](model, actions);
      body.replaceChildren(part.element);
      screen = wanted;
    }
    part?.update(model);
    // The control that had the focus is gone or hidden: the visitor goes on at the next one.
    if (hadFocus && (root.activeElement as HTMLElement | null)?.checkVisibility() !== true)
      (part?.first ?? panel).focus();
    phase = model.phase.name;
  };

  const render = (model: Model): void => {
    const isOpen = isInline || model.isOpen;
    const agent = 'agent' in model.phase ? model.phase.agent : '';
    setFact(frame, 'data-agent', agent);
    setFact(panel, 'hidden', !isOpen);
    setFact(panel, 'aria-modal', !isInline && phones.matches ? 'true' : undefined);
    setText(status, statusOf(model));
    show(model);
    said.update(model);
    if (isOpen && !wasOpen) (part?.first ?? panel).focus();
    if (!isOpen && wasOpen && !body.contains(document.activeElement)) launcher?.focus();
    wasOpen = isOpen;
  };
  return { render };
};
