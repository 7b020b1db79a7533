// The engines that need stand-ins in this run, and the address and credentials of each for services.
import { findMongod, freePort } from '@parlance/engines';
import type { DataFolder, Secrets, State } from './data-folder.js';
import {
  findBrowserMedia,
  findRealMedia,
  installedMedia,
  missingRuntime,
  type RealMediaPrograms,
} from './real-media-programs.js';
import type { StandInParts } from './stand-in-instructions.js';

export interface EngineOptions {
  readonly folder: DataFolder;
  readonly secrets: Secrets;
  readonly gatewayUrl: string;
  readonly agentName: string;
  /** The factor by which simulated people talk faster than in life. */
  readonly timeScale: number;
  /** LiveKit's own programs, telephones on the wire and the voice runtime, instead of simulated people. */
  readonly realMedia: boolean;
  /** LiveKit's own server and the voice runtime for browsers, instead of simulated people on simulated telephones. */
  readonly browserVoice: boolean;
  /** The voice runtime on real media, as far as they are installed. */
  readonly voice: boolean;
  /** A scripted agent holds the telephone calls of real media instead of the voice runtime. */
  readonly scriptedAgent: boolean;
  readonly cacheDir: string;
  readonly source: Readonly<Record<string, string | undefined>>;
}

/** The same ports at every start where they are free, so that addresses in a person's notes stay true. */
export const rememberedPort = async (folder: DataFolder, name: string): Promise<number> => {
  const port = await freePort(folder.state().ports[name]);
  folder.saveState({ ports: { ...folder.state().ports, [name]: port } });
  return port;
};

/** A variable that the environment sets. */
export const named = ({ source }: EngineOptions, variable: string): string | undefined =>
  source[variable] || undefined;

/** The place of documents: named, on the machine's own MongoDB, or in the stand-in. A folder keeps its first choice. */
const mongoOf = (options: EngineOptions): 'named' | { readonly mongod: string } | 'stand-in' => {
  if (named(options, 'MONGODB_URL')) return 'named';
  const { folder } = options;
  const { mongo: before } = folder.state();
  const binary = before === 'stand-in' ? undefined : findMongod();
  if (before === 'mongod' && binary === undefined)
    throw new Error(
      `${folder.path} was begun with MongoDB's own server, mongod, which is not installed any more. Install it, or ` +
        'start on another folder with --data-dir.',
    );
  folder.saveState({ mongo: binary === undefined ? 'stand-in' : 'mongod' });
  return binary === undefined ? 'stand-in' : { mongod: binary };
};

export type Media = 'named' | 'simulated' | 'telephones' | 'browsers';

const mediaOf = (options: EngineOptions): Media => {
  const { realMedia, browserVoice, voice } = options;
  const isNamed = named(options, 'LIVEKIT_URL') !== undefined;
  if (isNamed && (realMedia || browserVoice || voice))
    throw new Error(
      `LIVEKIT_URL names a LiveKit of yours, and --${realMedia ? 'real-media' : browserVoice ? 'browser-voice' : 'voice'} starts one. Leave one of the two out.`,
    );
  if (isNamed) return 'named';
  // Real calls have a media server for browsers too.
  if (realMedia) return 'telephones';
  if (browserVoice) return 'browsers';
  return voice ? installedMedia() : 'simulated';
};

/** @throws Error where a program that was asked for is missing */
const programsOf = (
  media: Media,
  { scriptedAgent }: EngineOptions,
): Pick<Choice, 'realMedia' | 'browserMedia'> => {
  const realMedia = media === 'telephones' ? findRealMedia() : undefined;
  const browserMedia = media === 'browsers' ? findBrowserMedia() : undefined;
  const isNeeded = (realMedia !== undefined && !scriptedAgent) || browserMedia !== undefined;
  const missing = isNeeded ? missingRuntime() : undefined;
  if (missing !== undefined) throw new Error(missing);
  return { realMedia, browserMedia };
};

export interface Choice {
  readonly media: Media;
  readonly parts: StandInParts;
  /** Path of the MongoDB server to start. */
  readonly mongod: string | undefined;
  /** The programs of real calls, to be started. */
  readonly realMedia: RealMediaPrograms | undefined;
  /** Path of the media server for browsers alone, to be started. */
  readonly browserMedia: string | undefined;
}

export const bucket = 'parlance';

