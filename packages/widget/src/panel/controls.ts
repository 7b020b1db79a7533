// Buttons that all screens share, and the picture of the agent.

import { h } from '../view/dom.js';
import { type Icon, icon } from '../view/icons.js';
import type { WidgetConfig } from '../wire/shapes.js';

export const textButton = (
  label: string,
  kind: 'primary' | 'secondary' | 'stop' | 'quiet',
  click: () => void,
  picture?: Icon,
): HTMLButtonElement =>
  h(
    'button',
    { type: 'button', class: `button ${kind}`, part: `button ${kind}`, click },
    picture && icon(picture),
    h('span', {}, label),
  );

export const iconButton = (label: string, picture: Icon, click: () => void): HTMLButtonElement =>
  h(
    'button',
    { type: 'button', class: 'round', part: 'icon-button', 'aria-label': label, title: label, click },
    icon(picture),
  );

const isPicture = (url: string | null): url is string =>
  url !== null && URL.canParse(url) && new URL(url).protocol === 'https:';

/** The picture that the organization chose, or the first letter of the agent's name. */
export const avatar = ({ theme, agentName }: WidgetConfig, size: 'small' | 'large'): HTMLElement => {
  const { avatarUrl } = theme;
  const letter = [...agentName.trim()][0]?.toUpperCase() ?? '';
  const picture = h('span', { class: `avatar ${size}`, part: 'avatar', 'aria-hidden': 'true' }, letter);
  if (isPicture(avatarUrl)) {
    const image = h('img', { src: avatarUrl, alt: '', referrerpolicy: 'no-referrer', decoding: 'async' });
    // A picture that does not load leaves the letter.
    image.addEventListener('load', () => picture.replaceChildren(image));
  }
  return h('span', { class: `orb ${size}` }, h('i', { class: 'ring' }), picture);
};
