import { describe, expect, it } from '@jest/globals';
import { pathOfOurs } from './next-path.js';

const next = (value: unknown) => pathOfOurs(value, 'https://console.example');

describe('the page after the sign-in', () => {
  it('is a path of this console, with its query and fragment', () => {
    expect(next('/agents?tab=tools#a')).toBe('/agents?tab=tools#a');
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\\/evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'agents',
    undefined,
    7,
  ])('is never elsewhere: %j', (value) => {
    expect(next(value)).toBeUndefined();
  });
});
