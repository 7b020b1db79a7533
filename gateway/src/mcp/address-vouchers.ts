// A request to /mcp leaves the gateway for the facade, and comes back from there as calls of operations. A voucher
// tells the gateway the first source of the request. So the addresses of an API key and the limits on guesses hold
// behind the facade, too, and the gateway knows which requests came over MCP. The facade passes it on unread and could not make one.
import { createHmac } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { equalSecrets, sha256 } from '@parlance/crypto';
import type { Request, RequestHandler } from 'express';

export const voucherHeader = 'x-parlance-address';

const overMcp = Symbol('over MCP');

/** True for a request of the facade, on behalf of an MCP client. */
export const isOverMcp = (request: object): boolean => overMcp in request;

/** Longer than any request takes. */
const goodForMs = 120_000;

const credentialOf = ({ headers }: Pick<Request, 'headers'>): string =>
  sha256(JSON.stringify([headers['x-api-key'] ?? '', headers.authorization ?? '']));

export class AddressVouchers {
  readonly #key: string;
  readonly #now: () => number;

  constructor(key: Secret, now: () => number = () => Date.now()) {
    this.#key = createHmac('sha256', key.reveal()).update('address vouchers').digest('base64url');
    this.#now = now;
  }

  /** A voucher for the address of this request, good together with its credential only. */
  for(request: Pick<Request, 'headers' | 'ip'>): string {
    const expiresAt = String(this.#now() + goodForMs);
    const address = request.ip ?? '';
    return [expiresAt, address, this.#sign(expiresAt, address, credentialOf(request))].join('|');
  }

  /** The address that a voucher of ours names; undefined for any other text. */
  addressIn(voucher: string, request: Pick<Request, 'headers'>): string | undefined {
    const [expiresAt = '', address = '', signature = '', ...rest] = voucher.split('|');
    if (rest.length > 0 || !equalSecrets(signature, this.#sign(expiresAt, address, credentialOf(request))))
      return undefined;
    return Number(expiresAt) > this.#now() && address !== '' ? address : undefined;
  }

  /** Makes `request.ip` the address that a voucher names. A header that is no voucher of ours changes nothing. */
  readonly middleware: RequestHandler = (request, _response, next) => {
    const voucher = request.headers[voucherHeader];
    const address = typeof voucher === 'string' ? this.addressIn(voucher, request) : undefined;
    if (address !== undefined)
      Object.defineProperties(request, { ip: { value: address }, [overMcp]: { value: true } });
    next();
  };

  #sign(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64url');
  }
}
