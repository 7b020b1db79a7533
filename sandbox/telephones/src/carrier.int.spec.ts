// The carrier and SIPp without LiveKit: datagrams as a SIP service would send them, some of them twice. Skipped where SIPp
// is not installed.
import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallEntry, readCalls } from '@parlance/fake-kit';
import { eventually } from '@parlance/fixtures';
import { readSip, type SipMessage } from './sip-message.js';
import { findTelephones } from './sipp.js';
import { startTelephones, type Telephones } from './telephones.js';

const isInstalled = findTelephones() !== undefined;
if (!isInstalled) process.stderr.write('sipp: not installed, the carrier puts nothing through\n');

const offer = 'v=0\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n';

/** One call of a SIP service: its requests, and the answers to them. */
class Line {
  readonly #socket: Socket;
  readonly #callId: string;
  readonly #to: string;
  readonly #carrierPort: number;
  readonly answers: SipMessage[] = [];
  #branch = 0;

  constructor(socket: Socket, callId: string, number: string, carrierPort: number) {
    this.#socket = socket;
    this.#callId = callId;
    this.#to = `<sip:${number}@127.0.0.1:${carrierPort}>`;
    this.#carrierPort = carrierPort;
    socket.on('message', (datagram) => {
      const message = readSip(datagram);
      if (message?.callId === callId) this.answers.push(message);
    });
  }

  /** @param cseq a CANCEL and an ACK have the number of their INVITE */
  send(method: string, cseq: number, { body = '', isRepeated = false } = {}): void {
    const isNew = !isRepeated && method !== 'CANCEL';
    if (isNew) this.#branch += 1;
    const { port } = this.#socket.address();
    const tag = this.answers.find(({ cseq: of }) => of === '1 INVITE')?.header('To') ?? this.#to;
    const lines = [
      `${method} ${this.#to.slice(1, -1)} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${this.#callId}${this.#branch}`,
      `From: <sip:+14155550142@127.0.0.1>;tag=SCL_${this.#callId}`,
      `To: ${method === 'CANCEL' ? this.#to : tag}`,
      `Call-ID: ${this.#callId}`,
      `CSeq: ${cseq} ${method}`,
      `Contact: <sip:127.0.0.1:${port}>`,
      `X-Attempt-Id: ${this.#callId}`,
      'Max-Forwards: 70',
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${body.length}`,
    ];
    this.#socket.send(`${lines.join('\r\n')}\r\n\r\n${body}`, this.#carrierPort, '127.0.0.1');
  }

  /** Resolves with the answer to a request, such as "1 INVITE" and 180. */
  answer(cseq: string, status: number): Promise<SipMessage> {
    return eventually(() => {
      const found = this.answers.find((one) => one.cseq === cseq && one.status === status);
      if (found === undefined)
        throw new Error(
          `no ${status} to ${cseq} among ${this.answers.map((one) => `${one.cseq} ${one.status}`)}`,
        );
      return found;
    });
  }
}

(isInstalled ? describe : describe.skip)('the carrier', () => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-carrier-'));
  const ledgerFile = join(directory, 'ledger.jsonl');
  const socket = createSocket('udp4');
  let telephones: Telephones;
  let calls = 0;

  beforeAll(async () => {
    telephones = await startTelephones({
      dataDir: directory,
      logFile: join(directory, 'sipp.log'),
      ledgerFile,
      callsPerSecond: 3,
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    socket.setMaxListeners(20);
  });
  afterAll(async () => {
    socket.close();
    await telephones.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const lineTo = (number: string): Line => {
    calls += 1;
    return new Line(socket, `call-${calls}`, number, Number(telephones.address.split(':')[1]));
  };
  const noted = async (callId: string): Promise<CallEntry['kind'][]> => {
    const kinds: CallEntry['kind'][] = [];
    for await (const { room, kind } of readCalls(ledgerFile)) if (room === `ob_${callId}`) kinds.push(kind);
    return kinds;
  };

  it('notes an INVITE once when it comes three times, and takes all other messages of a call', async () => {
    const line = lineTo('+14155550100');
    for (const isRepeated of [false, true, true]) line.send('INVITE', 1, { body: offer, isRepeated });
    await line.answer('1 INVITE', 180);
    const ok = await line.answer('1 INVITE', 200);
    expect(ok.body).toContain('m=audio');
    line.send('ACK', 1);
    line.send('OPTIONS', 2);
    await line.answer('2 OPTIONS', 200);
    line.send('INVITE', 3, { body: offer });
    expect((await line.answer('3 INVITE', 200)).body).toContain('m=audio');
    line.send('ACK', 3);
    line.send('BYE', 4);
    await line.answer('4 BYE', 200);
    expect(await noted('call-1')).toEqual(['dial', 'ring']);
    expect(telephones.calls().at(-1)).toMatchObject({ status: 200, endedBy: 'far-end' });
  });

  it('lets a call be taken back while it rings', async () => {
    const line = lineTo('+14155550160');
    line.send('INVITE', 1, { body: offer });
    await line.answer('1 INVITE', 180);
    line.send('CANCEL', 1);
    await line.answer('1 CANCEL', 200);
    await line.answer('1 INVITE', 487);
    line.send('ACK', 1);
    expect(telephones.calls().at(-1)?.endedBy).toBe('far-end');
  });

  it('refuses calls above its limit per second, and no phone rings', async () => {
    const lines = ['61', '62', '63', '64'].map((ending) => lineTo(`+141555501${ending}`));
    for (const line of lines) line.send('INVITE', 1, { body: offer });
    const refused = await eventually(() => {
      const answers = lines.flatMap((line) => line.answers).filter(({ status }) => status === 503);
      expect(answers.length).toBeGreaterThan(0);
      return answers;
    });
    for (const { callId } of refused) expect(await noted(callId)).toEqual(['dial']);
    for (const line of lines) line.send('CANCEL', 1);
  });

  it('answers a request that belongs to no call', async () => {
    const line = lineTo('+14155550100');
    line.send('OPTIONS', 1);
    await line.answer('1 OPTIONS', 200);
    line.send('BYE', 2);
    await line.answer('2 BYE', 481);
  });
});
