// The captions of both sides. They are not announced while they grow: a hidden live region tells each finished line once.
import type { Line } from '../conversation/transcript.js';
import { h, setFact, setText } from '../view/dom.js';
import type { Actions, Model, Part } from '../view/model.js';

interface Shown {
  readonly element: HTMLElement;
  update(line: Line): void;
}

const showLine = ({ words, config }: Model, { repeat }: Actions, { id, side }: Line): Shown => {
  const text = h('p', { class: 'said', dir: 'auto' });
  const again = h(
    'button',
    { type: 'button', class: 'again', part: 'button quiet', click: () => repeat(id) },
    words.sendAgain,
  );
  const fault = h('p', { class: 'fault', hidden: true }, `${words.undelivered} · `, again);
  const speaker = h('span', { class: 'hidden' }, `${side === 'agent' ? config.agentName : words.you}: `);
  const bubble = h('div', { class: 'bubble', part: `message message-${side}` }, speaker, text);
  const element = h('li', { class: `line ${side}` }, bubble, fault);
  return {
    element,
    update: (line) => {
      setText(text, line.text);
      element.classList.toggle('growing', !line.final);
      setFact(fault, 'hidden', line.undelivered !== true);
    },
  };
};

const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight < 60;

export const lines = (model: Model, actions: Actions): Part => {
  const shown = new Map<string, Shown>();
  const list = h('ol', { class: 'lines', role: 'list' });
  // Can be scrolled by keys, so it takes the focus.
  const element = h(
    'div',
    {
      class: 'transcript',
      part: 'transcript',
      tabindex: '0',
      role: 'region',
      'aria-label': model.words.conversation,
    },
    list,
  );
  const update = (now: Model): void => {
    const follows = isNearEnd(element);
    const kept = new Set(now.lines.map(({ id }) => id));
    for (const [id, { element: gone }] of shown)
      if (!kept.has(id)) {
        gone.remove();
        shown.delete(id);
      }
    for (const line of now.lines) {
      const one = shown.get(line.id) ?? showLine(now, actions, line);
      if (!shown.has(line.id)) {
        shown.set(line.id, one);
        list.append(one.element);
      }
      one.update(line);
    }
    if (follows) element.scrollTop = element.scrollHeight;
  };
  return { element, update };
};

/** Tells screen readers of finished lines of the agent, each once. */
export const announcer = (): Part => {
  const element = h('div', { class: 'hidden', role: 'log', 'aria-live': 'polite' });
  const told = new Set<string>();
  return {
    element,
    update: ({ lines: all, config, phase }) => {
      if (phase.name === 'connecting') told.clear();
      for (const { id, side, final, text } of all) {
        if (side !== 'agent' || !final || told.has(id)) continue;
        told.add(id);
        element.replaceChildren(h('p', {}, `${config.agentName}: ${text}`));
      }
    },
  };
};
