// An OAuth 2.1 authorization server on a library that is certified for it. Everything on the wire is the library's;
// this file chooses the features on offer.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { listen } from '@parlance/fake-kit';
import { type Configuration, Provider } from 'oidc-provider';
import { z } from 'zod';

export interface AuthorizationServerOptions {
  /** Life of an access token in seconds (3,600). */
  readonly accessTokenSeconds?: number;
  /** Whether clients may register themselves (true). */
  readonly registersClients?: boolean;
  /** The redirect address of a public client that is registered by hand, as `by-hand`. */
  readonly redirectOfClientByHand?: string;
  /** The issuer that the metadata name, where it is not the address of this server. */
  readonly claimedIssuer?: string;
  /** Client metadata documents by their https address: the network that this server fetches from. */
  readonly clientDocuments?: Readonly<Record<string, object>>;
}

/** The rights and the person that a token stands for. */
export interface Grant {
  readonly accountId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The resources that the token is for. */
  readonly audience: readonly string[];
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export interface AuthorizationServer {
  /** Its issuer identifier, and its address. */
  readonly issuer: string;
  /** Undefined for a token that is unknown, expired or revoked. */
  verify(accessToken: string): Promise<Grant | undefined>;
  /** Whether the refresh token would be taken. */
  knowsRefreshToken(refreshToken: string): Promise<boolean>;
  /** Ends every access token, as if an hour had passed; refresh tokens stay. */
  expireAccessTokens(): Promise<void>;
  /** Ends everything that people have granted, as if they had changed their minds. */
  withdrawGrants(): Promise<void>;
  /** Requests by path, in their order. */
  readonly requests: readonly string[];
  /** Every token and code that this server has issued. */
  readonly issued: readonly string[];
  stop(): Promise<void>;
}

const hour = 3_600;
export const offeredScope = 'mcp:tools';

const signingKey = (): object =>
  generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' });

const documentsAsNetwork =
  (documents: Readonly<Record<string, object>>): typeof fetch =>
  async (input) => {
    const document = documents[String(input instanceof Request ? input.url : input)];
    return document === undefined ? new Response(null, { status: 404 }) : Response.json(document);
  };

const configuration = (options: AuthorizationServerOptions): Configuration => {
  const { accessTokenSeconds = hour, registersClients = true, clientDocuments } = options;
  const { redirectOfClientByHand } = options;
  return {
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    scopes: [offeredScope, 'offline_access'],
    pkce: { required: () => true },
    rotateRefreshToken: () => true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      Interaction: hour,
      Session: hour,
      IdToken: hour,
      RefreshToken: 24 * hour,
      Grant: 24 * hour,
    },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: registersClients },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: offeredScope,
          accessTokenFormat: 'opaque',
          accessTokenTTL: accessTokenSeconds,
        }),
      },
      clientIdMetadataDocument: { enabled: clientDocuments !== undefined, ack: 'draft-02' },
    },
    ...(redirectOfClientByHand !== undefined && {
      clients: [
        {
          client_id: 'by-hand',
          redirect_uris: [redirectOfClientByHand],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'none',
        },
      ],
    }),
    ...(clientDocuments !== undefined && { fetch: documentsAsNetwork(clientDocuments) }),
  };
};

const Issued = z.object({ access_token: z.string(), refresh_token: z.string().optional() });
const Answered = z.object({ code: z.string() });

/** Remembers issued tokens, so that they can be ended, and so that tests can search for them in forbidden places. */
class Records {
  readonly issued: string[] = [];
  readonly #accessTokens: string[] = [];
  readonly #grants = new Set<string>();
  readonly #provider: Provider;

  constructor(provider: Provider) {
    this.#provider = provider;
    provider.on('authorization.success', (_ctx, answer: unknown) => {
      const answered = Answered.safeParse(answer);
      if (answered.success) this.issued.push(answered.data.code);
    });
    provider.on('grant.success', (ctx) => {
      const { access_token, refresh_token } = Issued.parse(ctx.body);
      this.#accessTokens.push(access_token);
      this.issued.push(access_token, ...(refresh_token === undefined ? [] : [refresh_token]));
      const { Grant: grant } = ctx.oidc.entities;
      if (grant !== undefined) this.#grants.add(grant.jti);
    });
  }

  async expireAccessTokens(): Promise<void> {
    for (const value of this.#accessTokens.splice(0)) {
      await (await this.#provider.AccessToken.find(value))?.destroy();
    }
  }

  async withdrawGrants(): Promise<void> {
    for (const id of this.#grants) {
      await this.#provider.AccessToken.revokeByGrantId(id);
      await this.#provider.RefreshToken.revokeByGrantId(id);
      await (await this.#provider.Grant.find(id))?.destroy();
    }
    this.#grants.clear();
  }
}

const verifierOf =
  (provider: Provider) =>
  async (accessToken: string): Promise<Grant | undefined> => {
    const found = await provider.AccessToken.find(accessToken);
    if (found === undefined || !found.isValid || found.accountId === undefined) return undefined;
    const { accountId, clientId = '', aud = [], exp = 0 } = found;
    return { accountId, clientId, scopes: [...found.scopes], audience: [aud].flat(), expiresAt: exp };
  };

/** Listens on loopback. Any name and any password sign in. */
export const startAuthorizationServer = async (
  options: AuthorizationServerOptions = {},
): Promise<AuthorizationServer> => {
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end();
  const requests: string[] = [];
  const listening = await listen((request, response) => {
    requests.push((request.url ?? '').split('?')[0] ?? '');
    handle(request, response);
  }, {});
  const provider = new Provider(listening.url, configuration(options));
  const records = new Records(provider);
  const { claimedIssuer } = options;
  if (claimedIssuer !== undefined)
    provider.use(async (ctx, next) => {
      await next();
      if (ctx.oidc?.route === 'discovery') ctx.body = { ...ctx.body, issuer: claimedIssuer };
    });
  handle = provider.callback();
  return {
    issuer: listening.url,
    verify: verifierOf(provider),
    knowsRefreshToken: async (refreshToken) =>
      (await provider.RefreshToken.find(refreshToken))?.isValid === true,
    expireAccessTokens: () => records.expireAccessTokens(),
    withdrawGrants: () => records.withdrawGrants(),
    requests,
    issued: records.issued,
    stop: () => listening.stop(),
  };
};
