// Colors and their contrast, by the formulas of WCAG 2.2. Pure.

type Rgb = readonly [number, number, number];

const hex = /^#[0-9a-f]{6}$/i;
export const isColor = (value: string): boolean => hex.test(value);

const rgbOf = (color: string): Rgb => {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

const hexOf = (parts: readonly number[]): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const linear = (part: number): number => {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/** 0 for black to 1 for white. */
export const luminance = (color: string): number => {
  const [red, green, blue] = rgbOf(color);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};

/** 1 for equal colors to 21 for black on white. */
export const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
};

/** @param share of `other`, 0 to 1 */
export const mixed = (one: string, other: string, share: number): string => {
  const target = rgbOf(other);
  return hexOf(rgbOf(one).map((part, index) => part + ((target[index] ?? 0) - part) * share));
};

const white = '#ffffff';
const black = '#000000';
export const furthestFrom = (color: string): string =>
  contrast(white, color) >= contrast(black, color) ? white : black;

/** The color itself if it can be read on all of these; otherwise the nearest mixture with black or white that can. */
export const readable = (
  color: string,
  backgrounds: readonly [string, ...string[]],
  ratio: number,
): string => {
  const target = furthestFrom(backgrounds[0]);
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mixed(color, target, share);
    if (backgrounds.every((background) => contrast(candidate, background) >= ratio)) return candidate;
  }
  return target;
};
