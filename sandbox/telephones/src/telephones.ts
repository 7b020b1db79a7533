// A telephone network on loopback: a carrier that a LiveKit trunk points to, telephones that it calls, and telephones
// that call in.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Ledger } from '@parlance/fake-kit';
import { digitsOf } from './behaviours.js';
import { callInScenario } from './call-in-scenario.js';
import { Carrier } from './carrier.js';
import { Media } from './media.js';
import { answerScenario } from './scenario.js';
import type { Address } from './sip-message.js';
import { type Calling, findTelephones, type SippPlace, startAnswering, startCalling } from './sipp.js';
import type { CallFacts } from './wire-call.js';

export interface TelephonesOptions {
  /** Made if absent; scenarios are written there. */
  readonly dataDir: string;
  /** File for the output of SIPp. */
  readonly logFile: string;
  /** Gets a line for every INVITE that arrives, and for every phone that rings. */
  readonly ledgerFile?: string;
  /** The carrier's port; a free one unless said. */
  readonly port?: number;
  /** An answering phone hangs up after this long, where the far end has not; 120 seconds unless said. */
  readonly talkMs?: number;
  /** The carrier refuses more calls than this in one second. */
  readonly callsPerSecond?: number;
}

export interface InboundCall {
  /** E.164 */
  readonly from: string;
  readonly to: string;
  /** Host and port of the SIP service that takes the call. */
  readonly sipAddress: string;
  /** Spoken over and over; the last four of its own number unless said. */
  readonly digits?: string;
  /** PCMU that is played once, in the place of the digits. */
  readonly recording?: Buffer;
  /** The caller hangs up after this long; 10 seconds unless said. */
  readonly talkMs?: number;
  /** The caller gives up after it has rung for this long; 30 seconds unless said. */
  readonly patienceMs?: number;
}

export interface Telephones {
  /** Host and port that a trunk points to. */
  readonly address: string;
  /** Every call that passed, as the telephones saw it. */
  calls(): readonly CallFacts[];
  /** Lets a telephone call in; resolves when its call is over. */
  call(call: InboundCall): Promise<CallFacts>;
  stop(): Promise<void>;
}

const text = ({ host, port }: Address): string => `${host}:${port}`;

const addressOf = (hostAndPort: string): Address => {
  const [host = '', port] = hostAndPort.split(':');
  return { host, port: Number(port) };
};

const isNumber = (number: string): boolean => /^\+?\d{3,15}$/.test(number);

/** @throws Error where SIPp is not installed; ask `findTelephones` first */
export const startTelephones = async (options: TelephonesOptions): Promise<Telephones> => {
  const sipp = findTelephones();
  if (sipp === undefined) throw new Error('sipp is not installed: on Debian, apt-get install sip-tester');
  mkdirSync(options.dataDir, { recursive: true });
  const ledger = options.ledgerFile === undefined ? undefined : await Ledger.open(options.ledgerFile);
  const media = await Media.open();
  const carrier = await Carrier.open({
    port: options.port,
    ledger,
    media,
    callsPerSecond: options.callsPerSecond,
  });
  const calling = new Set<Calling>();
  const close = async (): Promise<void> => {
    for (const one of calling) one.kill();
    await carrier.close();
    await media.close();
    await ledger?.close();
  };
  const where: SippPlace = { sipp, dataDir: options.dataDir, logFile: options.logFile };
  const place = { carrier: text(carrier.address), mediaPort: media.port };
  const answering = await startAnswering(
    where,
    answerScenario(place, { talkMs: options.talkMs ?? 120_000 }),
  ).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  carrier.connect(answering.address);
  return {
    address: place.carrier,
    calls: () => carrier.calls,
    call: async ({ talkMs = 10_000, patienceMs = 30_000, ...call }) => {
      if (!isNumber(call.from) || !isNumber(call.to))
        throw new Error('a telephone calls from a number to a number');
      const callId = randomUUID();
      const far = addressOf(call.sipAddress);
      carrier.expect(callId, { ...call, digits: call.digits ?? digitsOf(call.from), far });
      const scenario = callInScenario(place, { ...call, talkMs, patienceMs });
      const one = await startCalling(where, { callId, scenario, carrier: carrier.address });
      calling.add(one);
      await one.over;
      calling.delete(one);
      const facts = carrier.calls.find((known) => known.callId === callId);
      if (facts === undefined) throw new Error(`the carrier knows no call ${callId}`);
      return facts;
    },
    stop: async () => {
      await answering.child.stop();
      await close();
    },
  };
};
