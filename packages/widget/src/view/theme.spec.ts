import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contrast } from './colors.js';
import { type Look, paletteOf, themeSheet } from './theme.js';

const color = fc.nat(0xffffff).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const look: fc.Arbitrary<Look> = fc.record({
  mode: fc.constantFrom('light' as const, 'dark' as const, 'auto' as const),
  primaryColor: color,
  backgroundColor: color,
  textColor: color,
  borderRadius: fc.nat(64),
});

describe('the colors of a theme', () => {
  it('can be read whatever an organization configures', () => {
    fc.assert(
      fc.property(look, fc.boolean(), (given, isDark) => {
        const of = (name: string): string => paletteOf(given, isDark)[name] ?? '';
        const pairs = [
          ...[['text', 'surface', 4.5] as const, ['text', 'raised', 4.5] as const],
          ...[['muted', 'surface', 4.5] as const, ['muted', 'raised', 4.5] as const],
          ...[['link', 'raised', 4.5] as const, ['link', 'surface', 4.5] as const],
          ...[['on-accent', 'accent', 4.5] as const],
          ...[['on-stop', 'stop', 4.5] as const, ['accent', 'surface', 3] as const],
          ...[['edge', 'surface', 3] as const, ['stop', 'surface', 3] as const],
        ];
        for (const [one, other, ratio] of pairs)
          expect([one, other, contrast(of(one), of(other)) >= ratio]).toEqual([one, other, true]);
      }),
    );
  });

  it('stay as configured where they can be read', () => {
    const given = { primaryColor: '#1d4ed8', backgroundColor: '#ffffff', textColor: '#111827' };
    const palette = paletteOf({ mode: 'light', borderRadius: 8, ...given }, false);
    expect(palette).toMatchObject({ accent: '#1d4ed8', surface: '#ffffff', text: '#111827' });
  });

  it('never reach the style sheet as anything but colors', () => {
    const evil = '#fff;} * { background: url(https://evil.example.com) } a{';
    const given = { primaryColor: evil, backgroundColor: evil, textColor: evil };
    const sheet = themeSheet({ mode: 'auto', borderRadius: Number.NaN, ...given });
    expect(sheet).not.toContain('evil');
    expect(sheet).toContain('--voice-agent-radius,0px');
  });
});
