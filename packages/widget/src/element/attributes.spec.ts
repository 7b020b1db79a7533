import { describe, expect, it } from '@jest/globals';
import { variablesIn } from './attributes.js';

describe('variables of a page', () => {
  it('are texts; numbers and booleans become some', () => {
    expect(variablesIn('{"name":"Ann","orders":3,"member":true}')).toEqual({
      ...{ name: 'Ann', orders: '3', member: 'true' },
    });
  });

  it.each(['[]', 'null', '"x"', '{"a":{}}', '{"a":null}', '{'])('are refused when they are %s', (json) => {
    expect(() => variablesIn(json)).toThrow(Error);
  });
});
