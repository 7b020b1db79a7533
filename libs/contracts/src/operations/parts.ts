// Short words for the parts that rows share.
import { z } from 'zod';
import { uuid } from '../values/text.js';
import type { Auth, Mcp, Safety } from './operation.js';
import type { Permission } from './permissions.js';

/** Session or key with this permission. */
export const org = <const P extends readonly [Permission, ...Permission[]]>(...anyOf: P) =>
  ({ kind: 'org', anyOf }) as const satisfies Auth;
/** Session or key of an organization; it needs no permission. */
export const member = { kind: 'member' } as const satisfies Auth;
/** Owner or admin session with all of these. */
export const orgAdmin = <const P extends readonly [Permission, ...Permission[]]>(...allOf: P) =>
  ({ kind: 'orgAdmin', allOf }) as const satisfies Auth;
export const internal = { kind: 'internal' } as const satisfies Auth;
/** The token of the call that the path names as `callId`. */
export const ofCall = { kind: 'call' } as const satisfies Auth;
/** Both: the internal key, and the token of the call that the path names. */
export const ofCallWithInternalKey = { kind: 'call', withInternalKey: true } as const satisfies Auth;
export const publicAccess = { kind: 'public' } as const satisfies Auth;
export const nobody = { kind: 'none' } as const satisfies Auth;

export const resource = <const N extends string>(name: N) =>
  ({ as: 'resource', name }) as const satisfies Mcp;
export const tool = <const N extends string, const S extends Safety>(name: N, safety: S) =>
  ({ as: 'tool', name, safety }) as const satisfies Mcp;
export const hidden = (why: string) => ({ as: 'none', why }) as const satisfies Mcp;

export const agentIdParams = z.strictObject({ agentId: uuid });
