// Speech of the stand-in: a tone that lasts as long as the text would take to say.

/** As OpenAI's `pcm` has it: 16-bit mono. */
export const sampleRate = 24_000;
const hertz = 220;
const amplitude = 8_000;
/** About 150 words a minute. */
const charactersPerSecond = 15;

export const pcmOf = (text: string, speed = 1): Buffer => {
  const samples = Math.ceil((text.length / charactersPerSecond / speed) * sampleRate);
  const pcm = Buffer.alloc(samples * 2);
  for (let sample = 0; sample < samples; sample += 1)
    pcm.writeInt16LE(
      Math.round(amplitude * Math.sin((2 * Math.PI * hertz * sample) / sampleRate)),
      sample * 2,
    );
  return pcm;
};

export const wavOf = (pcm: Buffer): Buffer => {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + pcm.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([head, pcm]);
};
