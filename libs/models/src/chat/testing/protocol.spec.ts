import { describe, expect, it } from '@jest/globals';
import type { Dialect } from '../../catalog/vendors.js';
import type { ChatMessage } from '../events.js';
import { paramsOf } from '../protocol.js';
import { endpointAt } from './endpoints.js';

const call = { id: 'call_aJ3-x', name: 'weather', arguments: { city: 'Berlin' } };
const messages: ChatMessage[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Weather?' },
  { role: 'assistant', content: '', toolCalls: [call] },
  { role: 'tool', toolCallId: call.id, content: 'Sunny' },
];
const paramsIn = (dialect: Dialect, history = messages) =>
  paramsOf({ messages: history, maxOutputTokens: 300 }, endpointAt('https://a.example/v1', 'm', { dialect }));

describe('a request', () => {
  it.each<[Dialect, object]>([
    ['openai', { max_completion_tokens: 300, stream_options: { include_usage: true } }],
    ['compatible', { max_tokens: 300, stream_options: { include_usage: true } }],
    ['google', { max_tokens: 300, stream_options: { include_usage: true } }],
    ['mistral', { max_tokens: 300 }],
  ])('has the fields that a vendor takes, and no others: %s', (dialect, expected) => {
    const { messages: _, ...rest } = paramsIn(dialect);
    expect(rest).toEqual({ model: 'm', stream: true, ...expected });
  });

  it('gives a tool call and its result an id that every vendor takes', () => {
    const [, , assistant, result] = paramsIn('mistral').messages;
    if (assistant?.role !== 'assistant' || result?.role !== 'tool') throw new Error('other messages');
    const id = assistant.tool_calls?.[0]?.id;
    expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(result.tool_call_id).toBe(id);
    expect(assistant.content).toBeNull();
  });

  it("gives Google the signature of its tool call back, and a stand-in for another vendor's", () => {
    const extraContent = { google: { thought_signature: 'signed' } };
    const signed: ChatMessage[] = [
      { role: 'assistant', content: '', toolCalls: [{ ...call, extraContent }] },
    ];
    const callIn = (dialect: Dialect, history: ChatMessage[]) =>
      paramsIn(dialect, history).messages.find((message) => message.role === 'assistant');
    expect(callIn('google', signed)).toMatchObject({ tool_calls: [{ extra_content: extraContent }] });
    expect(callIn('google', messages)).toMatchObject({
      tool_calls: [{ extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } }],
    });
    expect(JSON.stringify(callIn('openai', signed))).not.toContain('extra_content');
  });
});
