// The place that calls leave to, as an operator writes it: `host` or `host:port`, and the transport.
import type { Provider } from '@parlance/contracts';
import type { SipTransport } from '@parlance/media-rooms';

/** `sip.example.com`, `127.0.0.1:5070;transport=udp`. */
export const sipPlace = /^([A-Za-z0-9.-]{1,253}(?::\d{1,5})?)(?:;transport=(udp|tcp|tls))?$/;

export interface SipPlace {
  readonly address: string;
  readonly transport: SipTransport;
}

export interface SipPlaces {
  /** Places that take calls instead of the provider's own hosts. */
  readonly instead: Readonly<Partial<Record<Provider, string | undefined>>>;
  /** The transport of a place that names none. */
  readonly transport: SipTransport;
}

/** @param host the provider's own */
export const placeOf = ({ instead, transport }: SipPlaces, provider: Provider, host: string): SipPlace => {
  const [, address = host, named] = sipPlace.exec(instead[provider] ?? host) ?? [];
  return { address, transport: named === 'udp' || named === 'tcp' || named === 'tls' ? named : transport };
};
