// Outbound trunks at the media server: for each provider the address that takes calls, and the credentials for it. The
// metadata of a trunk names its installation, so that it is found again; the password stays at the media server.
import { createHash } from 'node:crypto';
import { SIPMediaEncryption, SIPOutboundTrunkInfo, SIPTransport } from '@livekit/protocol';
import type { Secret } from '@parlance/config';
import { Provider } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { SipClient } from 'livekit-server-sdk';
import { guarded, isNotFound } from './guarded.js';
import { livekitClients, type MediaRoomsEnv } from './livekit-rooms.js';

const transports = {
  udp: SIPTransport.SIP_TRANSPORT_UDP,
  tcp: SIPTransport.SIP_TRANSPORT_TCP,
  tls: SIPTransport.SIP_TRANSPORT_TLS,
} as const;
export type SipTransport = keyof typeof transports;

/** The address that calls leave to, and the user name that they carry. */
export interface TrunkRoute {
  /** Host, with a port where the usual one of the transport is not meant. */
  readonly address: string;
  readonly transport: SipTransport;
  readonly username: string;
  /** Version of the credentials at the provider: each change there makes another version. */
  readonly credential: string;
}

export interface WantedTrunk extends TrunkRoute {
  readonly installation: string;
  readonly provider: Provider;
  readonly password: Secret;
}

export interface OutboundTrunk extends TrunkRoute {
  readonly trunkId: string;
  readonly provider: Provider;
  /** The trunk is as it was written: numbers, password and settings. */
  readonly isIntact: boolean;
}

/** Every method throws AppError PROVIDER_UNAVAILABLE when the media server does not do it. */
export interface OutboundTrunks {
  /** All trunks that the installation made, in the order of their ids. */
  list(installation: string): Promise<readonly OutboundTrunk[]>;
  /** Makes a trunk, or writes over the one with this id. Resolves with the id. */
  put(wanted: WantedTrunk, trunkId?: string): Promise<string>;
  /** May be repeated. */
  remove(trunkId: string): Promise<void>;
}

/** Calls from any number of the account: the dial names the number. */
const anyNumber = ['*'];

interface Metadata {
  readonly installation: string;
  readonly provider: Provider;
  readonly credential: string;
  /** Hash of the password, which shows that another one was written over it. */
  readonly password: string;
}

const hashOf = (password: string): string => createHash('sha256').update(password).digest('base64url');

/** A server that does not tell passwords leaves them out, or writes asterisks. */
const isHidden = (password: string): boolean => /^\**$/.test(password);

/** Signalling in the clear with keys for the media in it would protect nothing. */
const encryptionOver = (transport: SipTransport): SIPMediaEncryption =>
  transport === 'tls'
    ? SIPMediaEncryption.SIP_MEDIA_ENCRYPT_ALLOW
    : SIPMediaEncryption.SIP_MEDIA_ENCRYPT_DISABLE;

const trunkOf = ({ installation, provider, password, ...route }: WantedTrunk): SIPOutboundTrunkInfo =>
  new SIPOutboundTrunkInfo({
    name: `parlance:${installation}:${provider}`,
    address: route.address,
    transport: transports[route.transport],
    mediaEncryption: encryptionOver(route.transport),
    numbers: anyNumber,
    authUsername: route.username,
    authPassword: password.reveal(),
    metadata: JSON.stringify({
      parlance: {
        ...{ installation, provider, credential: route.credential },
        password: hashOf(password.reveal()),
      } satisfies Metadata,
    }),
  });

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Undefined for the metadata of a trunk that the platform did not make. */
const metadataOf = (text: string): Metadata | undefined => {
  let written: unknown;
  try {
    written = field(JSON.parse(text), 'parlance');
  } catch {
    return undefined;
  }
  const provider = Provider.safeParse(field(written, 'provider')).data;
  const [installation, credential, password] = ['installation', 'credential', 'password'].map((name) =>
    field(written, name),
  );
  if (provider === undefined || typeof installation !== 'string') return undefined;
  return { installation, provider, credential: String(credential), password: String(password) };
};

const transportOf = (transport: SIPTransport): SipTransport =>
  transport === SIPTransport.SIP_TRANSPORT_TLS
    ? 'tls'
    : transport === SIPTransport.SIP_TRANSPORT_TCP
      ? 'tcp'
      : 'udp';

/** The trunk as a list of one; an empty list for a trunk that the installation did not make. */
const keptOf = (info: SIPOutboundTrunkInfo, installation: string): OutboundTrunk[] => {
  const metadata = metadataOf(info.metadata);
  if (metadata?.installation !== installation) return [];
  return [
    {
      trunkId: info.sipTrunkId,
      provider: metadata.provider,
      address: info.address,
      transport: transportOf(info.transport),
      username: info.authUsername,
      credential: metadata.credential,
      isIntact:
        (isHidden(info.authPassword) || hashOf(info.authPassword) === metadata.password) &&
        info.numbers.join() === anyNumber.join(),
    },
  ];
};

const byId = (one: OutboundTrunk, other: OutboundTrunk): number => (one.trunkId < other.trunkId ? -1 : 1);

export const outboundTrunks = (
  sip: Pick<
    SipClient,
    'listSipOutboundTrunk' | 'createSipOutboundTrunk' | 'updateSipOutboundTrunk' | 'deleteSipTrunk'
  >,
): OutboundTrunks => ({
  list: async (installation) => {
    const all = await guarded(sip.listSipOutboundTrunk());
    return all.flatMap((info) => keptOf(info, installation)).sort(byId);
  },
  put: async (wanted, trunkId) => {
    const { name, address, numbers, ...rest } = trunkOf(wanted);
    if (trunkId === undefined)
      return (await guarded(sip.createSipOutboundTrunk(name, address, numbers, rest))).sipTrunkId;
    const written = new SIPOutboundTrunkInfo({ name, address, numbers, ...rest, sipTrunkId: trunkId });
    try {
      return (await guarded(sip.updateSipOutboundTrunk(trunkId, written))).sipTrunkId;
    } catch (cause) {
      // The trunk was deleted a moment ago: the next look at the list finds none, and a new one is made.
      throw isNotFound(cause) ? new AppError('PROVIDER_UNAVAILABLE', { cause, retryAfterSeconds: 2 }) : cause;
    }
  },
  remove: async (trunkId) => {
    try {
      await guarded(sip.deleteSipTrunk(trunkId));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  },
});

/** The port on a LiveKit server. */
export const createOutboundTrunks = (env: MediaRoomsEnv): OutboundTrunks =>
  outboundTrunks(livekitClients(env).sip);
