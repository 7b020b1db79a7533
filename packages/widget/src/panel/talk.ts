// A conversation that is under way or just over: captions, the message to write, and the controls.
import { type EndReason, liveMode } from '../conversation/phase.js';
import type { Texts } from '../texts/english.js';
import { h, setFact, setText } from '../view/dom.js';
import { icon } from '../view/icons.js';
import type { Actions, Model, Part } from '../view/model.js';
import { iconButton, textButton } from './controls.js';
import { lines } from './lines.js';
import { sound } from './sound.js';

const endWords: Readonly<Record<EndReason, keyof Texts>> = {
  visitor: 'endedVisitor',
  agent: 'endedAgent',
  time: 'endedTime',
  network: 'endedNetwork',
  page: 'endedVisitor',
};

const longestMessage = '2000';

const composer = ({ words }: Model, { say }: Actions): { form: HTMLFormElement; field: HTMLInputElement } => {
  const field = h('input', {
    ...{ type: 'text', class: 'message', part: 'input', maxlength: longestMessage, autocomplete: 'off' },
    ...{ placeholder: words.message, 'aria-label': words.message, enterkeyhint: 'send', dir: 'auto' },
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = field.value.trim();
    if (text === '') return;
    field.value = '';
    say(text);
  };
  const send = h(
    'button',
    { class: 'round accent', part: 'icon-button', 'aria-label': words.send, title: words.send },
    icon('send'),
  );
  return { form: h('form', { class: 'composer', submit }, field, send), field };
};

const duration = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

export const talk = (model: Model, actions: Actions): Part => {
  const { words } = model;
  const { mute, end, choose, playSound } = actions;
  const transcript = lines(model, actions);
  const settings = sound(model, actions);
  const notice = h('p', { class: 'notice', role: 'status' });
  const unblock = textButton(words.playSound, 'primary', playSound, 'sound');
  let isMuted = false;
  const muteButton = iconButton(words.mute, 'microphone', () => mute(!isMuted));
  const soundButton = iconButton(words.settings, 'sliders', () => {
    const shows = settings.element.hidden;
    setFact(settings.element, 'hidden', !shows);
    setFact(soundButton, 'aria-expanded', String(shows));
    if (shows) settings.refresh();
  });
  setFact(soundButton, 'aria-expanded', 'false');
  setFact(soundButton, 'aria-controls', 'sound');
  const { form, field } = composer(model, actions);
  const endButton = textButton(words.end, 'stop', end, 'hangUp');
  const bar = h('div', { class: 'bar', part: 'controls' }, muteButton, soundButton, endButton);
  const summary = h('p', { class: 'summary' });
  let mode = liveMode(model.phase) ?? 'text';
  const over = h(
    'div',
    { class: 'over', hidden: true },
    summary,
    h(
      'div',
      { class: 'choices' },
      textButton(words.again, 'primary', () => choose(mode)),
      textButton(words.back, 'quiet', end),
    ),
  );
  const element = h(
    'div',
    { class: 'talk' },
    transcript.element,
    notice,
    unblock,
    settings.element,
    form,
    bar,
    over,
  );

  const noticeOf = ({ phase, isNearlyOver, isMuted: silent }: Model): string => {
    if (phase.name === 'reconnecting') return `${words.reconnecting} …`;
    if (isNearlyOver) return words.nearlyOver;
    return silent ? words.muted : '';
  };

  const update = (now: Model): void => {
    const { phase } = now;
    mode = liveMode(phase) ?? mode;
    const isOver = phase.name === 'ended';
    const isVoice = mode === 'voice';
    transcript.update(now);
    settings.update(now);
    setText(notice, noticeOf(now));
    setFact(notice, 'data-empty', notice.textContent === '');
    setFact(unblock, 'hidden', !now.isSilenced || isOver);
    for (const control of [form, bar]) setFact(control, 'hidden', isOver);
    for (const control of [muteButton, soundButton]) setFact(control, 'hidden', !isVoice);
    if (isOver) setFact(settings.element, 'hidden', true);
    if (now.isMuted !== isMuted) {
      isMuted = now.isMuted;
      muteButton.replaceChildren(icon(isMuted ? 'muted' : 'microphone'));
      setFact(muteButton, 'aria-label', isMuted ? words.unmute : words.mute);
      setFact(muteButton, 'title', isMuted ? words.unmute : words.mute);
      muteButton.classList.toggle('on', isMuted);
    }
    setFact(over, 'hidden', !isOver);
    if (isOver) setText(summary, `${words[endWords[phase.reason]]} (${duration(phase.seconds)})`);
  };
  return { element, first: mode === 'voice' ? muteButton : field, update };
};
