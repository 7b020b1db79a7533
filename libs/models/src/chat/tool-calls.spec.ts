import { describe, expect, it } from '@jest/globals';
import { defaultLimits } from './limits.js';
import { type ToolCallDelta, ToolCalls } from './tool-calls.js';

const tool = { name: 'weather', description: '', parameters: {} };
const eventsOf = (deltas: readonly ToolCallDelta[], limits = {}) => {
  const calls = new ToolCalls([tool], { ...defaultLimits, ...limits });
  for (const delta of deltas) calls.add(delta);
  return calls.events();
};
const whole = (index: number | undefined, id: string, text: string): ToolCallDelta => ({
  index,
  id,
  function: { name: 'weather', arguments: text },
});

describe('tool calls in pieces', () => {
  it('are put together by their index, in any order', () => {
    const events = eventsOf([
      whole(0, 'a', '{"city":'),
      whole(1, 'b', ''),
      { index: 1, function: { arguments: '{"city":"Paris"}' } },
      { index: 0, function: { arguments: '"Bonn"}' } },
    ]);
    expect(events).toEqual([
      { type: 'toolCall', id: 'a', name: 'weather', arguments: { city: 'Bonn' } },
      { type: 'toolCall', id: 'b', name: 'weather', arguments: { city: 'Paris' } },
    ]);
  });

  it('are told apart by their ids where a vendor sends one index for all, or none', () => {
    for (const index of [0, undefined]) {
      const events = eventsOf([whole(index, 'a', '{"n":1}'), whole(index, 'b', '{"n":2}')]);
      expect(events).toMatchObject([
        { id: 'a', arguments: { n: 1 } },
        { id: 'b', arguments: { n: 2 } },
      ]);
    }
  });

  it('get an id where the vendor sends none, and no arguments are an empty object', () => {
    expect(eventsOf([{ index: 0, function: { name: 'weather' } }])).toEqual([
      { type: 'toolCall', id: 'call_0', name: 'weather', arguments: {} },
    ]);
  });

  it('keep what the vendor wants back', () => {
    const extra_content = { google: { thought_signature: 'signed' } };
    expect(eventsOf([{ ...whole(0, 'a', '{}'), extra_content }])).toMatchObject([
      { extraContent: extra_content },
    ]);
  });

  it.each([
    ['{"city": "Ber', 'notJson'],
    ['[1]', 'notAnObject'],
    ['"Berlin"', 'notAnObject'],
    ['12345678901234567890', 'notAnObject'],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'notJson'],
    [`{"city":"${'x'.repeat(40_000)}"}`, 'tooLong'],
  ])('are invalid with arguments such as %.20s', (text, reason) => {
    expect(eventsOf([whole(0, 'a', text)])).toMatchObject([{ type: 'toolCallInvalid', id: 'a', reason }]);
  });

  it('never hold more of the arguments than the limit', () => {
    const pieces = Array.from({ length: 100 }, () => ({
      index: 0,
      function: { arguments: 'x'.repeat(100) },
    }));
    const [event] = eventsOf([whole(0, 'a', ''), ...pieces], { maxArgumentsLength: 1_000 });
    expect(event).toMatchObject({ reason: 'tooLong', arguments: 'x'.repeat(1_000) });
  });

  it('cannot change what an object is', () => {
    const [event] = eventsOf([whole(0, 'a', '{"__proto__":{"admin":true},"city":"Bonn"}')]);
    expect(event).toMatchObject({ type: 'toolCall', arguments: { city: 'Bonn' } });
    expect(event?.type === 'toolCall' && 'admin' in event.arguments).toBe(false);
  });
});
