// The shapes of this package are written by hand, because it is published alone. These tests hold them against the contract:
// the assignments fail to compile when the two differ.
import { describe, expect, it } from '@jest/globals';
import { PublicWidgetConfig, WidgetSession, WidgetSessionInput } from '@parlance/contracts';
import type { Session, SessionWish, WidgetConfig } from './shapes.js';

const texts = {
  ...{ launcher: 'Ask', title: 'Ask us', start: 'Start', end: 'End' },
  ...{ listening: 'Listening', speaking: 'Speaking', consentAccept: 'Yes' },
};
const config: PublicWidgetConfig = {
  id: '018f3f5e-7c1a-7000-8000-000000000001',
  theme: {
    ...{ mode: 'auto', variant: 'full', position: 'top-left' },
    ...{ primaryColor: '#000000', backgroundColor: '#ffffff', textColor: '#000000' },
    ...{ borderRadius: 8, avatarUrl: null, texts },
  },
  consent: { required: true, text: null, privacyUrl: null, version: '2' },
  modes: ['voice', 'text'],
  agentName: 'Nora',
  enabled: true,
  maxSessionSeconds: 60,
  language: 'en',
  queue: { enabled: false, text: null },
};
const session: WidgetSession = {
  ...{ sessionId: '018f3f5e-7c1a-7000-8000-000000000002', mode: 'text', endToken: 'end' },
  ...{ roomName: null, serverUrl: null, token: null, messagesUrl: '/m', firstMessage: 'Hello' },
  ...{ maxDurationSeconds: 60, expiresAt: '2026-01-01T00:00:00.000Z' },
};

describe('the shapes of the widget', () => {
  it('read configurations and sessions as the contract gives them', () => {
    const read: WidgetConfig = PublicWidgetConfig.parse(config);
    const opened: Session = WidgetSession.parse(session);
    expect([read.agentName, opened.messagesUrl]).toEqual(['Nora', '/m']);
  });

  it('ask for sessions as the contract takes them', () => {
    const wish: SessionWish = {
      ...{ mode: 'voice', dynamicVariables: { name: 'Ann' }, consent: { accepted: true, version: '2' } },
      ...{ pageUrl: 'https://shop.example.com/cart', visitorId: 'v1', visitorToken: 'a.b.c' },
      queueTicket: 'a-ticket',
    };
    expect(WidgetSessionInput.parse(wish)).toEqual(wish);
  });
});
