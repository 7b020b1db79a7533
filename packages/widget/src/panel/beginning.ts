// The screens before a conversation: the welcome, the consent, the wait, and the problem that kept it from beginning.
import type { Problem } from '../conversation/problems.js';
import type { Texts } from '../texts/english.js';
import { h, setText } from '../view/dom.js';
import type { Actions, Model, Part } from '../view/model.js';
import { avatar, textButton } from './controls.js';

const page = (name: string, ...children: readonly (Node | undefined)[]): HTMLElement =>
  h('div', { class: `page ${name}` }, ...children);

export const welcome = ({ config, words, modes }: Model, { choose }: Actions): Part => {
  const hasVoice = modes.includes('voice');
  const voice = hasVoice
    ? textButton(words.start, 'primary', () => choose('voice'), 'microphone')
    : undefined;
  const text = modes.includes('text')
    ? textButton(
        hasVoice ? words.write : words.startWriting,
        hasVoice ? 'secondary' : 'primary',
        () => choose('text'),
        'chat',
      )
    : undefined;
  const element = page(
    'welcome',
    avatar(config, 'large'),
    h('p', { class: 'name', dir: 'auto' }, config.agentName),
    h('p', { class: 'muted' }, hasVoice ? words.welcomeVoice : words.welcomeText),
    h('div', { class: 'choices' }, voice, text),
  );
  return { element, first: voice ?? text, update: () => undefined };
};

export const consent = ({ config, words }: Model, { agree, end }: Actions): Part => {
  const { text, privacyUrl } = config.consent;
  const isSafe = privacyUrl !== null && URL.canParse(privacyUrl) && new URL(privacyUrl).protocol === 'https:';
  const link = isSafe
    ? h(
        'a',
        { href: privacyUrl, target: '_blank', rel: 'noopener noreferrer', part: 'link' },
        words.privacy,
        h('span', { class: 'hidden' }, ` (${words.newWindow})`),
      )
    : undefined;
  const accept = textButton(words.consentAccept, 'primary', agree);
  const element = page(
    'consent',
    h('h3', { tabindex: '-1' }, words.consentTitle),
    text === null ? undefined : h('p', { class: 'terms', tabindex: '0', dir: 'auto' }, text),
    link && h('p', {}, link),
    h('div', { class: 'choices' }, accept, textButton(words.back, 'quiet', end)),
  );
  return { element, first: accept, update: () => undefined };
};

const waitingWords = ({ phase, words, language }: Model): readonly [string, string] => {
  if (phase.name === 'queued') {
    const place = phase.position.toLocaleString(language);
    const position = phase.position <= 1 ? words.queueNext : words.queuePosition.replace('{n}', place);
    return [position, phase.text ?? words.queueWait];
  }
  const asksMicrophone = phase.name === 'connecting' && phase.mode === 'voice';
  return [`${words.connecting} …`, asksMicrophone ? words.allowMicrophone : ''];
};

export const waiting = (model: Model, { end }: Actions): Part => {
  const title = h('p', { class: 'name' });
  const hint = h('p', { class: 'muted' });
  const leave = textButton(model.words.cancel, 'secondary', end);
  const element = page(
    'waiting',
    avatar(model.config, 'large'),
    title,
    hint,
    h('div', { class: 'choices' }, leave),
  );
  element.classList.add('busy');
  return {
    element,
    first: leave,
    update: (now) => {
      const [main, more] = waitingWords(now);
      setText(title, main);
      setText(hint, more);
      const label = now.phase.name === 'queued' ? now.words.leaveQueue : now.words.cancel;
      setText(leave.lastElementChild ?? leave, label);
    },
  };
};

const problemWords: Readonly<Record<Problem, keyof Texts>> = {
  'microphone-blocked': 'problemMicrophoneBlocked',
  'microphone-missing': 'problemMicrophoneMissing',
  'microphone-busy': 'problemMicrophoneBusy',
  'microphone-unsupported': 'problemMicrophoneUnsupported',
  offline: 'problemOffline',
  busy: 'problemBusy',
  limit: 'problemLimit',
  budget: 'problemBudget',
  'not-available': 'problemNotAvailable',
  'consent-changed': 'problemConsentChanged',
  'visitor-token': 'problemVisitorToken',
  media: 'problemMedia',
  'no-agent': 'problemBusy',
  unknown: 'problemUnknown',
};

/** Writing helps where only the voice failed. */
const isOfVoice = (problem: Problem): boolean => problem.startsWith('microphone') || problem === 'media';

export const failed = ({ phase, words, modes }: Model, { choose, end }: Actions): Part => {
  if (phase.name !== 'failed') return { element: page('failed'), update: () => undefined };
  const { problem, mode } = phase;
  const again = textButton(words.tryAgain, 'primary', () => choose(mode));
  const write =
    isOfVoice(problem) && modes.includes('text')
      ? textButton(words.write, 'secondary', () => choose('text'), 'chat')
      : undefined;
  const element = page(
    'failed',
    h('p', { class: 'problem', part: 'problem' }, words[problemWords[problem]]),
    h('div', { class: 'choices' }, again, write, textButton(words.back, 'quiet', end)),
  );
  return { element, first: write ?? again, update: () => undefined };
};
