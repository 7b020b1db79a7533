// scripts/test-runtime.mjs relies on the inside of jest-runtime: a release of it that has changed there fails here.
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import * as library from 'nats';
import { ZodError, z } from 'zod';

/** Node's own, past Jest. */
const native = process.getBuiltinModule('node:module').createRequire(import.meta.url);

describe('a library in a test', () => {
  it('is the one that the worker has loaded for all test files', () => {
    expect(library.connect).toBe(native('nats').connect);
    expect(createRequire(import.meta.url)('nats')).toBe(native('nats'));
  });

  it('makes values of the classes that the test knows', () => {
    const { error } = z.string().safeParse(1);
    expect(error).toBeInstanceOf(ZodError);
    expect(z.date().safeParse(new Date()).success).toBe(true);
    expect(library.Empty).toBeInstanceOf(Uint8Array);
    expect(() => z.string().parse(1)).toThrow(Error);
  });
});
