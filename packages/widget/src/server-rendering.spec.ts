import { expect, it } from '@jest/globals';

it('can be imported where there is no browser, as servers do that render pages', async () => {
  expect(globalThis.HTMLElement).toBeUndefined();
  await expect(import('./index.js')).resolves.toHaveProperty('VoiceAgentWidget');
});
