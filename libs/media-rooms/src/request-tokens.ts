// Clients of LiveKit's server API that reuse the tokens of their requests. The SDK signs one for each request, although those with the
// same grants are alike for ten minutes.
import { RoomServiceClient, type SIPGrant, SipClient, type VideoGrant } from 'livekit-server-sdk';

type Header = Record<string, string>;

/** Half of the lifetime of a token, so that clocks may differ by minutes. */
const reusedForMs = 300_000;
/** Grants that name a room are used once or twice; the oldest make room. */
const mostTokens = 100;

interface Signed {
  readonly at: number;
  readonly header: Promise<Header>;
}

export class RequestTokens {
  readonly #signed = new Map<string, Signed>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The header for these grants, signed at most five minutes ago. */
  of(grants: readonly unknown[], sign: () => Promise<Header>): Promise<Header> {
    const key = JSON.stringify(grants);
    const now = this.#now();
    const known = this.#signed.get(key);
    if (known !== undefined && now >= known.at && now - known.at < reusedForMs) return known.header;
    const header = sign();
    this.#signed.delete(key);
    this.#signed.set(key, { at: now, header });
    header.catch(() => this.#signed.delete(key));
    const [oldest] = this.#signed.keys();
    if (this.#signed.size > mostTokens && oldest !== undefined) this.#signed.delete(oldest);
    return header;
  }
}

export class RoomClient extends RoomServiceClient {
  readonly #tokens = new RequestTokens();

  override authHeader(grant: VideoGrant, sip?: SIPGrant): Promise<Header> {
    return this.#tokens.of([grant, sip], () => super.authHeader(grant, sip));
  }
}

export class TelephonyClient extends SipClient {
  readonly #tokens = new RequestTokens();

  override authHeader(grant: VideoGrant, sip?: SIPGrant): Promise<Header> {
    return this.#tokens.of([grant, sip], () => super.authHeader(grant, sip));
  }
}
