// Makes custom properties of the theme of a widget. Colors that cannot be told apart are moved to a contrast of 4.5 to 1
// for text. For edges of controls, the contrast is 3 to 1. Pure.
import type { WidgetTheme } from '../wire/shapes.js';
import { contrast, furthestFrom, isColor, luminance, mixed, readable } from './colors.js';

export type Look = Pick<
  WidgetTheme,
  'mode' | 'primaryColor' | 'backgroundColor' | 'textColor' | 'borderRadius'
>;

const textRatio = 4.5;
const edgeRatio = 3;
const fallback = { primaryColor: '#1d4ed8', backgroundColor: '#ffffff', textColor: '#111827' } as const;
const night = { background: '#16181d', text: '#f3f4f6' } as const;
const danger = '#d92d20';
/** A background above this is a light one, which a dark page does not want. */
const lightFrom = 0.25;

const checked = (look: Look, name: keyof typeof fallback): string =>
  isColor(look[name]) ? look[name] : fallback[name];

/** A little off the surface: towards the text, unless the text could no longer be read on it. */
const raisedFrom = (surface: string, text: string): string => {
  const nearer = mixed(surface, text, 0.07);
  if (contrast(furthestFrom(surface), nearer) >= textRatio) return nearer;
  return mixed(surface, furthestFrom(furthestFrom(surface)), 0.07);
};

/** Custom properties by name, without their prefix. */
export const paletteOf = (look: Look, isDark: boolean): Readonly<Record<string, string>> => {
  const configured = checked(look, 'backgroundColor');
  const isMoved = isDark && luminance(configured) > lightFrom;
  const surface = isMoved ? night.background : configured;
  const wanted = isMoved ? night.text : checked(look, 'textColor');
  const raised = raisedFrom(surface, readable(wanted, [surface], textRatio));
  const text = readable(wanted, [surface, raised], textRatio);
  const accent = readable(checked(look, 'primaryColor'), [surface], edgeRatio);
  const stop = readable(danger, [surface], edgeRatio);
  return {
    ...{ surface, raised, text, accent, stop },
    muted: readable(mixed(text, surface, 0.35), [surface, raised], textRatio),
    edge: readable(mixed(surface, text, 0.2), [surface], edgeRatio),
    line: mixed(surface, text, 0.14),
    link: readable(accent, [surface, raised], textRatio),
    'on-accent': readable('#ffffff', [accent], textRatio),
    'on-stop': readable('#ffffff', [stop], textRatio),
  };
};

const block = (palette: Readonly<Record<string, string>>): string =>
  Object.entries(palette)
    .map(([name, value]) => `--_${name}:var(--voice-agent-${name},${value});`)
    .join('');

/** A style sheet: pages may set `--voice-agent-*` on the element, and win. */
export const themeSheet = (look: Look): string => {
  const radius = Math.min(Math.max(Number(look.borderRadius) || 0, 0), 64);
  const rounded = `--_radius:var(--voice-agent-radius,${radius}px);`;
  const light = block(paletteOf(look, false));
  const dark = `color-scheme:dark;${block(paletteOf(look, true))}`;
  if (look.mode === 'dark') return `:host{${rounded}${dark}}`;
  const base = `:host{${rounded}color-scheme:light;${light}}`;
  return look.mode === 'light' ? base : `${base}@media (prefers-color-scheme:dark){:host{${dark}}}`;
};
