// A real authorization server, of a well-known library: it issues tokens to the clients that a test names. Its private
// key is the test's own, so that a test can also sign tokens that the server would never issue.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

/** Claims of the person behind a client's tokens. */
export type PersonClaims = Readonly<Record<string, string | boolean>>;

const keyId = 'the-key';

export class AuthorizationServer {
  readonly issuer: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly #server: Server;
  readonly #people: Map<string, PersonClaims>;

  private constructor(parts: {
    readonly issuer: string;
    readonly keys: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
    readonly server: Server;
    readonly people: Map<string, PersonClaims>;
  }) {
    this.issuer = parts.issuer;
    this.privateKey = parts.keys.privateKey;
    this.publicKey = parts.keys.publicKey;
    this.#server = parts.server;
    this.#people = parts.people;
  }

  /** @param scopes that it knows */
  static async start(scopes: readonly string[]): Promise<AuthorizationServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens on a port
    const issuer = `http://127.0.0.1:${port}`;
    const keys = await generateKeyPair('RS256', { extractable: true });
    const people = new Map<string, PersonClaims>();
    const provider = new Provider(issuer, {
      jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), kid: keyId, alg: 'RS256', use: 'sig' }] },
      scopes: [...scopes],
      clients: [
        {
          client_id: 'agent',
          client_secret: 'the secret of the client',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: async (_context, resource) => ({
            scope: scopes.join(' '),
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: 300,
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
      extraTokenClaims: async (context) => people.get(String(context.get('x-person'))) ?? {},
    });
    server.on('request', provider.callback());
    return new AuthorizationServer({ issuer, keys, server, people });
  }

  /** A token as the server issues it. */
  async issue(
    person: PersonClaims,
    { resource, scope }: { readonly resource: string; readonly scope: string },
  ): Promise<string> {
    const name = `person-${this.#people.size}`;
    this.#people.set(name, person);
    const response = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`agent:${encodeURIComponent('the secret of the client')}`).toString('base64')}`,
        'x-person': name,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
    });
    const { access_token: token } = Object(await response.json());
    if (typeof token !== 'string') throw new Error(`no token: ${response.status}`);
    return token;
  }

  /** A token that the server did not issue, signed with its key. */
  sign(claims: JWTPayload): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: keyId, typ: 'at+jwt' })
      .sign(this.privateKey);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
