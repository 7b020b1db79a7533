import { describe, expect, it } from '@jest/globals';
import { Hearing } from './hearing.js';
import { decodePcmu, encodePcmu, frameSamples, greetingAndBeep, silence, spokenDigits } from './tones.js';

const heardIn = (audio: Buffer): string => {
  const hearing = new Hearing();
  for (let at = 0; at + frameSamples <= audio.length; at += frameSamples)
    hearing.hear(audio.subarray(at, at + frameSamples));
  return hearing.heard;
};

describe('audio of telephones', () => {
  it('keeps loudness and sign through PCMU, as finely as PCMU can', () => {
    for (const sample of [-32_000, -1_000, -8, 0, 8, 1_000, 32_000])
      expect(Math.abs(decodePcmu(encodePcmu(sample)) - sample)).toBeLessThan(Math.abs(sample) * 0.04 + 8);
  });

  it('says every digit so that it is heard, twice where it is said twice', () => {
    expect(heardIn(spokenDigits('0123456789*#'))).toBe('0123456789*#');
    expect(heardIn(Buffer.concat([spokenDigits('0011'), spokenDigits('0011')]))).toBe('00110011');
  });

  it('is heard when pieces do not begin where a digit begins', () => {
    expect(heardIn(Buffer.concat([silence(20).subarray(0, 70), spokenDigits('4711')]))).toBe('4711');
  });

  it('has no digits in a greeting, in silence or in noise', () => {
    expect(heardIn(greetingAndBeep())).toBe('');
    expect(heardIn(silence(500))).toBe('');
    const noise = Buffer.from(
      Array.from({ length: 8_000 }, (_, index) => (index * 7_919 + (index >> 3) * 31) % 256),
    );
    expect(heardIn(noise)).toBe('');
  });
});
