import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { css as panelStyles } from '../panel/styles.js';
import { paletteOf } from '../view/theme.js';
import { attributes } from './attributes.js';

const page = readFileSync(new URL('../../../../docs/widget.md', import.meta.url), 'utf8');

describe('docs/widget.md', () => {
  it.each(attributes.map((row) => [row.attribute, row] as const))(
    'has the attribute %s as it is',
    (_name, row) => {
      const values = 'values' in row ? `${row.values.map((value) => `\`${value}\``).join(', ')}. ` : '';
      expect(page).toContain(`| \`${row.attribute}\` | ${values}${row.meaning} |\n`);
    },
  );

  it('names each color that a page can set', () => {
    const look = { primaryColor: '#1d4ed8', backgroundColor: '#ffffff', textColor: '#111827' };
    const names = Object.keys(paletteOf({ mode: 'light', borderRadius: 0, ...look }, false));
    for (const name of names) {
      expect(panelStyles).toContain(`var(--_${name})`);
      expect(page).toMatch(new RegExp(`-${name}\``));
    }
  });
});
