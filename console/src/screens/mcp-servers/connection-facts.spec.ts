import { describe, expect, it } from '@jest/globals';
import {
  authOf,
  type ConnectValues,
  connectBody,
  definitionText,
  signOf,
  toolSign,
} from './connection-facts.js';

const health = (state: 'ok' | 'drifted') => ({ state, since: '', advice: null });

describe('a connection', () => {
  it('that works says when its tools have changed, and one in trouble says the trouble', () => {
    expect(signOf({ status: 'connected', health: health('ok') }).tone).toBe('good');
    expect(signOf({ status: 'connected', health: health('drifted') }).text).toBe('Tools have changed');
    expect(signOf({ status: 'error', health: health('drifted') }).tone).toBe('bad');
  });

  it('names a secret only where its kind takes one', () => {
    const given = { headerName: 'x-key', secretId: 's' };
    expect(authOf({ ...given, authType: 'none' })).toEqual({ type: 'none' });
    expect(authOf({ ...given, authType: 'oauth2' })).toEqual({ type: 'oauth2' });
    expect(authOf({ ...given, authType: 'bearer' })).toEqual({ type: 'bearer', secretId: 's' });
    expect(authOf({ ...given, authType: 'header' })).toEqual({ type: 'header', ...given });
  });

  it('of the catalog is asked for by its name there, without an address', () => {
    const values: ConnectValues = {
      ...{ name: 'Shop', url: 'https://mcp.example.com', transport: 'sse', authType: 'none' },
      ...{ headerName: '', secretId: null, approvalPolicy: 'per_tool', timeoutMs: 30_000 },
    };
    const entry = { slug: 'shop' } as Parameters<typeof connectBody>[1];
    const settings = { auth: { type: 'none' }, approvalPolicy: 'per_tool', timeoutMs: 30_000 };
    expect(connectBody(values, entry)).toEqual({ catalogSlug: 'shop', ...settings });
    expect(connectBody(values, undefined)).toEqual({
      ...{ name: 'Shop', url: 'https://mcp.example.com', transport: 'sse' },
      ...settings,
    });
  });
});

describe('a tool', () => {
  it.each([
    [{ enabled: false, offered: false, changedSinceApproval: true, approvedHash: 'a' }, 'Switched off'],
    [
      { enabled: true, offered: false, changedSinceApproval: true, approvedHash: 'a' },
      'Changed since approval',
    ],
    [{ enabled: true, offered: true, changedSinceApproval: false, approvedHash: 'a' }, 'Offered'],
    [
      { enabled: true, offered: false, changedSinceApproval: false, approvedHash: null },
      'Waits for approval',
    ],
  ])('of %j is %s', (tool, text) => expect(toolSign(tool).text).toBe(text));

  it('reads the same in whatever order its server writes its arguments', () => {
    const text = (inputSchema: Record<string, string>) =>
      definitionText({ title: null, description: 'Finds.', inputSchema });
    expect(text({ a: '1', b: '2' })).toBe(text({ b: '2', a: '1' }));
    expect(text({ a: '1' })).not.toBe(text({ a: '2' }));
  });
});
