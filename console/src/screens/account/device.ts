const browsers = [
  ['Edge', /Edg\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /(Chrome|Chromium|HeadlessChrome)\//],
  ['Safari', /Safari\//],
] as const;
const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['macOS', /Mac OS X/],
  ['Windows', /Windows/],
  ['Linux', /Linux/],
] as const;

const named = (list: readonly (readonly [string, RegExp])[], text: string): string | undefined =>
  list.find(([, pattern]) => pattern.test(text))?.[0];

/** `Firefox on Windows`, as far as the browser tells; the one alone where the other is unknown, and undefined where both are. */
export const deviceOf = (userAgent: string): string | undefined => {
  const browser = named(browsers, userAgent);
  const system = named(systems, userAgent);
  if (browser === undefined || system === undefined) return browser ?? system;
  return `${browser} on ${system}`;
};
