// May this request use this operation? One check per kind of operation, chosen once per route.
import { type Caller, isReading, type McpConfirm, needsVerified, type Operation } from '@parlance/contracts';
import { equalSecrets } from '@parlance/crypto';
import { AppError, unreachable } from '@parlance/errors';
import { type CallTokens, callerOfCall, platformCaller } from '@parlance/rpc';
import type { Request } from 'express';
import type { OriginGuard } from '../http/origins.js';
import { visitorOrigin } from '../http/visitor-origin.js';
import { clientAddress } from '../limits/client-address.js';
import { setLimitHeaders } from '../limits/limit-headers.js';
import { assertAllowed, type LimitName, type RateLimits } from '../limits/rate-limits.js';
import { isOverMcp } from '../mcp/address-vouchers.js';
import type { AccessTokens } from './access-tokens.js';
import { looksLikeApiKey } from './api-key-format.js';
import type { ApiKeys } from './api-keys.js';
import { type Identity, type SessionIdentity, unauthenticated } from './identity.js';
import type { Sessions, SignedIn } from './sessions.js';

/** A request that may go on. */
export interface Access {
  readonly caller: Caller;
  /** The choice of the credential about confirmations over MCP. */
  readonly mcpConfirm: McpConfirm;
  /** True for a person with a verified e-mail address, or one that counts as verified; absent for keys. */
  readonly verified?: boolean;
  /** The subjects to which rate limits count the request. */
  readonly subjects: readonly string[];
}

const confirmed = { mcpConfirm: 'always' } as const;
export type Authorize = (request: Request) => Promise<Access>;

export interface AccessOptions {
  readonly keys: ApiKeys;
  /** Absent where no authorization server is trusted. */
  readonly accessTokens: AccessTokens | undefined;
  readonly sessions: Sessions;
  readonly limits: RateLimits;
  readonly guardOrigin: OriginGuard;
  readonly internalKey: string;
  readonly callTokens: Pick<CallTokens, 'verify'>;
  /** The id of a visitor, made of the address. */
  readonly visitorId: (address: string) => string;
  /** Origin of the gateway's own pages. */
  readonly publicUrl: string;
}

const bearerOf = ({ headers }: Request): string | undefined =>
  /^Bearer ([^\s]{1,4096})$/i.exec(headers.authorization ?? '')?.[1];

/** The person behind a session cookie. A change must come from a page of ours. @throws AppError UNAUTHENTICATED */
export type RequirePerson = (request: Request) => Promise<SignedIn>;