/** Decides which engines get a stand-in. */
export const chooseEngines = async (options: EngineOptions): Promise<Choice> => {
  const { folder, secrets, gatewayUrl } = options;
  const place = async (name: string) => ({
    dataDir: folder.directory(name),
    port: await rememberedPort(folder, name),
  });
  const parts: StandInParts = {
    practice: { port: await rememberedPort(folder, 'practice'), token: secrets.practiceToken },
  };
  const mongo = mongoOf(options);
  const media = mediaOf(options);
  if (!named(options, 'EVENTSTORE_URL')) parts.eventStore = await place('eventstore');
  if (mongo === 'stand-in') parts.mongo = await place('mongodb');
  if (!named(options, 'OBJECT_STORAGE_URL'))
    parts.s3 = {
      ...(await place('s3')),
      accessKeyId: secrets.s3AccessKeyId,
      secretAccessKey: secrets.s3SecretAccessKey,
      buckets: [bucket],
      corsOrigins: [gatewayUrl],
    };
  if (media === 'simulated')
    parts.liveKit = {
      ...(await place('livekit')),
      apiKey: secrets.liveKitApiKey,
      apiSecret: secrets.liveKitApiSecret,
      webhookUrl: `${gatewayUrl}/hooks/livekit`,
      platformUrl: gatewayUrl,
      internalKey: secrets.internalKey,
      agentName: options.agentName,
      timeScale: options.timeScale,
    };
  if (!named(options, 'TWILIO_ACCOUNT_SID')) {
    const credentials = { accountSid: secrets.twilioAccountSid, authToken: secrets.twilioAuthToken };
    parts.twilio = { ...(await place('twilio')), credentials };
  }
  if (!named(options, 'TELNYX_API_KEY'))
    parts.telnyx = { ...(await place('telnyx')), credentials: { apiKey: secrets.telnyxApiKey } };
  if (!named(options, 'SMTP_URL')) parts.mail = await place('mail');
  const mongod = typeof mongo === 'object' ? mongo.mongod : undefined;
  return { parts, media, mongod, ...programsOf(media, options) };
};

/** Of a LiveKit on this machine, real or not. */
export const liveKitVariables = (place: {
  readonly port: number;
  readonly apiKey: string;
  readonly apiSecret: string;
}) => ({
  LIVEKIT_URL: `http://127.0.0.1:${place.port}`,
  LIVEKIT_WS_URL: `ws://127.0.0.1:${place.port}`,
  LIVEKIT_API_KEY: place.apiKey,
  LIVEKIT_API_SECRET: place.apiSecret,
});

/** The address and the credential of the practice. */
export const practiceOf = ({ practice }: StandInParts): NonNullable<State['practice']> => ({
  url: `http://127.0.0.1:${practice.port}`,
  token: practice.token,
});

/** Tools may ask the practice, and no other port of this machine unless the environment names it. */
export const egressVariables = (options: EngineOptions, parts: StandInParts) => ({
  EGRESS_ALLOW_PRIVATE: [named(options, 'EGRESS_ALLOW_PRIVATE'), new URL(practiceOf(parts).url).host]
    .filter(Boolean)
    .join(','),
});

/** Addresses and credentials of the stand-ins, as services are told of the real engines. */
export const standInVariables = ({ eventStore, s3, liveKit, twilio, telnyx, mongo, mail }: StandInParts) => ({
  ...(eventStore && { EVENTSTORE_URL: `esdb://127.0.0.1:${eventStore.port}?tls=false` }),
  ...(mongo && { MONGODB_URL: `mongodb://127.0.0.1:${mongo.port}` }),
  ...(s3 && {
    OBJECT_STORAGE_URL: `http://127.0.0.1:${s3.port}`,
    OBJECT_STORAGE_BUCKET: bucket,
    OBJECT_STORAGE_ACCESS_KEY_ID: s3.accessKeyId,
    OBJECT_STORAGE_SECRET_ACCESS_KEY: s3.secretAccessKey,
  }),
  ...(liveKit && liveKitVariables(liveKit)),
  ...(twilio && {
    TWILIO_API_URL: `http://127.0.0.1:${twilio.port}`,
    TWILIO_ACCOUNT_SID: twilio.credentials.accountSid,
    TWILIO_AUTH_TOKEN: twilio.credentials.authToken,
  }),
  ...(telnyx && {
    TELNYX_API_URL: `http://127.0.0.1:${telnyx.port}/v2`,
    TELNYX_API_KEY: telnyx.credentials.apiKey,
  }),
  ...(mail && { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'Parlance <parlance@localhost>' }),
});
