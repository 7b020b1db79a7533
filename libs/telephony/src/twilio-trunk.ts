// The one Elastic SIP Trunk of an installation at Twilio. Origination leads calls to the numbers in. Termination lets calls
// from the media server out, for a credential of its list.
import { randomBytes } from 'node:crypto';
import type { ProviderGuard } from './guard.js';
import { KnownIds } from './known-ids.js';
import type { SipCredential, SipTarget, Termination } from './number-provider.js';
import type { Twilio } from './twilio.js';

interface Made {
  readonly friendlyName: string;
  readonly dateCreated: Date;
  readonly sid: string;
}

/** Two processes may both have made one: all of them take the oldest. */
const oldestNamed = <T extends Made>(all: readonly T[], name: string): T | undefined =>
  all
    .filter(({ friendlyName }) => friendlyName === name)
    .sort((a, b) => a.dateCreated.getTime() - b.dateCreated.getTime() || (a.sid < b.sid ? -1 : 1))[0];

/** Domains of trunks are names among those of all accounts, so that no two installations can want the same. */
const newDomain = (name: string): string =>
  `${name.replaceAll(/[^a-z0-9-]/gi, '-')}-${randomBytes(4).toString('hex')}.pstn.twilio.com`;

const versionOf = ({ sid, dateUpdated }: { readonly sid: string; readonly dateUpdated: Date }): string =>
  `${sid}@${dateUpdated.getTime()}`;

export class TwilioTrunk {
  readonly #client: Twilio;
  readonly #guard: ProviderGuard;
  readonly #known = new KnownIds();

  constructor(client: Twilio, guard: ProviderGuard) {
    this.#client = client;
    this.#guard = guard;
  }

  /** The trunk's SID. Looked for once in the life of the process, unless it is forgotten. */
  sid(target: SipTarget): Promise<string> {
    return this.#known.of(target, async () => (await this.#findOrMake(target)).sid);
  }

  forget(target: SipTarget): void {
    this.#known.forget(target);
  }

  async open(target: SipTarget): Promise<Termination> {
    const { sid, domainName } = await this.#findOrMake(target);
    this.#known.remember(target, sid);
    const trunk = this.#client.trunking.v1.trunks(sid);
    const host =
      domainName ||
      (await this.#guard.write('configure', () => trunk.update({ domainName: newDomain(target.name) })))
        .domainName;
    const listSid = await this.#credentialList(target);
    const attached = await this.#guard.read('read', () => trunk.credentialsLists.list());
    if (!attached.some((list) => list.sid === listSid))
      await this.#guard.write('configure', () =>
        trunk.credentialsLists.create({ credentialListSid: listSid }),
      );
    const credentials = await this.#credentials(listSid);
    return {
      id: sid,
      host,
      tellsOfPasswords: true,
      credentials: credentials.map((one) => ({ username: one.username, version: versionOf(one) })),
    };
  }

  async addCredential(target: SipTarget, { username, password }: SipCredential): Promise<string> {
    const { credentials } = this.#lists()(await this.#credentialList(target));
    return versionOf(
      await this.#guard.write('configure', () =>
        credentials.create({ username, password: password.reveal() }),
      ),
    );
  }

  async dropCredentials(target: SipTarget, keptVersion: string): Promise<void> {
    const listSid = await this.#credentialList(target);
    const others = (await this.#credentials(listSid)).filter((one) => versionOf(one) !== keptVersion);
    for (const { sid } of others)
      await this.#guard.write('configure', () => this.#lists()(listSid).credentials(sid).remove());
  }

  async #findOrMake({ name, host }: SipTarget) {
    const { trunks } = this.#client.trunking.v1;
    const all = await this.#guard.read('read', () => trunks.list());
    const trunk =
      oldestNamed(all, name) ??
      (await this.#guard.write('configure', () => trunks.create({ friendlyName: name })));
    if (host !== undefined) await this.#leadIn(trunk.sid, name, host);
    return trunk;
  }

  async #leadIn(trunkSid: string, name: string, host: string): Promise<void> {
    const sipUrl = `sip:${host};transport=tcp`;
    const urls = this.#client.trunking.v1.trunks(trunkSid).originationUrls;
    const existing = await this.#guard.read('read', () => urls.list());
    if (!existing.some((url) => url.sipUrl === sipUrl))
      await this.#guard.write('configure', () =>
        urls.create({ friendlyName: name, sipUrl, weight: 1, priority: 1, enabled: true }),
      );
  }

  async #credentialList({ name }: SipTarget): Promise<string> {
    const lists = this.#lists();
    const known = oldestNamed(await this.#guard.read('read', () => lists.list()), name);
    const list = known ?? (await this.#guard.write('configure', () => lists.create({ friendlyName: name })));
    return list.sid;
  }

  #credentials(listSid: string) {
    return this.#guard.read('read', () => this.#lists()(listSid).credentials.list());
  }

  #lists() {
    return this.#client.api.v2010.account.sip.credentialLists;
  }
}
