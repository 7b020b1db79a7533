import { describe, expect, it } from '@jest/globals';
import type { CallerView } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { requireScopes } from './scopes.js';

const caller = (type: 'user' | 'key', permissions: readonly string[]): CallerView => ({
  organizationId: 'ours',
  actor: { type, id: '1' },
  role: 'key',
  permissions: [...permissions],
  mcpConfirm: 'always',
});
const calling = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
const reading = (uri: string) => ({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });

const missing = (asking: CallerView, message: unknown): unknown => {
  try {
    requireScopes(asking, message);
  } catch (error) {
    if (error instanceof AppError && error.code === 'PERMISSION_DENIED')
      return Object(error.details).required;
    throw error;
  }
  return undefined;
};

describe('the scopes of an access token', () => {
  it('are asked for by the name of the one that a tool or resource needs', () => {
    const token = caller('user', ['agent:read']);
    expect(missing(token, calling('delete-agent'))).toEqual(['agent:delete']);
    expect(missing(token, reading('parlance://list_secrets'))).toEqual(['secrets:read']);
    expect(missing(token, reading('parlance://list_agents'))).toBeUndefined();
    expect(missing(token, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).toBeUndefined();
    expect(missing(token, reading('parlance://get_health'))).toBeUndefined();
  });

  it('open nothing at all when none of them is ours', () => {
    for (const message of [
      { method: 'initialize' },
      calling('nothing'),
      reading('parlance://nothing'),
      undefined,
    ])
      expect(missing(caller('user', []), message)).toContain('agent:read');
  });

  it('are not asked for of an API key: its refusal is the answer of the tool', () => {
    expect(missing(caller('key', []), calling('delete-agent'))).toBeUndefined();
  });
});
