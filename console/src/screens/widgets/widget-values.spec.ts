import { describe, expect, it } from '@jest/globals';
import { bodyOf, configOf, modesOf, offersOf, valuesOf, type Widget } from './widget-values.js';

const widget: Widget = {
  id: 'w',
  agentId: 'a',
  name: 'Shop',
  enabled: true,
  theme: {
    ...{ mode: 'auto', variant: 'compact', position: 'bottom-right', borderRadius: 16 },
    ...{ primaryColor: '#1d4ed8', backgroundColor: '#ffffff', textColor: '#111827' },
    avatarUrl: 'https://example.com/a.png',
    texts: {
      ...{ launcher: 'Talk', title: 'Talk', start: 'Start', end: 'End' },
      ...{ listening: 'Listening', speaking: 'Speaking', consentAccept: 'OK' },
    },
  },
  allowedOrigins: ['https://example.com'],
  consent: { required: false, text: null, privacyUrl: null, version: '1' },
  limits: { maxSessionSeconds: 600, maxConcurrentSessions: 5, sessionsPerIpPerHour: 10, dailySessions: null },
  queue: { enabled: false, maxWaiting: 20, text: null },
  modes: ['voice', 'text'],
  allowedVariables: [],
  signedVariables: ['customer_id'],
  requireVisitorToken: false,
  visitorTokenSecretId: null,
  embedSnippet: '',
  stats: { sessions30d: 0 },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

describe('a widget in the form', () => {
  it.each([[['voice']], [['text']], [['voice', 'text']]] as const)('offers %j before and after', (modes) =>
    expect(modesOf(offersOf([...modes]))).toEqual(modes),
  );

  it('travels with all that can be changed, and with nothing else', () => {
    const { id, agentId, embedSnippet, stats, createdAt, updatedAt, ...rest } = widget;
    expect([id, agentId, embedSnippet, stats, createdAt, updatedAt]).toHaveLength(6);
    expect(bodyOf(valuesOf(widget))).toEqual(rest);
  });

  it('is previewed as it is typed, with whole colors only and without pictures of strangers', () => {
    const values = valuesOf(widget);
    const typed = { ...values, theme: { ...values.theme, primaryColor: '#12', textColor: '#abcdef' } };
    expect(configOf(typed, widget, 'Front desk')).toMatchObject({
      agentName: 'Front desk',
      theme: { primaryColor: '#1d4ed8', textColor: '#abcdef', avatarUrl: null },
    });
  });
});
