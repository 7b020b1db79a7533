// The loudness of a microphone for a person's eye. Pure.

/** Softer sound shows as silence. */
const softestDecibels = -60;

/** @param samples from -1 to 1 @returns 0 for silence to 1 for the loudest sound */
export const levelOf = (samples: Float32Array): number => {
  let squares = 0;
  for (const sample of samples) squares += sample * sample;
  const decibels = 10 * Math.log10(squares / Math.max(1, samples.length));
  return Math.min(1, Math.max(0, 1 - decibels / softestDecibels));
};
