// The shapes of this package are written by hand, because it is published alone. These tests hold them against the contract:
// the assignments fail to compile when the two differ.
import { describe, expect, it } from '@jest/globals';
import { PublicWidgetConfig, type WidgetSession, WidgetSessionInput } from '@parlance/contracts';
import type { Session, SessionWish, WidgetConfig } from './shapes.js';

const readsConfig = (config: PublicWidgetConfig): WidgetConfig => config;
const readsSession = (session: WidgetSession): Session => session;

const texts = {
  ...{ launcher: 'Ask', title: 'Ask us', start: 'Start', end: 'End' },
  ...{ listening: 'Listening', speaking: 'Speaking', consentAccept: 'Yes' },
};
const config = {
  id: '018f3f5e-7c1a-7000-8000-000000000001',
  theme: {
    ...{ mode: 'auto', variant: 'full', position: 'top-left' },
    ...{ primaryColor: '#000000', backgroundColor: '#ffffff', textColor: '#000000' },
    ...{ borderRadius: 8, avatarUrl: null, texts },
  },
  consent: { required: true, text: null, privacyUrl: null, version: '2' },
  modes: ['voice', 'text'],
  agentName: 'Nora',
  maxSessionSeconds: 60,
} as const satisfies WidgetConfig;

describe('the shapes of the widget', () => {
  it('read a configuration as the contract gives it', () => {
    const parsed = PublicWidgetConfig.partial({ enabled: true }).loose().parse(config);
    expect(readsConfig({ ...parsed, enabled: true } as PublicWidgetConfig)).toMatchObject(config);
    expect(readsSession).toBeInstanceOf(Function);
  });

  it('ask for sessions as the contract takes them', () => {
    const wish: SessionWish = {
      ...{ mode: 'voice', dynamicVariables: { name: 'Ann' }, consent: { accepted: true, version: '2' } },
      ...{ pageUrl: 'https://shop.example.com/cart', visitorId: 'v1', visitorToken: 'a.b.c' },
    };
    expect(WidgetSessionInput.parse(wish)).toEqual(wish);
  });
});
