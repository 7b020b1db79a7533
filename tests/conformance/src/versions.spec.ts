import { expect, it } from '@jest/globals';
import { isOlder } from './versions.js';

it.each([
  ['2.8.9', '2.9', true],
  ['2.12.4', '2.9', false],
  ['2.9', '2.9.0', false],
  ['14', '15', true],
  ['15.18', '15', false],
  ['23.6.1', '23.10', true],
  ['git', '2.9', false],
])('version %s is older than %s: %s', (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});
