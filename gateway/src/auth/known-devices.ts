// A browser that has signed in to an account carries a cookie that says so. Guesses from it are counted apart from
// those of strangers. So the guesses of a stranger cannot keep the owner of an account out.
import { createHmac, randomBytes } from 'node:crypto';
import { equalSecrets } from '@parlance/crypto';
import type { Clock } from '@parlance/observability';
import { cookieValue } from '../http/cookies.js';

const lifetimeSeconds = 180 * 86_400;
const idBytes = 16;

export interface KnownDevicesOptions {
  readonly secret: string;
  /** Scheme, host and port under which people reach the gateway. */
  readonly publicUrl: string;
  readonly clock: Clock;
}

export class KnownDevices {
  readonly #options: KnownDevicesOptions;
  readonly #key: Buffer;
  readonly #name: string;

  constructor(options: KnownDevicesOptions) {
    this.#options = options;
    this.#key = createHmac('sha256', options.secret).update('parlance known devices').digest();
    this.#name = `${this.#isSecure() ? '__Secure-' : ''}parlance.device`;
  }

  /** A Set-Cookie line that makes the device known for this account. */
  cookieFor(account: string): string {
    const id = randomBytes(idBytes).toString('base64url');
    const since = Math.floor(this.#options.clock.now().getTime() / 1_000).toString(36);
    const value = `${id}.${since}.${this.#mac(account, id, since)}`;
    const secure = this.#isSecure() ? '; Secure' : '';
    return `${this.#name}=${value}; Max-Age=${lifetimeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  }

  /** Id of the device, if this account has signed in from it; a cookie of another account is none. */
  idOf(cookieHeader: string | undefined, account: string): string | undefined {
    const value = cookieHeader === undefined ? undefined : cookieValue(cookieHeader, this.#name);
    const [id = '', since = '', mac = ''] = value?.split('.') ?? [];
    if (id === '' || !equalSecrets(mac, this.#mac(account, id, since))) return undefined;
    const ageSeconds = this.#options.clock.now().getTime() / 1_000 - Number.parseInt(since, 36);
    return ageSeconds <= lifetimeSeconds ? id : undefined;
  }

  #mac(account: string, id: string, since: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([account, id, since]))
      .digest('base64url');
  }

  #isSecure(): boolean {
    return this.#options.publicUrl.startsWith('https://');
  }
}
