import { describe, expect, it } from '@jest/globals';
import { answerTo, audioOf, callerOf, readSip, type SipMessage, withHeader } from './sip-message.js';
import { ledgerEntryOf } from './wire-call.js';

const invite = Buffer.from(
  [
    'INVITE sip:+14155550100@127.0.0.1:38111 SIP/2.0',
    'Via: SIP/2.0/UDP 127.0.0.1:35605;branch=z9hG4bK.5',
    'CSeq: 1 INVITE',
    'i: abc@host',
    'To: <sip:+14155550100@127.0.0.1:38111>',
    'From: "+14155550142" <sip:+14155550142@127.0.0.1>;tag=SCL_1',
    'x-attempt-id: 6f9619ff',
    'Content-Type: application/sdp',
    '',
    'v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 23026 RTP/AVP 9 0 8 101\r\n',
  ].join('\r\n'),
);

const read = (datagram: Buffer): SipMessage => {
  const message = readSip(datagram);
  if (message === undefined) throw new Error('no SIP message');
  return message;
};

describe('an INVITE', () => {
  it('tells the caller, the callee, the call, and the address for its audio', () => {
    const message = read(invite);
    expect(message).toMatchObject({
      method: 'INVITE',
      number: '+14155550100',
      callId: 'abc@host',
      cseq: '1 INVITE',
    });
    expect(callerOf(message)).toBe('+14155550142');
    expect(audioOf(message.body)).toEqual({ host: '127.0.0.1', port: 23026 });
  });

  it('is written into the ledger under the room of its attempt', () => {
    expect(ledgerEntryOf(read(invite))).toEqual({
      room: 'ob_6f9619ff',
      identity: 'pstn_6f9619ff',
      to: '+14155550100',
      from: '+14155550142',
      sipCallId: 'SCL_1',
    });
  });

  it('keeps everything else when a header is added', () => {
    const told = read(withHeader(invite, 'X-Telephone', 'busy'));
    expect(told.header('X-Telephone')).toBe('busy');
    expect(told.body).toBe(read(invite).body);
  });

  it('is answered with its own headers', () => {
    expect(read(answerTo(read(invite), '481 Gone'))).toMatchObject({
      method: undefined,
      status: 481,
      callId: 'abc@host',
    });
  });
});

it('takes nothing else for SIP', () => {
  expect(readSip(Buffer.from('\r\n\r\n'))).toBeUndefined();
  expect(readSip(Buffer.from([0x80, 0, 1, 2]))).toBeUndefined();
  expect(audioOf('v=0\r\nm=audio 0 RTP/AVP 0\r\n')).toBeUndefined();
});
