import { describe, expect, it } from '@jest/globals';
import { shapes } from './mcp-shapes.js';

const named = () => ({ type: 'object' as const, properties: { name: { type: 'string' as const } } });

describe('the shapes of tools', () => {
  it('compiles a shape once, although each list of tools brings it anew', () => {
    expect(shapes.getValidator(named())).toBe(shapes.getValidator(named()));
  });

  it('holds each answer to its own shape', () => {
    const isNamed = shapes.getValidator(named());
    const isCounted = shapes.getValidator({ ...named(), required: ['count'] });
    expect(isNamed({ name: 'Front desk' }).valid).toBe(true);
    expect(isNamed({ name: 7 }).valid).toBe(false);
    expect(isCounted({ name: 'Front desk' }).valid).toBe(false);
  });
});
