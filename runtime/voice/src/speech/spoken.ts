// What a person heard of a text whose speech was cut off.

/** A synthesized piece of an utterance. */
export interface SpokenPiece {
  readonly text: string;
  readonly ms: number;
}

/** A word counts as heard when most of it has sounded. */
const heardShare = 0.5;

const partOf = ({ text, ms }: SpokenPiece, playedMs: number): string => {
  const words = text.match(/\S+\s*/g) ?? [];
  const msPerLetter = ms / Math.max(1, text.length);
  let atMs = 0;
  let heard = '';
  for (const word of words) {
    const wordMs = word.length * msPerLetter;
    if (atMs + wordMs * heardShare > playedMs) break;
    heard += word;
    atMs += wordMs;
  }
  return heard.trimEnd();
};

/** The words up to a position of the playback: whole pieces, and a share of the last one by its letters. */
export const spokenUntil = (pieces: readonly SpokenPiece[], playedMs: number): string => {
  const heard: string[] = [];
  let leftMs = playedMs;
  for (const piece of pieces) {
    // No audio came of it, or of anything behind it.
    if (piece.ms === 0) break;
    if (leftMs >= piece.ms) heard.push(piece.text);
    else {
      heard.push(partOf(piece, leftMs));
      break;
    }
    leftMs -= piece.ms;
  }
  return heard.filter((text) => text !== '').join(' ');
};
