// The one FQDN connection of an installation at Telnyx. Its name leads calls to the numbers in. Its credentials let calls
// from the media server out, within its outbound voice profile.
import type Telnyx from 'telnyx';
import type { ProviderGuard } from './guard.js';
import { KnownIds } from './known-ids.js';
import type { SipCredential, SipTarget, Termination } from './number-provider.js';

const sipHost = 'sip.telnyx.com';

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const isNotFound = (error: unknown): boolean => field(error, 'status') === 404;

/** A field that an answer has to have: the library says of every field that it may be missing. */
const required = <T>(value: T | undefined, name: string): T => {
  if (value === undefined) throw new Error(`an answer without ${name}`);
  return value;
};

/** Two processes may both have made one: each of them takes the same. */
const firstNamed = <T extends { readonly id?: string }>(
  all: readonly T[],
  isNamed: (one: T) => boolean,
): T | undefined =>
  all
    .filter((one) => one.id !== undefined && isNamed(one))
    .sort((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))[0];

export class TelnyxConnection {
  readonly #client: Telnyx;
  readonly #guard: ProviderGuard;
  readonly #known = new KnownIds();

  constructor(client: Telnyx, guard: ProviderGuard) {
    this.#client = client;
    this.#guard = guard;
  }

  /** The connection's id. Looked for once in the life of the process, unless it is forgotten. */
  id(target: SipTarget): Promise<string> {
    return this.#known.of(target, async () => (await this.#findOrMake(target)).id);
  }

  forget(target: SipTarget): void {
    this.#known.forget(target);
  }

  async open(target: SipTarget): Promise<Termination> {
    const { id, profileId } = await this.#findOrMake(target);
    this.#known.remember(target, id);
    await this.#allowOut(id, profileId, target);
    const { data } = await this.#guard.read('read', () =>
      this.#client.fqdnConnections.fqdnAuthentication.list(id),
    );
    const isByCredential = data?.fqdn_outbound_authentication === 'credential-authentication';
    const username = isByCredential ? data?.user_name : undefined;
    const credentials = username ? [{ username, version: `${id}/${username}` }] : [];
    return { id, host: sipHost, tellsOfPasswords: false, credentials };
  }

  /** A connection has one pair of credentials: the new ones take the place of the old. */
  async addCredential(target: SipTarget, { username, password }: SipCredential): Promise<string> {
    const id = await this.id(target);
    await this.#guard.write('configure', () =>
      this.#client.fqdnConnections.fqdnAuthentication.patchAll(id, {
        fqdn_outbound_authentication: 'credential-authentication',
        user_name: username,
        password: password.reveal(),
      }),
    );
    return `${id}/${username}`;
  }

  async #findOrMake({ name, host }: SipTarget) {
    const { fqdnConnections } = this.#client;
    const filter = { connection_name: { contains: name } };
    const found = await this.#guard.read('read', () => fqdnConnections.list({ filter }));
    const known = firstNamed(found.data, ({ connection_name }) => connection_name === name);
    const id = known?.id ?? (await this.#make(name));
    if (host !== undefined) await this.#leadIn(id, host);
    return { id, profileId: known?.outbound?.outbound_voice_profile_id };
  }

  #make(name: string): Promise<string> {
    return this.#guard.write('configure', async () => {
      const { data } = await this.#client.fqdnConnections.create({
        connection_name: name,
        transport_protocol: 'TCP',
      });
      return required(data?.id, 'the id of a connection');
    });
  }

  async #leadIn(id: string, host: string): Promise<void> {
    const { fqdns } = this.#client;
    const names = await this.#guard.read('read', () => fqdns.list({ filter: { connection_id: id } }));
    if (!names.data.some(({ fqdn }) => fqdn === host))
      await this.#guard.write('configure', () =>
        fqdns.create({ connection_id: id, fqdn: host, dns_record_type: 'a', port: 5_060 }),
      );
  }

  /** Keeps the profile that the connection has, also another one than the platform's: the profile is the operator's choice. */
  async #allowOut(id: string, profileId: string | undefined, target: SipTarget): Promise<void> {
    if (profileId && (await this.#hasProfile(profileId))) return;
    const outbound = { outbound_voice_profile_id: await this.#profile(target) };
    await this.#guard.write('configure', () => this.#client.fqdnConnections.update(id, { outbound }));
  }

  #hasProfile(profileId: string): Promise<boolean> {
    return this.#guard.read('read', async () => {
      try {
        await this.#client.outboundVoiceProfiles.retrieve(profileId);
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    });
  }

  async #profile({ name }: SipTarget): Promise<string> {
    const { outboundVoiceProfiles: profiles } = this.#client;
    const filter = { name: { contains: name } };
    const { data } = await this.#guard.read('read', () => profiles.list({ filter }));
    const known = firstNamed(data, (profile) => profile.name === name)?.id;
    if (known !== undefined) return known;
    return this.#guard.write('configure', async () => {
      const { data: made } = await profiles.create({ name });
      return required(made?.id, 'the id of a profile');
    });
  }
}
