// The icons: this package's own shapes on a grid of 24, drawn with lines in the color of the text.

const shapes = {
  microphone: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM6 11a6 6 0 0 0 12 0M12 17v4',
  muted:
    'M9 9v2a3 3 0 0 0 5 2.2M15 10.5V6a3 3 0 0 0-5.8-1M6 11a6 6 0 0 0 9.8 4.6M18 11a6 6 0 0 1-.4 2.1M12 17v4M4 4l16 16',
  chat: 'M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Z',
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M5 9l7 7 7-7',
  send: 'M4 12l16-7-6 16-3-7-7-2Z',
  sound: 'M4 9.5v5h3.5L12 18V6L7.5 9.5H4ZM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  sliders: 'M4 8h9M17 8h3M15 6v4M4 16h3M11 16h9M9 14v4',
  hangUp: 'M3.5 14.5c4.7-4.6 12.3-4.6 17 0l-2.3 2.3-3.4-1.6v-2.4a10 10 0 0 0-5.6 0v2.4l-3.4 1.6-2.3-2.3Z',
} as const;
export type Icon = keyof typeof shapes;

const namespace = 'http://www.w3.org/2000/svg';

export const icon = (name: Icon): SVGElement => {
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', `icon icon-${name}`);
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', shapes[name]);
  svg.append(path);
  return svg;
};