export class AccessControl {
  readonly #options: AccessOptions;
  readonly #internal: Access = {
    ...confirmed,
    caller: platformCaller('internal', ''),
    subjects: ['internal'],
  };
  readonly #anybody: Access = { ...confirmed, caller: platformCaller('anybody', ''), subjects: [] };

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** The check for one operation. */
  authorizerFor(row: Operation): Authorize {
    const { auth } = row;
    switch (auth.kind) {
      case 'org':
        return async (request) =>
          this.#admit(request, await this.#identify(request), row, {
            required: auth.anyOf,
            isPermitted: ({ permissions }) => auth.anyOf.some((permission) => permissions.has(permission)),
          });
      case 'member':
        return async (request) => this.#admit(request, await this.#identify(request), row);
      case 'orgAdmin':
        return async (request) =>
          this.#admit(request, await this.requireOwnerOrAdmin(request), row, {
            required: auth.allOf,
            isPermitted: ({ permissions }) => auth.allOf.every((permission) => permissions.has(permission)),
          });
      case 'internal':
        return async (request) => this.#internalCaller(request);
      case 'call':
        return async (request) => {
          const access = await this.#runtimeOfCall(request);
          if (auth.withInternalKey === true) await this.#internalCaller(request);
          return access;
        };
      case 'public':
        return async (request) => this.#visitor(request);
      case 'none':
        return async () => this.#anybody;
      default:
        return unreachable(auth);
    }
  }

  /** The signed-in person; an API key stands for no person here. */
  readonly requirePerson: RequirePerson = async (request) => {
    const { sessions, guardOrigin } = this.#options;
    const cookie = request.headers.cookie;
    const handle = sessions.handleOf(cookie);
    if (cookie === undefined || handle === undefined) throw unauthenticated();
    guardOrigin(request);
    return (await sessions.signedIn(cookie, handle)) ?? this.#refuse(request, unauthenticated());
  };

  /** Identifies a signed-in owner or admin of the active organization; refuses every API key. */
  readonly requireOwnerOrAdmin = async (request: Request): Promise<SessionIdentity> => {
    const identity = await this.#identify(request);
    const { role } = identity.caller;
    if (identity.kind !== 'session' || (role !== 'owner' && role !== 'admin'))
      throw new AppError('OWNER_SESSION_REQUIRED');
    return identity;
  };

  async #requireSession(request: Request): Promise<SessionIdentity> {
    const { identity } = await this.requirePerson(request);
    if (identity === undefined) throw new AppError('NO_ACTIVE_ORGANIZATION');
    return identity;
  }

  // A request that brings several credentials is judged by the first of these alone; rights never add up.
  async #identify(request: Request): Promise<Identity> {
    const key = request.headers['x-api-key'] ?? bearerOf(request);
    if (key === undefined) return this.#requireSession(request);
    const identity = typeof key === 'string' ? await this.#holderOf(key, request) : undefined;
    if (identity === undefined) return this.#refuse(request, unauthenticated());
    return isOverMcp(request) ? withoutAllowing(identity) : identity;
  }

  async #holderOf(credential: string, request: Request): Promise<Identity | undefined> {
    const { keys, accessTokens } = this.#options;
    const isToken = request.headers['x-api-key'] === undefined && !looksLikeApiKey(credential);
    return isToken ? accessTokens?.identify(credential) : keys.identify(credential, request.ip ?? '');
  }

  // A refusal counts too, or a key without permissions would have no limit. It counts to its caller alone, because such a key
  // must not use up the limits of its organization.
  async #admit(request: Request, identity: Identity, row: Operation, demand?: Demand): Promise<Access> {
    const isMisplaced = identity.kind === 'token' && !isOverMcp(request);
    const refusal = isMisplaced ? new AppError('TOKEN_FOR_MCP_ONLY') : refusalOf(identity, row, demand);
    if (refusal === undefined) return accessOf(identity);
    await this.#count(request, 'read', [actorOf(identity)]);
    throw refusal;
  }

  async #internalCaller(request: Request): Promise<Access> {
    const given = request.headers['x-internal-key'];
    if (given === undefined) throw new AppError('INVALID_INTERNAL_KEY');
    if (typeof given === 'string' && equalSecrets(given, this.#options.internalKey)) return this.#internal;
    return this.#refuse(request, new AppError('INVALID_INTERNAL_KEY'));
  }

  #visitor(request: Request): Access {
    const address = clientAddress(request);
    const actor = {
      type: 'visitor',
      id: this.#options.visitorId(address),
      origin: visitorOrigin(request, this.#options.publicUrl),
    } as const;
    return {
      ...confirmed,
      caller: { organizationId: '', actor, role: 'visitor', permissions: [] },
      subjects: [`ip:${address}`],
    };
  }

  /** The voice runtime, which may speak for the call of its token and for no other. */
  async #runtimeOfCall(request: Request): Promise<Access> {
    const token = bearerOf(request);
    if (token === undefined) throw unauthenticated();
    const call = await this.#options.callTokens
      .verify(token)
      .catch((refusal) => this.#refuse(request, refusal));
    if (call.callId !== request.params.callId) return this.#refuse(request, unauthenticated());
    return { ...confirmed, caller: callerOfCall(call), subjects: [`call:${call.callId}`] };
  }

  // Guesses are counted by address, but only the guesses are held up. A person at the address of a program with a stale
  // key keeps working.
  async #refuse(request: Request, refusal: AppError): Promise<never> {
    await this.#count(request, 'failedAuth', [clientAddress(request)]);
    throw refusal;
  }

  async #count({ res: response }: Request, name: LimitName, subjects: readonly string[]): Promise<void> {
    const state = await this.#options.limits.count(name, subjects);
    // A stream checks its reader again after its head is sent.
    if (response?.headersSent === false) setLimitHeaders(response, state);
    assertAllowed(state);
  }
}

/** The permissions that an operation needs. */
interface Demand {
  readonly required: readonly string[];
  readonly isPermitted: (identity: Identity) => boolean;
}

/** Whether the caller may do what the row does, where the row's permission only reads. */
const mayAct = (identity: Identity, { acts, extension }: Operation): boolean => {
  if (acts === undefined) return true;
  const { permissions } = identity;
  switch (identity.kind) {
    case 'session':
      return permissions.has(acts);
    case 'token':
      return identity.ofRole.has(acts);
    case 'key':
      // The published interface names one permission for a key, and it reads.
      return extension !== true || [...permissions].some((permission) => !isReading(permission));
    default:
      return unreachable(identity);
  }
};

// The permission comes first: without it, the conditions that a person still misses mean nothing.
const refusalOf = (identity: Identity, row: Operation, demand?: Demand): AppError | undefined => {
  if (demand?.isPermitted(identity) === false)
    return new AppError('PERMISSION_DENIED', { details: { required: demand.required } });
  if (!mayAct(identity, row)) return new AppError('PERMISSION_DENIED', { details: { required: [row.acts] } });
  if (identity.kind === 'key') return undefined;
  if (identity.secondFactorMissing) return new AppError('SECOND_FACTOR_REQUIRED');
  return identity.kind === 'session' && needsVerified(row) && !identity.verified
    ? new AppError('EMAIL_NOT_VERIFIED')
    : undefined;
};

/** Where a secret may be sent is decided by a person and not by a model, which may follow somebody else's instructions. */
const withoutAllowing = <T extends Identity>(identity: T): T => {
  const permissions = identity.caller.permissions.filter((permission) => permission !== 'secrets:use');
  return { ...identity, caller: { ...identity.caller, permissions }, permissions: new Set(permissions) };
};

const actorOf = ({ caller: { actor } }: Pick<Identity, 'caller'>): string => `${actor.type}:${actor.id}`;

const accessOf = ({ caller, ...identity }: Identity): Access => ({
  caller,
  mcpConfirm: identity.kind === 'key' ? identity.mcpConfirm : 'always',
  ...(identity.kind === 'session' ? { verified: identity.verified } : {}),
  subjects: [`org:${caller.organizationId}`, actorOf({ caller })],
});
