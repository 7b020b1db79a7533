import { describe, expect, it } from '@jest/globals';
import { argumentOf, bodyOf, firstValues } from './values.js';

const parameter = { name: 'a', in: 'query', type: 'string', description: '', required: true } as const;

describe('the form of a tool', () => {
  it('sends a fixed value with a parameter that has one, and only with it', () => {
    const { parameters } = bodyOf({
      ...firstValues,
      parameters: [
        { ...parameter, source: 'model', value: 'left over', enum: [] },
        { ...parameter, source: 'preset' },
        { ...parameter, source: 'model', enum: ['x'] },
      ],
    });
    expect(parameters).toEqual([
      { ...parameter, source: 'model' },
      { ...parameter, source: 'preset', value: '' },
      { ...parameter, source: 'model', enum: ['x'] },
    ]);
  });
});

it.each([
  ['string', '12', '12'],
  ['integer', '12', 12],
  ['boolean', 'true', true],
  ['array', '[1]', [1]],
] as const)('an argument of the kind %s that reads %s is %j', (type, typed, expected) => {
  expect(argumentOf(type, typed)).toEqual(expected);
});

it('an argument that is no JSON is refused', () => {
  expect(() => argumentOf('object', '{')).toThrow(SyntaxError);
});
