import { describe, expect, it } from '@jest/globals';
import { type CallOfValues, fillText, valuesOfCall } from '@parlance/contracts';
import { fillJson, secretMentionsIn, withSecrets } from './placeholders.js';

const call: CallOfValues = {
  agentId: 'agent-1',
  callId: 'call-1',
  campaignId: null,
  direction: 'inbound',
  callerNumber: '+14155550177',
  calledNumber: '+14155550100',
  startedAt: '2026-03-01T23:30:00.000Z',
  durationSeconds: 36.5,
  dynamicVariables: { name: 'Ada', plan: '', blank: ' ' },
  defaults: { name: 'friend', city: 'Paris', plan: 'basic', none: null },
  timezone: 'Asia/Tokyo',
};
const values = valuesOfCall(call, new Date('2026-03-01T23:30:05.000Z'));

describe('placeholders', () => {
  it.each([
    ['Hi {{name}}', 'Hi Ada'],
    ['{{ city }}, {{plan}}', 'Paris, basic'],
    ['{{blank | filled}}', 'filled'],
    ['{{none | nobody}}/{{unknown|  who }}/{{unknown}}', 'nobody/who/'],
    ['{{system.callerNumber}} {{system.campaignId | -}}', '+14155550177 -'],
    ['{{system.weekday}} {{system.date}} {{system.time}}', 'Monday 2026-03-02 08:30'],
    ['{{system.now}} {{system.callDurationSeconds}}', '2026-03-01T23:30:05.000Z 36.5'],
    ['{{constructor}}{{system.constructor}}{{toString}}', ''],
    ['{ {name} } {{}} {{1a}} {{na me}}', '{ {name} } {{}} {{1a}} {{na me}}'],
  ])('%s become %s', (text, filled) => {
    expect(fillText(text, values)).toBe(filled);
  });

  it('are filled at any depth, and never in keys or twice', () => {
    const tricky = valuesOfCall(
      { ...call, dynamicVariables: { name: '{{system.callId}} "quoted"' } },
      new Date(0),
    );
    expect(fillJson({ '{{name}}': ['{{name}}', { a: 1, b: null }] }, tricky)).toEqual({
      '{{name}}': ['{{system.callId}} "quoted"', { a: 1, b: null }],
    });
  });

  it('of secrets get their values from nowhere else', () => {
    const body = { a: 'Bearer {{secrets.TOKEN}}', b: ['{{secrets.OTHER | x}}', '{{secrets.TOKEN}}'] };
    expect(secretMentionsIn(body)).toEqual({ ids: [], names: ['TOKEN', 'OTHER'] });
    const secrets = new Map([['TOKEN', 't']]);
    const all = withSecrets(
      (name) => secrets.get(name),
      () => 'wrong',
    );
    expect(fillJson(body, all)).toEqual({ a: 'Bearer t', b: ['x', 't'] });
  });
});
