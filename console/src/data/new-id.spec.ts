// Plain HTTP beyond localhost is no secure context: crypto has getRandomValues there, and no randomUUID.
import { afterEach, describe, expect, it } from '@jest/globals';
import { WishKeys } from './commands.js';
import { newId } from './new-id.js';

describe('an id on plain HTTP beyond localhost', () => {
  const { randomUUID } = crypto;
  afterEach(() => {
    Reflect.set(crypto, 'randomUUID', randomUUID);
  });

  it('is made without the means of secure contexts, and so is the key of a command', () => {
    Reflect.set(crypto, 'randomUUID', undefined);
    expect(newId()).toMatch(/^[0-9a-f]{32}$/);
    expect(newId()).not.toBe(newId());
    expect(new WishKeys().keyOf({})).toMatch(/^[0-9a-f]{32}$/);
  });
});
