// The whole view in its shadow root: launcher, panel, and the screen that fits the phase. Focus follows the visitor's way.
import type { Phase } from '../conversation/phase.js';
import { consent, failed, waiting, welcome } from './beginning.js';
import { avatar, iconButton } from './controls.js';
import { h, setFact, setText } from './dom.js';
import { icon } from './icons.js';
import { announcer } from './lines.js';
import type { Actions, Model, Part } from './model.js';
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

export interface View {
  render(model: Model): void;
  remove(): void;
}

/** Words, language and variant are fixed in a view; another one is made when they change. */
export const createView = (root: ShadowRoot, first: Model, actions: Actions): View => {
  const { words, config, language, direction } = first;
  const isInline = first.variant === 'inline';
  const launcherText = h('span', { class: 'text' });
  const launcher = h(
    'button',
    {
      ...{ type: 'button', class: 'launcher', part: 'launcher', 'aria-controls': 'panel' },
      click: () => (launcher.getAttribute('aria-expanded') === 'true' ? actions.close() : actions.open()),
    },
    icon(first.modes.includes('voice') ? 'microphone' : 'chat'),
    launcherText,
  );
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
  const panel = h(
    'section',
    {
      ...{ id: 'panel', class: 'panel', part: 'panel', tabindex: '-1', 'aria-labelledby': 'title' },
      role: isInline ? 'region' : 'dialog',
      keydown: (event) => {
        if (!(event instanceof KeyboardEvent)) return;
        if (event.key === 'Escape' && !isInline) actions.close();
        keepFocus(panel, root, event);
      },
    },
    header,
    body,
    said.element,
  );
  const frame = h(
    'div',
    { class: 'frame', lang: language, dir: direction },
    panel,
    isInline ? undefined : launcher,
  );
  root.append(frame);
  const phones = matchMedia(phone);

  let screen: Screen | undefined;
  let part: Part | undefined;
  let phase: Phase['name'] | undefined;
  let wasOpen = isInline;

  const show = (model: Model): void => {
    const wanted = screenOf(model.phase);
    const hadFocus = body.contains(root.activeElement);
    // Another failure, another try: the screen is built anew.
    if (wanted !== screen || (wanted === 'failed' && phase !== 'failed') || phase === 'ended') {
      if (wanted !== screen || model.phase.name !== 'ended') {
        part = screens[wanted](model, actions);
        body.replaceChildren(part.element);
        screen = wanted;
      }
    }
    part?.update(model);
    if (hadFocus && !body.contains(root.activeElement)) (part?.first ?? panel).focus();
    phase = model.phase.name;
  };

  const render = (model: Model): void => {
    const isOpen = isInline || model.isOpen;
    const agent = model.phase.name === 'talking' || model.phase.name === 'typing' ? model.phase.agent : '';
    frame.className = `frame ${first.variant} ${model.position}`;
    setFact(frame, 'data-phase', model.phase.name);
    setFact(frame, 'data-agent', agent);
    setFact(frame, 'data-open', isOpen);
    setFact(panel, 'hidden', !isOpen);
    setFact(panel, 'aria-modal', !isInline && phones.matches ? 'true' : undefined);
    setFact(launcher, 'aria-expanded', String(isOpen));
    setText(launcherText, words.launcher);
    setText(status, statusOf(model));
    show(model);
    said.update(model);
    if (!isInline && isOpen !== wasOpen) {
      if (isOpen) (part?.first ?? panel).focus();
      else if (root.activeElement === null || panel.contains(root.activeElement)) launcher.focus();
    }
    wasOpen = isOpen;
  };
  return { render, remove: () => frame.remove() };
};
